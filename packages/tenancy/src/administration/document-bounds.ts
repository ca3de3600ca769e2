/**
 * Bounds of the documents of a tenant: every process of the service reads and compiles them, between the requests of all tenants.
 * @module
 */
import type { SchemaRegistry } from "@scim/schemas";
import type { TenantDocument } from "../documents/tenant-document.ts";
import { TenancyError } from "./tenancy-error.ts";

const MOST_DOCUMENTS = 200;
const LONGEST_DOCUMENT = 262_144;
/** Characters of all documents of a tenant: 1,048,576, which take a tenth of a second. */
const MOST_CHARACTERS = 1_048_576;

/** Attributes and sub-attributes of a resource type with its extensions: all are compiled at once, in half a second. */
const MOST_DEFINITIONS = 2000;

/**
 * Refuses a document that is too long.
 * @param source what it is called in messages
 * @throws TenancyError `invalid`
 */
export function refuseTooLong(source: string, document: unknown): void {
  if (JSON.stringify(document).length <= LONGEST_DOCUMENT) return;
  throw new TenancyError("invalid", `${source} has more than ${LONGEST_DOCUMENT} characters.`);
}

/**
 * Refuses more documents than a tenant may have. What it has beyond that since an earlier release may stay, and become less.
 * @throws TenancyError `invalid`
 */
export function refuseTooMuch(before: readonly TenantDocument[], after: readonly TenantDocument[]): void {
  if (after.length > MOST_DOCUMENTS)
    throw new TenancyError("invalid", `A tenant has at most ${MOST_DOCUMENTS} documents of its own.`);
  const characters = charactersOf(after);
  if (characters <= MOST_CHARACTERS || characters <= charactersOf(before)) return;
  throw new TenancyError(
    "invalid",
    `The documents of a tenant have at most ${MOST_CHARACTERS} characters together, not ${characters}.`,
  );
}

function charactersOf(documents: readonly TenantDocument[]): number {
  return documents.reduce((sum, { document }) => sum + JSON.stringify(document).length, 0);
}

/**
 * Refuses resource types that have too many attributes. What one has beyond that since an earlier release may stay, and become less.
 * @throws TenancyError `invalid`
 */
export function refuseTooLarge(before: SchemaRegistry, after: SchemaRegistry): void {
  for (const { name } of after.resourceTypes()) {
    const definitions = definitionsOf(after, name);
    if (definitions <= MOST_DEFINITIONS || definitions <= definitionsOf(before, name)) continue;
    throw new TenancyError(
      "invalid",
      `The resource type ${name} has at most ${MOST_DEFINITIONS} attributes and sub-attributes, those of its extensions among them, not ${definitions}.`,
    );
  }
}

function definitionsOf(registry: SchemaRegistry, name: string): number {
  const type = registry.resourceType(name);
  const urns =
    type === undefined ? [] : [type.schema, ...(type.schemaExtensions ?? []).map(({ schema }) => schema)];
  const attributes = urns.flatMap((urn) => registry.schema(urn)?.attributes ?? []);
  return attributes.reduce(
    (count, attribute) => count + 1 + (attribute.type === "complex" ? attribute.subAttributes.length : 0),
    0,
  );
}
