/**
 * Takes credentials out of an Error message: a service that repeats what it was sent must not carry them into an error.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** What stands where credentials stood. */
const HIDDEN = "[credentials]";

/** The members of an Error message (RFC 7644 §3.12, and those of a conflict of versions): a token may read as their names do. */
const MEMBERS = new Set(["schemas", "status", "scimType", "detail", "expectedVersion", "currentVersion"]);

/** Those that hold words of the protocol, which programs compare. */
const WORDS = new Set(["schemas", "status", "scimType"]);

/** Levels of a message that are kept: what lies deeper is no part of one. */
const MOST_LEVELS = 16;

/**
 * A message without the credentials of a request.
 * @param authorization the value of the header that was sent
 */
export function withoutSecret(message: JsonObject, authorization: string | null): JsonObject {
  const secret = authorization === null ? "" : authorization.slice(authorization.indexOf(" ") + 1);
  if (secret === "") return message;
  const hide = (text: string): string => text.replaceAll(secret, HIDDEN);
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => [
      MEMBERS.has(name) ? name : hide(name),
      WORDS.has(name) ? value : hidden(value, hide, MOST_LEVELS),
    ]),
  );
}

function hidden(value: JsonValue, hide: (text: string) => string, levels: number): JsonValue {
  if (typeof value === "string") return hide(value);
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return null;
  const within = (each: JsonValue): JsonValue => hidden(each, hide, levels - 1);
  if (isJsonArray(value)) return value.map(within);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [hide(name), within(each)]))
    : null;
}
