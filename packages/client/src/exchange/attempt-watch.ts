/**
 * Tells of an attempt while it runs: to whoever listens, and to a tracer.
 * @module
 */
import type { Clock } from "../clock.ts";
import type { TransportAnswer } from "../transport/port.ts";
import { requestIdOf } from "./answer.ts";
import type { ClientEvent } from "./events.ts";
import { startSpan, type ClientTracer } from "./tracing.ts";

/** Who is told. */
export interface Watchers {
  readonly onEvent: ((event: ClientEvent) => void) | undefined;
  readonly tracer: ClientTracer | undefined;
  readonly clock: Clock;
  readonly origin: string;
}

/** An attempt that is watched. */
export interface AttemptWatch {
  /** Headers that go with the request. */
  readonly headers: Readonly<Record<string, string>>;
  answered(answer: TransportAnswer): void;
  failed(reason: string): void;
}

/** Begins to watch an attempt; null where nobody wants to know. */
export function watchAttempt(
  { onEvent, tracer, clock, origin }: Watchers,
  about: { readonly method: string; readonly path: string; readonly attempt: number },
): AttemptWatch | null {
  if (onEvent === undefined && tracer === undefined) return null;
  const { method, path, attempt } = about;
  const span = startSpan(tracer, { method, path, attempt, origin });
  const begun = clock.now();
  onEvent?.({ kind: "request", method, path, attempt });
  return {
    headers: span?.headers ?? {},
    answered: ({ status, headers }) => {
      span?.answered(status);
      const durationMs = clock.now() - begun;
      onEvent?.({
        kind: "answer",
        method,
        path,
        attempt,
        status,
        durationMs,
        requestId: requestIdOf(headers),
      });
    },
    failed: (reason) => {
      span?.failed(reason);
      onEvent?.({ kind: "failure", method, path, attempt, reason, durationMs: clock.now() - begun });
    },
  };
}
