/**
 * The PatchOp message (RFC 7644 §3.5.2).
 * @module
 */
import type { JsonValue } from "../json.ts";
import { PATCH_OP_URN } from "../urns.ts";

/** Adds a value, or values to a list (RFC 7644 §3.5.2.1). Without path, `value` is an object of attributes. */
export interface AddOperation {
  readonly op: "add";
  readonly path?: string;
  readonly value: JsonValue;
}

/** Puts a value in the place of what is there (RFC 7644 §3.5.2.3). Without path, `value` is an object of attributes. */
export interface ReplaceOperation {
  readonly op: "replace";
  readonly path?: string;
  readonly value: JsonValue;
}

/** Removes what the path names (RFC 7644 §3.5.2.2). */
export interface RemoveOperation {
  readonly op: "remove";
  readonly path: string;
  /** Some clients name the values of a list to remove, beyond the RFC. */
  readonly value?: JsonValue;
}

/** One change, as RFC 7644 §3.5.2 states it. */
export type PatchOperation = AddOperation | ReplaceOperation | RemoveOperation;

/** The body of a PATCH request. */
export interface PatchOp {
  readonly schemas: readonly string[];
  /** At least one; done in order, all or none. */
  readonly Operations: readonly PatchOperation[];
}

/**
 * Makes the body of a PATCH request.
 *
 * @example
 * patchOp([{ op: "replace", path: "active", value: false }]);
 */
export function patchOp(operations: readonly PatchOperation[]): PatchOp {
  return { schemas: [PATCH_OP_URN], Operations: operations };
}
