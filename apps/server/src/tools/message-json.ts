/**
 * Messages to tools, read as strictly as the body of a SCIM request: nothing of what a tool is given is lost without a word.
 * @module
 */
import { decodeJson, DEFAULT_HTTP_LIMITS } from "@scim/http";
import type { JsonValue } from "@scim/schemas";

/** Levels that a message has around a resource: the batch, the message, its params, the arguments of the tool. */
const AROUND = 4;

/**
 * Reads a message.
 * @throws ScimError `invalidSyntax`, also for a member that occurs twice; `invalidValue`
 */
export function readMessageJson(bytes: Uint8Array): JsonValue {
  return decodeJson(bytes, DEFAULT_HTTP_LIMITS.jsonDepth + AROUND, "message");
}
