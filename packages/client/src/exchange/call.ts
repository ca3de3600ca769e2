/**
 * Requests as the parts of the client ask for them.
 * @module
 */
import type { Repetition } from "./retry-policy.ts";

/** A request, before it has credentials and an address. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the base address, percent-encoded, without query. */
  readonly path: string;
  /** Query with its `?`; empty for none. Default empty. */
  readonly query?: string;
  /** JSON text; null for none. Default null. */
  readonly body?: string | null;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly repetition: Repetition;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds for each attempt. Default: the client's. */
  readonly timeout?: number | undefined;
  /** Whether an answer may be a bare list, which stands for a ListResponse of all (RFC 7643 §8.6 and §8.7 show such). Default false. */
  readonly takesList?: boolean | undefined;
  /** Told the text of a success before it is read; what it gives is waited for. */
  readonly early?: ((text: string) => Promise<void> | null) | undefined;
}
