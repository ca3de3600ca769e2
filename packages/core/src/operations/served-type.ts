/**
 * Resource types as routes need them, told from their documents: no model is built for a type that nobody asks for.
 * @module
 */
import {
  isReferenceCollection,
  RESOURCE_OPERATIONS,
  resolveAttribute,
  type ResourceTypeDefinition,
  type SchemaRegistry,
} from "@scim/schemas";
import type { ServedType } from "../service.ts";

interface Served {
  readonly revision: number;
  readonly types: readonly ServedType[];
}

const served = new WeakMap<SchemaRegistry, Served>();

/** What is served of the types of a registry, as it is now. */
export function servedTypes(registry: SchemaRegistry): readonly ServedType[] {
  const known = served.get(registry);
  if (known?.revision === registry.revision) return known.types;
  const types = registry.resourceTypes().map((definition) => servedType(definition, registry));
  served.set(registry, { revision: registry.revision, types });
  return types;
}

/** What is served of a type. One of which every attribute is readOnly can only be read. */
function servedType(definition: ResourceTypeDefinition, registry: SchemaRegistry): ServedType {
  const { name, endpoint, schema, schemaExtensions = [], operations = RESOURCE_OPERATIONS } = definition;
  const attributes = [schema, ...schemaExtensions.map((extension) => extension.schema)]
    .flatMap((urn) => registry.schema(urn)?.attributes ?? [])
    .map(resolveAttribute);
  const isReadOnly = attributes.every(({ mutability }) => mutability === "readOnly");
  return {
    name,
    endpoint,
    operations: new Set(
      isReadOnly ? operations.filter((each) => each === "read" || each === "query") : operations,
    ),
    hasCollections: attributes.some(isReferenceCollection),
  };
}
