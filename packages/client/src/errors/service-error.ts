/**
 * Errors that the service answered (RFC 7644 §3.12).
 * @module
 */
import { ERROR_CODES, type ErrorCode, type ErrorCodeRow, type JsonObject } from "@scim/schemas";
import { ClientError, type FailedRequest } from "./client-error.ts";

/**
 * Cause of an error that the service answered: a row of the table of RFC 7644, or `unexpectedStatus` for a status that it does not
 * know, and for a 404 or 410 of something in front of the service, which is no word of the service on what there is: a web page, or
 * what is no Error message while the ServiceProviderConfig that was read before cannot be read.
 */
export type ServiceErrorCode = Exclude<ErrorCode, "versionMismatch"> | "unexpectedStatus";

/** What was answered. */
export interface ServiceErrorOptions {
  readonly request: FailedRequest;
  readonly status: number;
  /** The Error message; null where the body was none. */
  readonly scim: JsonObject | null;
  /** Milliseconds to wait, as the answer's `Retry-After` says; null where it says nothing. */
  readonly retryAfterMs: number | null;
  /** Media type of the answer; null for none. */
  readonly contentType: string | null;
}

/** The service answered an error. */
export class ServiceError extends ClientError {
  override readonly name = "ServiceError";
  readonly code: ServiceErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** Keyword of RFC 7644 Table 9, as it was answered; null for none. */
  readonly scimType: string | null;
  /** What the service says; null where it says nothing. */
  readonly detail: string | null;
  /** The Error message as it came; null where the body was none, such as the page of a proxy. */
  readonly scim: JsonObject | null;
  /** Milliseconds that the service asks to wait; null where it does not. */
  readonly retryAfterMs: number | null;

  constructor(code: ServiceErrorCode, options: ServiceErrorOptions) {
    const { status, scim } = options;
    const detail = textMember(scim, "detail");
    const what = detail ?? (scim === null ? noMessage(options.contentType) : "no detail");
    super(`${options.request.method} ${options.request.path}: ${status}, ${what}`, {
      request: options.request,
      remedy: remedyOf(code, options),
    });
    this.code = code;
    this.status = status;
    this.scimType = textMember(scim, "scimType");
    this.detail = detail;
    this.scim = scim;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What a conflict of versions is made of. */
export interface VersionConflictOptions extends Omit<ServiceErrorOptions, "retryAfterMs" | "contentType"> {
  /** Raw version that the request named. */
  readonly expectedVersion: string | null;
  /** Raw version that the resource has now, where the answer tells it. */
  readonly currentVersion: string | null;
}

/** The resource has changed since the version that the change was made on (412, RFC 7644 §3.14). Nothing was written. */
export class VersionConflictError extends ClientError {
  override readonly name = "VersionConflictError";
  readonly code = "versionMismatch";
  readonly status = 412;
  readonly detail: string | null;
  /** The Error message as it came; null where the body was none. */
  readonly scim: JsonObject | null;
  /** Raw version that the request named; null where it named several or `*`. */
  readonly expectedVersion: string | null;
  /** Raw version that the resource has now; null where the service does not tell. */
  readonly currentVersion: string | null;

  constructor(options: VersionConflictOptions) {
    const { request, scim, expectedVersion, currentVersion } = options;
    super(
      `${request.method} ${request.path}: the resource has changed; expected version ${shown(expectedVersion)}, current ${shown(currentVersion)}`,
      {
        request,
        remedy: `${ERROR_CODES.versionMismatch.remedy} The method 'update' of the client does this.`,
      },
    );
    this.detail = textMember(scim, "detail");
    this.scim = scim;
    this.expectedVersion = expectedVersion;
    this.currentVersion = currentVersion;
  }
}

const UNEXPECTED =
  "Look at the status: it may come from a proxy in front of the service, or from another service at this address.";

/** An endpoint itself, or a search at it; the caller's own resource may be missing where the address is right. */
const ENDPOINT = /^\/(?!Me$)[^/]+(?:\/\.search)?$/;

const NO_ENDPOINT =
  "Look at 'baseUrl': it is the base address of SCIM, such as https://id.example/scim/v2. `/ResourceTypes` below it lists the endpoints.";

function remedyOf(code: ServiceErrorCode, { status, request }: ServiceErrorOptions): string {
  if (BY_STATUS.get(status) === "notFound" && ENDPOINT.test(request.path)) return NO_ENDPOINT;
  return code === "unexpectedStatus" ? UNEXPECTED : ERROR_CODES[code].remedy;
}

const BY_STATUS: ReadonlyMap<number, Exclude<ErrorCode, "versionMismatch">> = new Map([
  [400, "invalidSyntax"],
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "notFound"],
  [405, "methodNotAllowed"],
  [406, "notAcceptable"],
  [409, "conflict"],
  // Of what was deleted; SCIM has 404 for it (RFC 7644 §3.6).
  [410, "notFound"],
  [413, "payloadTooLarge"],
  [415, "unsupportedMediaType"],
  [428, "versionRequired"],
  [429, "tooManyRequests"],
  [431, "headersTooLarge"],
  [500, "internal"],
  [501, "notImplemented"],
  [502, "unavailable"],
  [503, "unavailable"],
  [504, "unavailable"],
  // Of proxies that do not reach the service, or have no answer of it.
  ...[520, 521, 522, 523, 524].map((status) => [status, "unavailable"] as const),
]);

const ROWS: Readonly<Record<string, ErrorCodeRow>> = ERROR_CODES;

/** The codes of keywords, by their text in lower case: services spell it as they like. A row that has a `scimType` is named like it. */
const BY_KEYWORD: ReadonlyMap<string, ServiceErrorCode> = new Map(
  Object.entries(ROWS).flatMap(([name, { scimType }]) =>
    scimType === undefined ? [] : [[name.toLowerCase(), name as ServiceErrorCode] as const],
  ),
);

/** Statuses that no keyword of a wrong request explains: credentials, what is not there, too many requests. */
const BESIDE_KEYWORDS: ReadonlySet<number> = new Set([401, 404, 410, 429]);

/** The code of an answer: by its `scimType` where it fits the status, else by the status. */
export function serviceErrorCode(status: number, scim: JsonObject | null): ServiceErrorCode {
  const scimType = status >= 500 || BESIDE_KEYWORDS.has(status) ? null : textMember(scim, "scimType");
  const byKeyword = BY_KEYWORD.get(scimType?.trim().toLowerCase() ?? "");
  return byKeyword ?? BY_STATUS.get(status) ?? "unexpectedStatus";
}

/** A member of a message that is text. */
export function textMember(message: JsonObject | null, name: string): string | null {
  if (message === null || !Object.hasOwn(message, name)) return null;
  const value = message[name];
  return typeof value === "string" ? value : null;
}

function noMessage(contentType: string | null): string {
  return `without a SCIM error (${contentType ?? "no content type"})`;
}

function shown(version: string | null): string {
  return version === null ? "unknown" : `'${version}'`;
}
