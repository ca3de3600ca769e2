/**
 * A request and its answer as a request log may know them: what was sent, without the credentials.
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import { headerOf, type HttpRequest, type HttpResponse, type RequestRecord } from "./message.ts";

/** The body of a request, as far as it was read and decoded. */
export interface ReadBody {
  readonly value: JsonValue;
  /** Length of the text that it was decoded from, in bytes. */
  readonly bytes: number;
  /** Whether long collections of it were taken to the store while they were read, and are not in `value`. */
  readonly isPart: boolean;
}

/**
 * A request and its answer. It holds personal values: who keeps it has to redact it, and must not change it.
 */
export interface Exchange {
  readonly record: RequestRecord;
  /** Path and query below the mount, percent-encoded. */
  readonly target: string;
  /** Headers that say how the request is meant, by lower-case name: never `Authorization`, nor any that is not listed. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where there is none, or it could not be decoded. */
  readonly body: ReadBody | null;
  /** JSON text of the answer; null where there is none, or it was made while it was sent. */
  readonly answer: string | null;
  /** The `Location` of the answer, or null. */
  readonly location: string | null;
}

const TOLD_HEADERS = [
  "accept",
  "content-type",
  "if-match",
  "if-none-match",
  "prefer",
  "scim-dry-run",
  "user-agent",
] as const;

/** What was exchanged. */
export function exchangeOf(
  request: HttpRequest,
  response: HttpResponse,
  told: { readonly record: RequestRecord; readonly body: ReadBody | null },
): Exchange {
  return new Exchanged(request, response, told);
}

/** Headers are chosen for whoever asks: of many requests that come at once, a log keeps some. */
class Exchanged implements Exchange {
  readonly record: RequestRecord;
  readonly target: string;
  readonly body: ReadBody | null;
  readonly answer: string | null;
  readonly location: string | null;
  readonly #headers: HttpRequest["headers"];

  constructor(
    { target, headers }: HttpRequest,
    response: HttpResponse,
    { record, body }: { readonly record: RequestRecord; readonly body: ReadBody | null },
  ) {
    this.record = record;
    this.target = target;
    this.body = body;
    this.answer = typeof response.body === "string" ? response.body : null;
    this.location = response.headers["location"] ?? null;
    this.#headers = headers;
  }

  get headers(): Readonly<Record<string, string>> {
    const told: Record<string, string> = {};
    for (const name of TOLD_HEADERS) {
      const value = headerOf({ headers: this.#headers }, name);
      if (value !== undefined) told[name] = value;
    }
    return told;
  }
}
