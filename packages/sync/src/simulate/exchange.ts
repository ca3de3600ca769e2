/**
 * Sends the requests of an identity provider as it does, and waits where the service asks to.
 * @module
 */
import { TransportFailure, type Clock, type Transport, type TransportAnswer } from "@scim/client";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** A request, filled. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject | null;
}

/** What came of it. */
export interface Exchanged {
  /** Null where nothing was answered. */
  readonly answer: TransportAnswer | null;
  /** The body as JSON; null where it is none. */
  readonly json: JsonValue;
  readonly attempts: number;
  readonly durationMs: number;
  /** Whether the service asked to wait without saying how long. */
  readonly throttledBlindly: boolean;
  /** Why there is no answer; empty where there is one. */
  readonly failure: string;
  /** Whether no connection came about, so that nothing was sent. */
  readonly isUnsent: boolean;
}

/** Where requests go. */
export interface Line {
  readonly transport: Transport;
  readonly origin: string;
  readonly basePath: string;
  /** The value of `Authorization`; null for none. */
  readonly authorization: string | null;
  readonly clock: Clock;
  /** Milliseconds for each attempt. */
  readonly timeout: number;
}

const MOST_ATTEMPTS = 5;
const LONGEST_WAIT_MS = 60_000;
const BLIND_WAIT_MS = 1000;
const MAX_ANSWER_BYTES = 67_108_864;

/** Sends a request, again after 429 and 503, as all of these identity providers do. */
export async function exchange(line: Line, sent: Sent, signal: AbortSignal): Promise<Exchanged> {
  let throttledBlindly = false;
  const begun = line.clock.now();
  for (let attempts = 1; ; attempts += 1) {
    const { answer, failure, isUnsent = false } = await attempt(line, sent, signal);
    const isThrottled = answer !== null && (answer.status === 429 || answer.status === 503);
    const wait = isThrottled ? retryAfter(answer) : null;
    if (isThrottled && wait === null) throttledBlindly = true;
    const waitMs = wait ?? BLIND_WAIT_MS;
    if (!isThrottled || attempts === MOST_ATTEMPTS || waitMs > LONGEST_WAIT_MS || signal.aborted) {
      const durationMs = line.clock.now() - begun;
      return { answer, json: jsonOf(answer), attempts, durationMs, throttledBlindly, failure, isUnsent };
    }
    await pause(line.clock, waitMs, signal);
  }
}

async function attempt(
  { transport, origin, basePath, authorization, clock, timeout }: Line,
  { method, path, headers, body }: Sent,
  stopped: AbortSignal,
): Promise<Pick<Exchanged, "answer" | "failure"> & Partial<Pick<Exchanged, "isUnsent">>> {
  const deadline = new AbortController();
  const cancel = clock.after(timeout, () => deadline.abort());
  try {
    const answer = await transport.send({
      method,
      origin,
      basePath,
      path: basePath + path,
      headers: authorization === null ? headers : { ...headers, authorization },
      body: body === null ? null : JSON.stringify(body),
      signal: AbortSignal.any([stopped, deadline.signal]),
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
    return { answer, failure: "" };
  } catch (error) {
    if (stopped.aborted) return { answer: null, failure: "the run was stopped" };
    if (deadline.signal.aborted) return { answer: null, failure: `no answer within ${timeout} ms` };
    const isUnsent = error instanceof TransportFailure && error.kind === "unsent";
    return { answer: null, failure: error instanceof Error ? error.message : String(error), isUnsent };
  } finally {
    cancel();
  }
}

/** Milliseconds that `Retry-After` asks for in seconds, which is the form that identity providers read. */
function retryAfter({ headers }: TransportAnswer): number | null {
  const { "retry-after": given = "" } = headers;
  return /^\d+$/.test(given.trim()) ? Number(given) * 1000 : null;
}

function jsonOf(answer: TransportAnswer | null): JsonValue {
  if (answer === null || answer.body === "") return null;
  try {
    // JSON text is a JSON value.
    return JSON.parse(answer.body) as JsonValue;
  } catch {
    return null;
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener("abort", end);
  });
}

/** What an Error message says, fit to be shown; empty where the answer holds none. */
export function detailOf(json: JsonValue, secret: string | null): string {
  const detail = isJsonObject(json) ? json["detail"] : undefined;
  if (typeof detail !== "string") return "";
  const safe = secret === null ? detail : detail.replaceAll(secret, "[credentials]");
  return safe
    .replaceAll(/\p{C}+/gu, " ")
    .trim()
    .slice(0, 200);
}
