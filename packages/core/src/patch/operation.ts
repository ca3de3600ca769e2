/**
 * The body of a PATCH request (RFC 7644 §3.5.2): its shape is checked as a whole before anything is applied.
 * @module
 */
import {
  isJsonArray,
  isJsonObject,
  PATCH_OP_URN,
  ScimError,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { memberOf } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";

/** One PATCH operation. */
export interface PatchOperation {
  readonly op: "add" | "remove" | "replace";
  /** Null where the operation names no path. */
  readonly path: string | null;
  /** Undefined where the operation has no value. */
  readonly value: JsonValue | undefined;
}

type PatchContext = Pick<RequestContext, "profile" | "onSwitch">;

const OPS: ReadonlyMap<string, PatchOperation["op"]> = new Map([
  ["add", "add"],
  ["remove", "remove"],
  ["replace", "replace"],
]);

/**
 * Reads the operations of a PATCH body.
 * @throws ScimError `invalidSyntax` for a wrong envelope or op, `invalidPath`, `invalidValue`, `noTarget`
 */
export function readOperations(body: JsonValue, context: PatchContext): readonly PatchOperation[] {
  if (!isJsonObject(body)) {
    throw new ScimError(
      "invalidSyntax",
      "The body of a PATCH must be a JSON object with 'schemas' and 'Operations'.",
    );
  }
  checkSchemas(memberOf(body, "schemas"), context);
  const operations = operationsOf(body);
  if (!isJsonArray(operations)) {
    throw new ScimError("invalidSyntax", "'Operations' must be an array of PATCH operations.");
  }
  if (operations.length === 0) {
    if (!context.profile.switches.has("empty-operations")) {
      throw new ScimError("invalidSyntax", "'Operations' is empty: give at least one operation.");
    }
    context.onSwitch("empty-operations", "Operations");
  }
  return operations.map((operation: JsonValue, index) =>
    readOperation(operation, `Operations[${String(index)}]`, context),
  );
}

/** The member `Operations`; an envelope that holds nothing else may leave it out, and counts as one without operations. */
function operationsOf(body: JsonObject): JsonValue | undefined {
  // Beside other members it cannot be left out: those may be the change, in a form that would be ignored here.
  const isBare = Object.keys(body).every((name) => /^(?:schemas|operations)$/iu.test(name));
  const operations = memberOf(body, "operations");
  return isBare && memberOf(body, "schemas") !== undefined ? (operations ?? []) : operations;
}

function checkSchemas(schemas: JsonValue | undefined, context: PatchContext): void {
  if (schemas === undefined && context.profile.switches.has("missing-patch-schemas")) {
    context.onSwitch("missing-patch-schemas", "schemas");
    return;
  }
  const named =
    isJsonArray(schemas) &&
    schemas.some((urn) => typeof urn === "string" && urn.toLowerCase() === PATCH_OP_URN.toLowerCase());
  if (!named) throw new ScimError("invalidSyntax", `'schemas' must be a list that contains ${PATCH_OP_URN}.`);
}

function readOperation(operation: JsonValue, place: string, { profile }: PatchContext): PatchOperation {
  if (!isJsonObject(operation)) throw new ScimError("invalidSyntax", `${place} must be a JSON object.`);
  const word = memberOf(operation, "op", `${place}.`);
  const op = typeof word === "string" ? OPS.get(word.toLowerCase()) : undefined;
  if (op === undefined)
    throw new ScimError("invalidSyntax", `${place}.op must be 'add', 'remove' or 'replace'.`);
  const path = memberOf(operation, "path", `${place}.`) ?? null;
  if (path !== null && (typeof path !== "string" || path === "")) {
    throw new ScimError("invalidPath", `${place}.path must be an attribute path; leave it out to name none.`);
  }
  if (path === null && profile.switches.has("patch-path-required")) {
    throw new ScimError("invalidSyntax", `${place}.path is missing: give the path of what to ${op}.`);
  }
  const value = memberOf(operation, "value", `${place}.`);
  if (op === "remove" && path === null) {
    throw new ScimError("noTarget", `${place} removes nothing: give the path of what to remove.`);
  }
  if (op !== "remove" && value === undefined) {
    throw new ScimError("invalidValue", `${place}.value is missing: give the value to ${op}.`);
  }
  return { op, path, value };
}
