/**
 * The envelope of a bulk job (RFC 7644 §3.7). What is wrong here is wrong with the job as a whole.
 * @module
 */
import { BULK_REQUEST_URN, isJsonArray, isJsonObject, ScimError, type JsonValue } from "@scim/schemas";
import { memberOf } from "../../attributes/json-object.ts";

/** A bulk job as sent. */
export interface BulkEnvelope {
  /** Failures after which the rest is not tried; null where everything is. */
  readonly failOnErrors: number | null;
  /** The operations, not read yet. */
  readonly operations: readonly JsonValue[];
}

/**
 * Reads the envelope.
 * @throws ScimError `invalidSyntax`, `invalidValue` for a bad failOnErrors, `payloadTooLarge` for too many operations
 */
export function readEnvelope(body: JsonValue, maxOperations: number): BulkEnvelope {
  if (!isJsonObject(body)) {
    throw new ScimError("invalidSyntax", "The body must be a JSON object with 'schemas' and 'Operations'.");
  }
  checkSchemas(memberOf(body, "schemas"));
  const operations = memberOf(body, "operations");
  if (!isJsonArray(operations)) {
    throw new ScimError("invalidSyntax", "'Operations' must be a list of operations.");
  }
  const failOnErrors = readFailOnErrors(memberOf(body, "failonerrors"));
  if (operations.length > maxOperations) {
    throw new ScimError(
      "payloadTooLarge",
      `The job has ${String(operations.length)} operations, and maxOperations is ${String(maxOperations)}: send it in parts.`,
    );
  }
  return { failOnErrors, operations };
}

function checkSchemas(schemas: JsonValue | undefined): void {
  const isNamed =
    isJsonArray(schemas) &&
    schemas.some((urn) => typeof urn === "string" && urn.toLowerCase() === BULK_REQUEST_URN.toLowerCase());
  if (!isNamed)
    throw new ScimError("invalidSyntax", `'schemas' must be a list that contains ${BULK_REQUEST_URN}.`);
}

function readFailOnErrors(value: JsonValue | undefined): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1) {
    throw new ScimError(
      "invalidValue",
      "'failOnErrors' must be a whole number of 1 or more; leave it out to try everything.",
    );
  }
  return value;
}
