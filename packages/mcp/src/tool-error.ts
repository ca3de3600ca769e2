/**
 * Why a call came to nothing: the codes of JSON-RPC outside, the SCIM error inside.
 * @module
 */
import { isScimClientError, type ScimClientError } from "@scim/client/fetch";
import { ERROR_CODES, type ErrorCode, type JsonObject } from "@scim/schemas";

/** The codes of JSON-RPC 2.0 §5.1, and one for what the service refused. */
export const RPC_CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** The service refused: `data` tells why. */
  refused: -32_000,
} as const;

/** A name of a code. */
export type RpcCode = keyof typeof RPC_CODES;

/** What is known of an error; the SCIM Error message (RFC 7644 §3.12), with what a tool adds. */
export interface ToolErrorData {
  /** HTTP status, as the service answers it, or would. */
  readonly status: number;
  /** Keyword of RFC 7644 Table 9; null where there is none. */
  readonly scimType: string | null;
  /** What went wrong, and what to do. */
  readonly detail: string;
  /** A stable name for the cause: those of `docs/errors.md`, or of the client. */
  readonly code: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Raw version that the call named; where versions differ. */
  readonly expectedVersion?: string | null;
  /** Raw version that the resource has now; where versions differ. */
  readonly currentVersion?: string | null;
  /** Seconds to wait. */
  readonly retryAfter?: number;
  /** Id by which the logs of the service know the request. */
  readonly requestId?: string;
}

/** A call that came to nothing. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: RpcCode;
  readonly data: ToolErrorData;

  constructor(code: RpcCode, data: ToolErrorData, cause?: unknown) {
    super(data.detail, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
  }

  /** The number of JSON-RPC. */
  get number(): number {
    return RPC_CODES[this.code];
  }

  /** The error object of JSON-RPC 2.0 §5.1. */
  toJSON(): JsonObject {
    return { code: this.number, message: this.message, data: { ...this.data } };
  }
}

/** An error of one of the codes that SCIM knows. What is to be done is what SCIM says of the code, unless it is told. */
export function scimToolError(
  rpc: RpcCode,
  code: ErrorCode,
  told: string | Pick<ToolErrorData, "detail" | "remedy">,
): ToolError {
  const row: { readonly status: number; readonly scimType?: string; readonly remedy: string } =
    ERROR_CODES[code];
  const { detail, remedy } = typeof told === "string" ? { detail: told, remedy: row.remedy } : told;
  return new ToolError(rpc, { status: row.status, scimType: row.scimType ?? null, detail, code, remedy });
}

/** The parameters are not those of the tool. */
export function invalidParams(detail: string): ToolError {
  return scimToolError("invalidParams", "invalidValue", detail);
}

/** Whatever a tool threw, as the error that its caller is told. */
export function toolErrorOf(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  if (isScimClientError(thrown)) return new ToolError("refused", dataOf(thrown), thrown);
  return new ToolError(
    "internalError",
    {
      status: 500,
      scimType: null,
      detail: "The tool failed.",
      code: "internal",
      remedy: ERROR_CODES.internal.remedy,
    },
    thrown,
  );
}

const LESS =
  "Ask for less by scim_query: the attributes that are needed, or all but the long ones such as 'members', or a smaller 'count'.";

function dataOf(error: ScimClientError): ToolErrorData {
  const { code, remedy, requestId } = error;
  const known = { code, remedy, ...(requestId === null ? {} : { requestId }) };
  switch (error.name) {
    case "ServiceError":
      return {
        ...known,
        status: error.status,
        scimType: error.scimType,
        detail: error.detail ?? error.message,
        ...(error.retryAfterMs === null ? {} : { retryAfter: Math.ceil(error.retryAfterMs / 1000) }),
      };
    case "VersionConflictError":
      return {
        ...known,
        remedy:
          "Read the resource again, and repeat the change on its current version if it still makes sense.",
        status: 412,
        scimType: null,
        detail: error.detail ?? error.message,
        expectedVersion: error.expectedVersion,
        currentVersion: error.currentVersion,
      };
    case "InvalidAnswerError":
      return {
        ...known,
        remedy: code === "tooLarge" ? LESS : remedy,
        status: 502,
        scimType: null,
        detail: error.message,
      };
    case "UsageError":
      return { ...known, status: code === "notOffered" ? 501 : 400, scimType: null, detail: error.message };
    default:
      // No answer, or one that is none: as a gateway tells it (RFC 9110 §15.6.3, §15.6.5).
      return { ...known, status: code === "timeout" ? 504 : 502, scimType: null, detail: error.message };
  }
}
