/**
 * What happened to one request: collected on the way, told to the log at the end.
 * @module
 */
import type { SwitchName } from "@scim/core";
import type { ScimError } from "@scim/schemas";
import type { ReadBody } from "./exchange.ts";
import type { FailedOperation, FiredSwitch, HttpRequest, HttpResponse, RequestRecord } from "./message.ts";

/** Most failed operations that a record lists, and most uses of switches; of those behind them the first of each switch. */
const MOST_LISTED = 100;

/** Collects what a {@link RequestRecord} tells. */
export class RequestTrace {
  route = "unknown";
  tenant: string | null = null;
  connection: string | null = null;
  credential: string | null = null;
  filterPlan: string | null = null;
  /** The permanent address that every answer tells from now on (`/Me`); null for none. */
  location: string | null = null;
  /** Whether the client takes answers with the members of RFC 7644 alone. */
  plainAnswers = false;
  /** The body as it was decoded; null before that. */
  body: ReadBody | null = null;
  /** Whether the client has no whole answer. */
  isCut = false;
  /** Whether it took too long to read it. */
  isLate = false;
  readonly #failedOperations: FailedOperation[] = [];
  readonly #switches: FiredSwitch[] = [];
  readonly #started = performance.now();
  #error: ScimError | null = null;

  /** Notes a tolerance. Bound, so that it can be passed on. */
  readonly onSwitch = (name: SwitchName, path: string): void => {
    if (this.#switches.length >= MOST_LISTED && this.#switches.some((fired) => fired.name === name)) return;
    this.#switches.push({ name, path });
  };

  /** Notes the error that the request is answered with. */
  fail(error: ScimError): void {
    this.#error = error;
  }

  /** Notes an operation of a bulk job that failed. Faults of the service are listed whatever their number. */
  failOperation(index: number, method: string, error: ScimError): void {
    const failed = error.status >= 500;
    if (!failed && this.#failedOperations.length >= MOST_LISTED) return;
    const failure = failed ? (error.cause ?? error) : undefined;
    this.#failedOperations.push({ index, method, errorCode: error.code, failure });
  }

  /** The names of the tolerances used, each once, for a header; null where there are none. */
  switchNames(): string | null {
    if (this.#switches.length === 0) return null;
    return [...new Set(this.#switches.map((fired) => fired.name))].join(", ");
  }

  /** The record of the request, once it is answered. */
  finish(request: HttpRequest, response: HttpResponse): RequestRecord {
    const error = this.#error;
    const failed = error !== null && error.status >= 500;
    return {
      requestId: request.id,
      method: request.method,
      route: this.route,
      status: response.status,
      durationMs: performance.now() - this.#started,
      tenant: this.tenant,
      connection: this.connection,
      credential: this.credential,
      switches: this.#switches,
      failedOperations: this.#failedOperations,
      filterPlan: this.filterPlan,
      errorCode: error?.code ?? null,
      failure: failed ? (error.cause ?? error) : undefined,
      aborted: (failed || this.isCut) && request.signal?.aborted === true,
      late: this.isLate,
    };
  }
}
