/**
 * Records of JSON, read as strictly as the body of a request: nothing of a record is lost without a word.
 * @module
 */
import { decodeJson, DEFAULT_HTTP_LIMITS } from "@scim/http";
import type { JsonValue } from "@scim/schemas";

/**
 * Reads a record.
 * @throws ScimError `invalidSyntax`, also for a member that occurs twice; `invalidValue`
 */
export function readRecordJson(bytes: Uint8Array): JsonValue {
  return decodeJson(bytes, DEFAULT_HTTP_LIMITS.jsonDepth, "record");
}
