/**
 * Profiles: sets of named switches, one for each deviation of a client from the RFC.
 * @module
 */

/** Names of the switches. Each stands in a file of its own in this folder. */
export type SwitchName =
  /** rewrite: `"True"`, `"false"` read as booleans. */
  | "string-booleans"
  /** rewrite: a one-element array where one value is due. */
  | "single-element-array"
  /** option: `replace` by a value path that matches nothing creates the value. */
  | "replace-creates-on-no-match"
  /** rewrite: a reference as a plain string, `""` or a list of one. */
  | "scalar-for-complex"
  /** rewrite: `{members:[…]}` as the value of a remove of members. */
  | "nested-remove-value"
  /** option: attributes and schema URNs that no schema names are dropped. */
  | "unknown-attributes"
  /** option: attributes of an extension named without its URN. */
  | "unqualified-extension-names"
  /** option: `emails[type eq "work"].value eq "x"`. */
  | "value-path-comparison"
  /** option: single-quoted or unquoted values in filters. */
  | "lenient-literals"
  /** option: PATCH without the PatchOp URN. */
  | "missing-patch-schemas"
  /** option: PATCH with an empty list of operations. */
  | "empty-operations"
  /** option: readOnly values in PUT are ignored also where they differ; `id` and `meta` in POST. */
  | "ignore-read-only"
  /** option: token in Authorization without a scheme. */
  | "bare-token"
  /** option: values outside of canonicalValues. */
  | "non-canonical-values"
  /** rewrite: a second primary whose value is empty is dropped. */
  | "empty-second-primary"
  /** option: unknown names in `attributes` and `excludedAttributes` are dropped. */
  | "unknown-projection-names"
  /** constraint: Group displayName unique among the groups of a connection. */
  | "group-name-unique";

/** A named set of switches that are on. */
export interface Profile {
  readonly name: string;
  readonly switches: ReadonlySet<SwitchName>;
}
