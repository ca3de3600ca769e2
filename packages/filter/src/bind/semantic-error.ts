/**
 * What is wrong with a filter that is well-formed.
 * @module
 */

/**
 * Why a filter was refused.
 * - `unknownAttribute`: the resource type has no attribute of that name.
 * - `hiddenAttribute`: the attribute is never returned and so cannot be compared.
 * - `operatorNotAllowed`: the operator does not go with the attribute's type, or with null.
 * - `valueType`: the value is not of the attribute's type.
 * - `subAttributeRequired`: a complex attribute was compared; name one of its sub-attributes.
 * - `valueFilterNotAllowed`: brackets behind an attribute that has no values to filter, or within brackets.
 */
export type FilterSemanticErrorCode =
  | "unknownAttribute"
  | "hiddenAttribute"
  | "operatorNotAllowed"
  | "valueType"
  | "subAttributeRequired"
  | "valueFilterNotAllowed";

/**
 * A filter that is well-formed but cannot be evaluated for the resource type. To a client it is
 * `400 invalidFilter` (RFC 7644 §3.12). The message names the attribute and the remedy, never the value.
 */
export class FilterSemanticError extends Error {
  override readonly name = "FilterSemanticError";
  readonly code: FilterSemanticErrorCode;
  /** The attribute path as the client wrote it; within brackets, with the attribute before them. */
  readonly path: string;

  constructor(code: FilterSemanticErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
