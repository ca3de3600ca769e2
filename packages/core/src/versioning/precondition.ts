/**
 * Versions that a request is conditional on (RFC 9110 §13, RFC 7644 §3.14).
 * @module
 */

/** Raw versions of a conditional header: a list, or `*` for any. */
export type VersionCondition = "*" | readonly string[];

/** The conditions of a request; null where the header is missing. */
export interface Precondition {
  readonly ifMatch: VersionCondition | null;
  readonly ifNoneMatch: VersionCondition | null;
}
