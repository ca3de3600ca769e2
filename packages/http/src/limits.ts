/**
 * Limits against oversized input.
 * @module
 */

/** What one request may cost before the service sees it. */
export interface HttpLimits {
  /** Greatest body, in bytes. Default 1048576 (1 MiB). */
  readonly bodyBytes: number;
  /** Greatest body of a resource type that holds reference collections, such as Group. Default 4194304 (4 MiB). */
  readonly collectionBodyBytes: number;
  /** How deep arrays and objects may nest in a body. Default 64. */
  readonly jsonDepth: number;
}

/** The limits that hold where none are given. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  bodyBytes: 1_048_576,
  collectionBodyBytes: 4_194_304,
  jsonDepth: 64,
};
