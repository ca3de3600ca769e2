/**
 * The one error class of the service, and its form on the wire (RFC 7644 §3.12).
 * @module
 */
import type { JsonObject } from "../json.ts";
import { ERROR_URN } from "../urns.ts";
import { ERROR_CODES, type ErrorCode, type ErrorCodeRow, type ScimType } from "./codes.ts";

/** What an error may carry beside its code and detail. */
export interface ScimErrorOptions {
  /** What led to the error; never sent to a client. */
  readonly cause?: unknown;
  /** Further members of the error body, such as `expectedVersion`. */
  readonly members?: JsonObject;
  /** HTTP headers that belong to the error, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An error with a status, a `scimType` where the RFC names one, and a detail that says what to do.
 * Match on `code`.
 *
 * @example
 * throw new ScimError("invalidValue", "Attribute 'active' must be true or false.");
 */
export class ScimError extends Error {
  override readonly name = "ScimError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly scimType: ScimType | undefined;
  readonly members: JsonObject;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail: string, options: ScimErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    const row: ErrorCodeRow = ERROR_CODES[code];
    this.code = code;
    this.status = row.status;
    this.scimType = row.scimType;
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
  }

  /** The detail: what is wrong, where, and what to do. */
  get detail(): string {
    return this.message;
  }

  /** The error body of RFC 7644 §3.12; `status` is a string. */
  toJSON(): JsonObject {
    return {
      schemas: [ERROR_URN],
      status: String(this.status),
      ...(this.scimType === undefined ? {} : { scimType: this.scimType }),
      detail: this.detail,
      ...this.members,
    };
  }
}
