/**
 * Reads the reference collections of a body on another thread than the service: all that it needs is plain data.
 * @module
 */
import { createSchemaRegistry, type ResourceTypeDefinition, type SchemaDefinition } from "@scim/schemas";
import type { AttributeNode } from "../../model/attribute-node.ts";
import { createModelCatalog } from "../../model/catalog.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { isSecret } from "../../model/secrets.ts";
import { createProfile } from "../../profiles/profile.ts";
import type { SwitchName } from "../../profiles/switch.ts";
import { DEFAULT_ID_FORM, type IdForm } from "../../store/capabilities.ts";
import type { ValueLimits } from "../../validation/json-schema.ts";
import { createValidator } from "../../validation/validator.ts";
import { ReferenceReader } from "./reference-reader.ts";

/** By what a body is read: plain data, which can be sent to another thread. */
export interface BodyReading {
  /** Name of the resource type. */
  readonly type: string;
  readonly schemas: readonly SchemaDefinition[];
  readonly resourceTypes: readonly ResourceTypeDefinition[];
  /** The switches of the profile that are on. */
  readonly switches: readonly SwitchName[];
  readonly limits: ValueLimits;
  /** Forms of ids by resource type, where they differ from those of our own stores. */
  readonly idForms: ReadonlyMap<string, IdForm>;
}

/** The values of one collection of a body. */
export interface CollectionReader extends Pick<ReferenceReader, "read" | "found"> {
  /** Attribute path. */
  readonly path: string;
}

/** Reads the collections of bodies of one type. */
export interface BodyReader {
  /**
   * A reader of the list at names from the body on, in any letter case; null where it is no collection that is read
   * some values at a time. Each list has one of its own.
   */
  collection(names: readonly string[]): CollectionReader | null;
}

/**
 * Makes a reader.
 *
 * @example
 * const members = createBodyReader(reading).collection(["members"]);
 * const batch = members?.read([{ value: "2819c223" }]);
 */
export function createBodyReader(reading: BodyReading): BodyReader {
  const registry = createSchemaRegistry();
  registry.addDocuments([
    ...reading.schemas.map((document) => ({ source: document.id, document })),
    ...reading.resourceTypes.map((document) => ({ source: document.name, document })),
  ]);
  const { idForms, type, limits, switches } = reading;
  const model = createModelCatalog(registry, (name) => idForms.get(name) ?? DEFAULT_ID_FORM).model(type);
  const profile = createProfile(type, switches);
  const validator = createValidator(limits);
  return {
    collection: (names) => {
      const node = nodeAt(model, names);
      if (node === null || !canBeStaged(node)) return null;
      const reader = new ReferenceReader({ model, node, profile, validator, givenBy: "resource" });
      return { path: node.path, read: (values) => reader.read(values), found: () => reader.found() };
    },
  };
}

/** Whether a model has a collection that can be staged. */
export function hasStagedCollections({ collections }: ResourceModel): boolean {
  return collections.some(({ node }) => canBeStaged(node));
}

function nodeAt(model: ResourceModel, [first = "", second]: readonly string[]): AttributeNode | null {
  const top = model.members.get(first.toLowerCase());
  if (second === undefined) return top ?? null;
  if (top === undefined || top.extension !== top.path) return null;
  return top.subAttributes.get(second.toLowerCase()) ?? null;
}

/**
 * Whether the values of a collection can be staged. What is said of all values together, such as that one at most is
 * primary, or kept nowhere, asks for all of them at once.
 */
export function canBeStaged({ storage, attribute, subAttributes }: AttributeNode): boolean {
  if (storage !== "collection" || attribute.mutability === "readOnly") return false;
  return ![...subAttributes.values()].some(
    (sub) => sub.attribute.name.toLowerCase() === "primary" || isSecret(sub),
  );
}
