/**
 * Requests and answers as plain objects: what an adapter for a framework reads and writes.
 * @module
 */
import type { SwitchName } from "@scim/core";
import type { BodyStream } from "./body-stream.ts";

/** A request, below the address where SCIM is mounted. Adapters may make its members on demand. */
export interface HttpRequest {
  /** Upper-case method. */
  readonly method: string;
  /** Raw path and query below the mount, still percent-encoded: `/Users/2819c223?attributes=userName`. */
  readonly target: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body; read at most once. */
  readonly body: AsyncIterable<Uint8Array> | Uint8Array | null;
  /** Absolute address of the mount, without a trailing slash: `https://id.example/scim/v2`. */
  readonly baseUrl: string;
  /** The tenant that the address names (`/scim/{tenant}/v2`), or null. */
  readonly tenant: string | null;
  /** The one connection of that tenant whose tokens the address takes. Default: any. */
  readonly connection?: string | null | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal | undefined;
  /** Names the request in logs and in the detail of a 500. */
  readonly id: string;
  /** Network address of the client, as far as proxies are trusted: changes are told with it. Default: unknown. */
  readonly address?: string | undefined;
}

/** An answer. */
export interface HttpResponse {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, as a whole or made while it is sent; null for none. */
  readonly body: string | BodyStream | null;
}

/** An answer that is not made while it is sent. */
export interface TextResponse extends HttpResponse {
  readonly body: string | null;
}

/** A tolerance that a request made use of. */
export interface FiredSwitch {
  readonly name: SwitchName;
  /** Path of the attribute; never a value. */
  readonly path: string;
}

/** An operation of a bulk job that failed. */
export interface FailedOperation {
  /** Its place among the results of the job, from 0. */
  readonly index: number;
  readonly method: string;
  readonly errorCode: string;
  /** What was thrown where the service itself failed (5xx), else undefined. */
  readonly failure: unknown;
}

/** What a log may know of a request: no address, no query, no token, no body. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  /** The form of the address: `/Users/{id}`. */
  readonly route: string;
  readonly status: number;
  /** From the first look at the request to its answer, in milliseconds. */
  readonly durationMs: number;
  /** Null where no valid token came. */
  readonly tenant: string | null;
  readonly connection: string | null;
  /** Id of the credential; null where none was valid, or its id is not known. */
  readonly credential: string | null;
  /** The tolerances used: the first 100, and of those behind them the first use of each switch. */
  readonly switches: readonly FiredSwitch[];
  /** The operations of a bulk job that failed, at most 100 beside those in which the service itself did. */
  readonly failedOperations: readonly FailedOperation[];
  /** How a filter was served that did not go to the store as a whole, or null. */
  readonly filterPlan: string | null;
  /** Code of the error answered, or null. */
  readonly errorCode: string | null;
  /** What was thrown where the service itself failed (5xx), else undefined. */
  readonly failure: unknown;
  /** Whether the client went away before the answer. */
  readonly aborted: boolean;
  /** Whether the answer was cut because the client took too long to read it. */
  readonly late: boolean;
}

/** One header of a request; several lines of it are one list (RFC 9110 §5.2). */
export function headerOf(request: Pick<HttpRequest, "headers">, name: string): string | undefined {
  const value = request.headers[name];
  return value === undefined || typeof value === "string" ? value : value.join(", ");
}
