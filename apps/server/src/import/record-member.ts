/**
 * Members of a record before its schemas are known, which spell them: names have no letter case (RFC 7643 §2.1).
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";

/** The name that a record has for a member, in whatever letter case; null where it has none. */
export function spelledIn(record: JsonObject, name: string): string | null {
  if (Object.hasOwn(record, name)) return name;
  const lower = name.toLowerCase();
  return Object.keys(record).find((each) => each.toLowerCase() === lower) ?? null;
}

/** The value of a member; null where there is none. */
export function memberOf(record: JsonObject, name: string): JsonValue {
  const spelled = spelledIn(record, name);
  return spelled === null ? null : (record[spelled] ?? null);
}
