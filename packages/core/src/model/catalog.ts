/**
 * The compiled models of all resource types of a registry, made on first use and again when the registry changes.
 * @module
 */
import { type ResourceTypeDefinition, ScimError, type SchemaRegistry } from "@scim/schemas";
import { DEFAULT_ID_FORM } from "../store/capabilities.ts";
import { buildResourceModel, type IdFormOf, type ResourceModel } from "./resource-model.ts";

/** Models of the resource types that a registry holds. */
export interface ModelCatalog {
  /**
   * The model of a resource type.
   * @throws ScimError `notFound` where there is no such type
   */
  model(type: string): ResourceModel;
  /** The models of all types, in the order of registration. */
  models(): readonly ResourceModel[];
  /** The definitions of all types, in the same order: what they say needs no model, and there may be hundreds. */
  definitions(): readonly ResourceTypeDefinition[];
}

/** Makes a catalog over a live registry. */
export function createModelCatalog(
  registry: SchemaRegistry,
  idForm: IdFormOf = () => DEFAULT_ID_FORM,
): ModelCatalog {
  let revision = registry.revision;
  let models = new Map<string, ResourceModel>();

  function refresh(): void {
    if (registry.revision === revision) return;
    revision = registry.revision;
    models = new Map();
  }

  function model(type: string): ResourceModel {
    refresh();
    const built = models.get(type);
    if (built !== undefined) return built;
    const definition = registry.resourceType(type);
    if (definition === undefined) throw new ScimError("notFound", `There is no resource type ${type}.`);
    const fresh = buildResourceModel(definition, registry, idForm);
    models.set(type, fresh);
    return fresh;
  }

  const definitions = (): readonly ResourceTypeDefinition[] => registry.resourceTypes();
  return { model, models: () => definitions().map(({ name }) => model(name)), definitions };
}
