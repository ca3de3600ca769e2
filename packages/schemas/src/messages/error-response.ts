/**
 * The Error message (RFC 7644 §3.12).
 * @module
 */
import type { ScimType } from "../errors/codes.ts";

/** The body of every answer that reports an error. */
export interface ErrorResponse {
  readonly schemas: readonly string[];
  /** The HTTP status, as a string. */
  readonly status: string;
  /** What kind of fault it is, where the RFC has a keyword for it. */
  readonly scimType?: ScimType;
  /** What is wrong, for people. */
  readonly detail?: string;
}
