/**
 * The SearchRequest message (RFC 7644 §3.4.3).
 * @module
 */

/** The body of a POST to `/.search`: the parameters of a query, kept out of the address. */
export interface SearchRequest {
  readonly schemas: readonly string[];
  readonly attributes?: readonly string[];
  readonly excludedAttributes?: readonly string[];
  readonly filter?: string;
  readonly sortBy?: string;
  /** Default `ascending`. */
  readonly sortOrder?: "ascending" | "descending";
  /** 1-based. Default 1. */
  readonly startIndex?: number;
  /** Greatest number of resources to answer with: 0 or more. */
  readonly count?: number;
  /** Where to go on (RFC 9865 §3); empty for the first page. */
  readonly cursor?: string;
}
