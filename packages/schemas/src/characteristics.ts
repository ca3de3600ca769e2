/**
 * The characteristics of an attribute: RFC 7643 §2.2 and §7.
 * @module
 */

/** Data type of an attribute (RFC 7643 §2.3). */
export type AttributeType =
  | "string"
  | "boolean"
  | "decimal"
  | "integer"
  | "dateTime"
  | "binary"
  | "reference"
  | "complex";

/** Who may write a value, and when (RFC 7643 §7). */
export type Mutability = "readOnly" | "readWrite" | "immutable" | "writeOnly";

/** When a value is part of an answer (RFC 7643 §7). */
export type Returned = "always" | "never" | "default" | "request";

/**
 * Over which resources a value is unique: `server`, over those of one resource type of a tenant;
 * `global`, over all resource types of a tenant (RFC 7643 §7).
 */
export type Uniqueness = "none" | "server" | "global";

/** All data types of attributes (RFC 7643 §2.3). */
export const ATTRIBUTE_TYPES: readonly AttributeType[] = [
  "string",
  "boolean",
  "decimal",
  "integer",
  "dateTime",
  "binary",
  "reference",
  "complex",
];
/** All values of the characteristic `mutability`. */
export const MUTABILITIES: readonly Mutability[] = ["readOnly", "readWrite", "immutable", "writeOnly"];
/** All values of the characteristic `returned`. */
export const RETURNED: readonly Returned[] = ["always", "never", "default", "request"];
/** All values of the characteristic `uniqueness`. */
export const UNIQUENESSES: readonly Uniqueness[] = ["none", "server", "global"];
