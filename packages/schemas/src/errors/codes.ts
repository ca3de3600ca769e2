/**
 * Every error that the service answers: status, `scimType`, and where the rule stands.
 * @module
 */

/** Keyword of the `scimType` member of an error (RFC 7644 §3.12 Table 9, RFC 9865 §2.1). */
export type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue"
  | "invalidVers"
  | "sensitive"
  | "invalidCursor"
  | "expiredCursor"
  | "invalidCount";

/** What one error code stands for on the wire. */
export interface ErrorCodeRow {
  /** HTTP status. */
  readonly status: number;
  /** Keyword of the body's `scimType`, where the RFC names one. */
  readonly scimType?: ScimType;
  /** Section that defines the case. */
  readonly section: string;
}

/** The table of error codes. A code, once released, keeps its meaning. */
export const ERROR_CODES = {
  invalidFilter: { status: 400, scimType: "invalidFilter", section: "RFC 7644 §3.4.2.2" },
  tooMany: { status: 400, scimType: "tooMany", section: "RFC 7644 §3.4.2" },
  uniqueness: { status: 409, scimType: "uniqueness", section: "RFC 7644 §3.3" },
  mutability: { status: 400, scimType: "mutability", section: "RFC 7644 §3.5.1" },
  invalidSyntax: { status: 400, scimType: "invalidSyntax", section: "RFC 7644 §3.12" },
  invalidPath: { status: 400, scimType: "invalidPath", section: "RFC 7644 §3.5.2" },
  noTarget: { status: 400, scimType: "noTarget", section: "RFC 7644 §3.5.2" },
  invalidValue: { status: 400, scimType: "invalidValue", section: "RFC 7644 §3.12" },
  invalidVers: { status: 400, scimType: "invalidVers", section: "RFC 7644 §3.13" },
  sensitive: { status: 403, scimType: "sensitive", section: "RFC 7644 §7.5.2" },
  invalidCursor: { status: 400, scimType: "invalidCursor", section: "RFC 9865 §2.1" },
  expiredCursor: { status: 400, scimType: "expiredCursor", section: "RFC 9865 §2.1" },
  invalidCount: { status: 400, scimType: "invalidCount", section: "RFC 9865 §2.1" },
  unauthorized: { status: 401, section: "RFC 7644 §2" },
  forbidden: { status: 403, section: "RFC 7644 §3.12 Table 8" },
  notFound: { status: 404, section: "RFC 7644 §3.12 Table 8" },
  methodNotAllowed: { status: 405, section: "RFC 9110 §15.5.6" },
  notAcceptable: { status: 406, section: "RFC 9110 §15.5.7" },
  conflict: { status: 409, section: "RFC 7644 §3.7.1" },
  versionMismatch: { status: 412, section: "RFC 7644 §3.14" },
  payloadTooLarge: { status: 413, section: "RFC 7644 §3.7.4" },
  unsupportedMediaType: { status: 415, section: "RFC 9110 §15.5.16" },
  versionRequired: { status: 428, section: "RFC 6585 §3" },
  headersTooLarge: { status: 431, section: "RFC 6585 §5" },
  internal: { status: 500, section: "RFC 7644 §3.12 Table 8" },
  notImplemented: { status: 501, section: "RFC 7644 §3.12 Table 8" },
  unavailable: { status: 503, section: "RFC 9110 §15.6.4" },
} as const satisfies Readonly<Record<string, ErrorCodeRow>>;

/** A stable name for the cause of an error: match on this, not on the message. */
export type ErrorCode = keyof typeof ERROR_CODES;
