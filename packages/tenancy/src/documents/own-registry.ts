/**
 * The schemas and resource types of a tenant: those of the service, and its own documents on top.
 * @module
 */
import {
  createSchemaRegistry,
  type Definitions,
  definitionsOf,
  isScimError,
  ScimError,
  type SchemaRegistry,
  SchemaDocumentError,
} from "@scim/schemas";
import type { TenantDocument } from "./tenant-document.ts";

/**
 * Makes the registry of a tenant; that of the service itself where the tenant has no documents.
 * @param base what the service has without them; it is not changed
 * @throws ScimError `unavailable` where they do not fit the service, such as one whose settings have changed
 */
export function ownRegistry(base: SchemaRegistry, documents: readonly TenantDocument[]): SchemaRegistry {
  if (documents.length === 0) return base;
  const registry = createSchemaRegistry(base);
  try {
    registry.addDocuments(
      documents.map(({ name, document }) => ({ source: name, document })),
      { allowBreaking: true },
    );
    return registry;
  } catch (cause) {
    if (!(cause instanceof SchemaDocumentError)) throw cause;
    throw new ScimError(
      "unavailable",
      "The schemas of the tenant do not fit the service any more. Its administrator has to put them right.",
      { cause },
    );
  }
}

/** Whether something failed since documents of a tenant do not fit the service any more: it does as long as they stay as they are. */
export function isOutgrown(error: unknown): boolean {
  return isScimError(error) && error.cause instanceof SchemaDocumentError;
}

/**
 * As {@link ownRegistry}; that of the service where the documents do not fit it any more: then nothing of theirs is served,
 * and they may be put right.
 */
export function fittingRegistry(base: SchemaRegistry, documents: readonly TenantDocument[]): SchemaRegistry {
  try {
    return ownRegistry(base, documents);
  } catch (cause) {
    if (!isScimError(cause)) throw cause;
    return base;
  }
}

/**
 * What stored resources of a tenant were made by. Where its documents do not fit the service any more, each is read apart from
 * what has come into its way; one that needs what the service does not have any more is left out.
 */
export function formerDefinitions(base: SchemaRegistry, documents: readonly TenantDocument[]): Definitions {
  const fitting = fittingRegistry(base, documents);
  if (fitting !== base || documents.length === 0) return fitting;
  const own = createSchemaRegistry();
  for (const { kind, document } of documents)
    if (kind === "Schema") unlessUnfit(() => own.addSchema(document));
  const schemas = own.schemas();
  for (const schema of base.schemas())
    if (own.schema(schema.id) === undefined) unlessUnfit(() => own.addSchema(schema));
  for (const { kind, document } of documents)
    if (kind === "ResourceType") unlessUnfit(() => own.addResourceType(document));
  return definitionsOf({ schemas, resourceTypes: own.resourceTypes() }, base);
}

function unlessUnfit(add: () => unknown): void {
  try {
    add();
  } catch (cause) {
    if (!(cause instanceof SchemaDocumentError)) throw cause;
  }
}
