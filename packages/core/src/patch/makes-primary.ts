/**
 * Whether an operation may make a reference the primary one of its collection, which takes that from whichever reference
 * has it (RFC 7644 §3.5.2): it is about all of them then.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import { hasPrimary } from "../store/query-reads.ts";
import type { BoundOperation } from "./apply.ts";

/** Whether an operation may make one of several values the primary one. */
export function makesPrimary({ target, change }: BoundOperation): boolean {
  const { value } = change;
  if (change.op === "remove" || value === undefined || !hasPrimary(target.attribute)) return false;
  if (target.sub !== null) return isPrimaryName(target.sub.attribute.name) && mayBeTrue(value);
  return (isJsonArray(value) ? value : [value]).some(saysPrimary);
}

function saysPrimary(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    Object.entries(value).some(([name, member]) => isPrimaryName(name) && mayBeTrue(member))
  );
}

function isPrimaryName(name: string): boolean {
  return name.toLowerCase() === "primary";
}

/** Profiles may read text as true. */
function mayBeTrue(value: JsonValue): boolean {
  return value !== null && value !== false;
}
