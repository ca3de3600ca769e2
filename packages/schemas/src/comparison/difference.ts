/**
 * What a difference between two definitions is told as.
 * @module
 */

/** What differs: a characteristic, or an attribute as a whole. */
export type SchemaDifferenceKind =
  | "id"
  | "added"
  | "removed"
  | "name"
  | "description"
  | "type"
  | "multiValued"
  | "required"
  | "canonicalValues"
  | "caseExact"
  | "mutability"
  | "returned"
  | "uniqueness"
  | "referenceTypes"
  | "references";

/** A difference between an old and a new schema. */
export interface SchemaDifference {
  /** Attribute path such as `name.givenName`; empty for the schema itself. */
  readonly path: string;
  readonly kind: SchemaDifferenceKind;
  /** Whether requests that were answered as asked would no longer be, or stored values no longer fit. */
  readonly breaking: boolean;
  /** What changed and what follows from it, as the end of a sentence that begins with the path. */
  readonly message: string;
}

/** What differs between two resource types. */
export type ResourceTypeDifferenceKind =
  | "name"
  | "description"
  | "endpoint"
  | "schema"
  | "schemaExtensions"
  | "operations"
  | "rowsOf"
  | "annotations";

/** A difference between an old and a new resource type. */
export interface ResourceTypeDifference {
  /** Where: `endpoint`, `schemaExtensions[urn:…]`, `annotations["serial"].maxLength`. */
  readonly path: string;
  readonly kind: ResourceTypeDifferenceKind;
  /** Whether requests that were answered as asked would no longer be, or stored values no longer fit. */
  readonly breaking: boolean;
  /** What changed and what follows from it, as the end of a sentence that begins with the path. */
  readonly message: string;
}
