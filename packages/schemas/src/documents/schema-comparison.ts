/**
 * Tells in what two schemas differ. Names of schemas and descriptions are words for people and do not count.
 * @module
 */
import { resolveAttribute, type Attribute } from "../attribute.ts";
import type { SchemaDefinition } from "../schema.ts";
import { attributePaths, type AttributeAtPath } from "./attribute-paths.ts";
import type { DocumentIssue } from "./schema-document-error.ts";

const COMPARED = [
  "name",
  "type",
  "multiValued",
  "required",
  "canonicalValues",
  "caseExact",
  "mutability",
  "returned",
  "uniqueness",
  "referenceTypes",
] as const satisfies readonly (keyof Attribute)[];

/** What `candidate` has other than `registered`, by attribute path; empty where they say the same. */
export function compareSchemas(
  registered: SchemaDefinition,
  candidate: SchemaDefinition,
): readonly DocumentIssue[] {
  const before = attributePaths(registered.attributes.map(resolveAttribute));
  const after = attributePaths(candidate.attributes.map(resolveAttribute));
  const missing = [...before]
    .filter(([key]) => !after.has(key))
    .map(([, { path }]) => ({ path, message: "is missing, but registered" }));
  const changed = [...after].flatMap(([key, { path, attribute }]) =>
    differences(path, attribute, before.get(key)),
  );
  return [...missing, ...changed];
}

function differences(
  path: string,
  attribute: Attribute,
  before: AttributeAtPath | undefined,
): readonly DocumentIssue[] {
  if (before === undefined) return [{ path, message: "is not part of the registered schema" }];
  return COMPARED.flatMap((characteristic) => {
    const is = JSON.stringify(attribute[characteristic]);
    const was = JSON.stringify(before.attribute[characteristic]);
    return is === was ? [] : [{ path, message: `has ${characteristic} ${is}, registered is ${was}` }];
  });
}
