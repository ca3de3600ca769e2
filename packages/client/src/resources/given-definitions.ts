/**
 * Definitions as programs without types may give them.
 * @module
 */
import { UsageError } from "../errors/usage-error.ts";

/** Schemas that were found to be some: they are asked about for each difference. */
const known = new WeakSet<object>();

/**
 * Refuses what is no schema, such as a URN in its place, or what an import did not find.
 * @throws {@link UsageError} `invalidOption`
 */
export function requireSchema(schema: unknown, what: string): void {
  if (isObject(schema) && known.has(schema)) return;
  if (isObject(schema) && typeof schema["id"] === "string" && areAttributes(schema["attributes"])) {
    known.add(schema);
    return;
  }
  throw new UsageError(
    "invalidOption",
    `${what} is a schema with 'id' and 'attributes', each with a 'name', such as defineSchema of @scim/schemas gives.`,
  );
}

function areAttributes(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (each) =>
        isObject(each) &&
        typeof each["name"] === "string" &&
        (each["subAttributes"] === undefined || areAttributes(each["subAttributes"])),
    )
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/**
 * Refuses what is no resource type.
 * @throws {@link UsageError} `invalidOption`
 */
export function requireResourceType(type: unknown): void {
  const isType =
    isObject(type) &&
    typeof type["endpoint"] === "string" &&
    isObject(type["schema"]) &&
    Array.isArray(type["extensions"]);
  if (!isType)
    throw new UsageError(
      "invalidOption",
      "A resource type is what defineResourceType gives, or 'discovery' of a client.",
    );
}
