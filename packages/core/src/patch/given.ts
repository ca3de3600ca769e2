/**
 * What the operations of a PATCH give, where clients send it in another form than RFC 7644 §3.5.2 has.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { BindingContext } from "./state.ts";
import type { PatchTarget } from "./target.ts";

/** How deep JSON in a text may nest: as deep as a body. */
const MAX_DEPTH = 64;

/** Characters of a text that is read: it is parsed in one go, while all else waits. Those that are known hold names. */
const MAX_LENGTH = 100_000;

/** What a target is given: a path such as `emails[type eq "work"]` selects values, each of which becomes one object. */
export function givenTo(
  { attribute: node, filter, sub }: PatchTarget,
  value: JsonValue,
  context: BindingContext,
): JsonValue {
  const selectsWhole = node.attribute.multiValued && filter !== null && sub === null;
  return selectsWhole ? onlyElement(value, node.path, context) : value;
}

/** What an operation without a path gives: an object whose members are attributes, unless it is something else. */
export function givenWithoutPath(value: JsonValue, context: BindingContext): JsonValue {
  return typeof value === "string" ? objectOf(value, context) : onlyElement(value, "Operations", context);
}

/** SCIM-SDK clients send a value that is an object as a list of it. */
function onlyElement(value: JsonValue, path: string, { decode }: BindingContext): JsonValue {
  const only = isJsonArray(value) && value.length === 1 ? value[0] : undefined;
  if (!isJsonObject(only) || !decode.profile.switches.has("single-element-array")) return value;
  decode.onSwitch("single-element-array", path);
  return only;
}

/** SCIM for Keycloak sends the object as a text that holds it as JSON. */
function objectOf(text: string, { decode }: BindingContext): JsonValue {
  if (!decode.profile.switches.has("object-as-text")) return text;
  const object = parseObject(text);
  if (object === undefined) return text;
  decode.onSwitch("object-as-text", "Operations");
  return object;
}

function parseObject(text: string): JsonObject | undefined {
  if (text.length > MAX_LENGTH || !/^\s*\{/u.test(text)) return undefined;
  try {
    // JSON.parse is typed `any`; what it returns is a JSON value by its contract.
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) && isSound(value, MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether JSON is what a body may hold: the text around it has been looked at, and not what its escapes come to. */
function isSound(value: JsonValue, levels: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (isJsonArray(value)) return levels > 0 && value.every((each: JsonValue) => isSound(each, levels - 1));
  if (!isJsonObject(value)) return true;
  return (
    levels > 0 &&
    Object.entries(value).every(([name, each]) => name.isWellFormed() && isSound(each, levels - 1))
  );
}
