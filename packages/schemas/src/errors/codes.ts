/**
 * Every error that the service answers: status, `scimType`, where the rule stands, cause and remedy. `docs/errors.md`
 * is made of it.
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
  /** What leads to the error, for people. */
  readonly cause: string;
  /** What a client can do about it, for people. */
  readonly remedy: string;
}

/** The table of error codes. A code, once released, keeps its meaning. */
export const ERROR_CODES = {
  invalidFilter: {
    status: 400,
    scimType: "invalidFilter",
    section: "RFC 7644 §3.4.2.2",
    cause:
      "The filter cannot be read, names an attribute that the resource type does not have, compares a value of another type, or is longer or deeper than allowed.",
    remedy:
      "Correct the filter at the place that the detail names; `/Schemas` lists the attributes and their types.",
  },
  tooMany: {
    status: 400,
    scimType: "tooMany",
    section: "RFC 7644 §3.4.2",
    cause: "The query has more results than the service is willing to work through.",
    remedy: "Narrow the filter, or page through the results with `count` and a cursor.",
  },
  uniqueness: {
    status: 409,
    scimType: "uniqueness",
    section: "RFC 7644 §3.3",
    cause: "Another resource has the value of an attribute that must be unique.",
    remedy: "Send another value, or look the other resource up by a filter and change that one.",
  },
  mutability: {
    status: 400,
    scimType: "mutability",
    section: "RFC 7644 §3.5.1",
    cause:
      "The request would change a readOnly attribute, change an immutable one that has a value, or take a required one away.",
    remedy: "Leave the attribute out, or send its present value.",
  },
  invalidSyntax: {
    status: 400,
    scimType: "invalidSyntax",
    section: "RFC 7644 §3.12",
    cause:
      "The body is not JSON, has the wrong structure, names an attribute twice, or lacks `schemas`; or a header cannot be read.",
    remedy: "Correct what the detail names; the shape of each message is in RFC 7644 §8.",
  },
  invalidPath: {
    status: 400,
    scimType: "invalidPath",
    section: "RFC 7644 §3.5.2",
    cause: "The `path` of a PATCH operation cannot be read, or names no attribute of the resource type.",
    remedy: "Correct the path; an attribute of an extension is named with the extension's URN before it.",
  },
  noTarget: {
    status: 400,
    scimType: "noTarget",
    section: "RFC 7644 §3.5.2",
    cause: "The value path of a PATCH operation selects no value.",
    remedy: "Add the value first, or change the filter in the path.",
  },
  invalidValue: {
    status: 400,
    scimType: "invalidValue",
    section: "RFC 7644 §3.12",
    cause:
      "A required value is missing, or a value does not fit the type, the bounds or the rules of its attribute or parameter.",
    remedy: "Send a value as the detail describes it; `/Schemas` tells the type of each attribute.",
  },
  invalidVers: {
    status: 400,
    scimType: "invalidVers",
    section: "RFC 7644 §3.13",
    cause: "The address names a version of the protocol that is not served.",
    remedy: "Use the base address with `/v2`.",
  },
  sensitive: {
    status: 403,
    scimType: "sensitive",
    section: "RFC 7644 §7.5.2",
    cause:
      "The address would carry a value that must not stand in addresses, since they are logged on the way.",
    remedy: "Send the same query as POST to `/.search`.",
  },
  invalidCursor: {
    status: 400,
    scimType: "invalidCursor",
    section: "RFC 9865 §2.1",
    cause: "The cursor is not one that this service gave for this query to this caller.",
    remedy: "Send the cursor of the last answer unchanged, with the same query; or start again without one.",
  },
  expiredCursor: {
    status: 400,
    scimType: "expiredCursor",
    section: "RFC 9865 §2.1",
    cause: "The cursor is older than `pagination.cursorTimeout` of ServiceProviderConfig.",
    remedy: "Start the query again without a cursor, and ask for the next page in time.",
  },
  invalidCount: {
    status: 400,
    scimType: "invalidCount",
    section: "RFC 9865 §2.1",
    cause: "The `count` of a query with a cursor is no whole number, or is out of bounds.",
    remedy: "Send a count from 0 to `pagination.maxPageSize`, or none.",
  },
  unauthorized: {
    status: 401,
    section: "RFC 7644 §2",
    cause: "The request has no credentials, or they are unknown, expired or revoked.",
    remedy: "Send `Authorization: Bearer` with a valid token; ask the operator for a new one.",
  },
  forbidden: {
    status: 403,
    section: "RFC 7644 §3.12 Table 8",
    cause: "The credentials are valid and do not allow the request.",
    remedy: "Use a token with the scope that the detail names; send no filter to discovery endpoints.",
  },
  notFound: {
    status: 404,
    section: "RFC 7644 §3.12 Table 8",
    cause: "There is no resource of this id, or nothing at this address.",
    remedy: "Look the resource up by a filter; `/ResourceTypes` lists the endpoints.",
  },
  methodNotAllowed: {
    status: 405,
    section: "RFC 9110 §15.5.6",
    cause: "The address exists, and does not take this method.",
    remedy: "Use a method that the header `Allow` lists.",
  },
  notAcceptable: {
    status: 406,
    section: "RFC 9110 §15.5.7",
    cause: "The header `Accept` allows no form in which the service answers.",
    remedy: "Accept `application/scim+json`, `application/json` or `*/*`.",
  },
  conflict: {
    status: 409,
    section: "RFC 7644 §3.7.1",
    cause:
      "An operation of a bulk job refers to a resource that the job did not create; or what is to be administered is in a state that does not allow it.",
    remedy:
      "Correct the operation that failed first, or break the circle of references; do first what the detail names.",
  },
  versionMismatch: {
    status: 412,
    section: "RFC 7644 §3.14",
    cause: "The resource has changed since the version that the request names.",
    remedy: "Read the resource, apply the change to what it is now, and send its current version.",
  },
  payloadTooLarge: {
    status: 413,
    section: "RFC 7644 §3.7.4",
    cause:
      "The body, the number of operations in it, or the number of values that a PATCH compares, is past a limit.",
    remedy: "Send less at once; the detail and ServiceProviderConfig tell the limit.",
  },
  unsupportedMediaType: {
    status: 415,
    section: "RFC 9110 §15.5.16",
    cause: "The `Content-Type` of the body is none that the service reads.",
    remedy: "Send `application/scim+json` or `application/json`, without a content coding.",
  },
  versionRequired: {
    status: 428,
    section: "RFC 6585 §3",
    cause: "Changes must name the version that they are meant for.",
    remedy: "Send `If-Match` with the version of the resource, as the header `ETag` of the answer gives it.",
  },
  tooManyRequests: {
    status: 429,
    section: "RFC 6585 §4",
    cause:
      "The connection sends requests faster than its rate allows, its guard holds a change because there are too many of the kind, or an address has sent many credentials that are not valid.",
    remedy:
      "Wait for the seconds that `Retry-After` tells, then send the request again; an operator can raise the rate of a connection, or release what its guard holds.",
  },
  headersTooLarge: {
    status: 431,
    section: "RFC 6585 §5",
    cause: "The address and the headers of the request are larger than the server reads.",
    remedy: "Send long queries as POST to `/.search`.",
  },
  internal: {
    status: 500,
    section: "RFC 7644 §3.12 Table 8",
    cause: "The service failed; the request is not at fault.",
    remedy: "Try again later; give the operator the request id of the answer.",
  },
  notImplemented: {
    status: 501,
    section: "RFC 7644 §3.12 Table 8",
    cause: "The service does not offer the operation, or it is switched off.",
    remedy: "Do without; ServiceProviderConfig tells what is supported.",
  },
  unavailable: {
    status: 503,
    section: "RFC 9110 §15.6.4",
    cause: "The store does not answer, or others changed the same resource each time.",
    remedy: "Try again after the seconds that the header `Retry-After` names.",
  },
} as const satisfies Readonly<Record<string, ErrorCodeRow>>;

/** A stable name for the cause of an error: match on this, not on the message. */
export type ErrorCode = keyof typeof ERROR_CODES;
