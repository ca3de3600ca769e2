/**
 * Records of JSON, read as strictly as the body of a request: nothing of a record is lost without a word.
 * @module
 */
import { decodeJson } from "@scim/http";
import type { JsonValue } from "@scim/schemas";

/** Deepest nesting of a record, as of a request. */
const MAX_DEPTH = 32;

/**
 * Reads a record.
 * @throws ScimError `invalidSyntax`, also for a member that occurs twice; `invalidValue`
 */
export function readRecordJson(bytes: Uint8Array): JsonValue {
  return decodeJson(bytes, MAX_DEPTH);
}
