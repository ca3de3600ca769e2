/**
 * What requests are sent with.
 * @module
 */
import type { Credentials } from "../auth/credentials.ts";
import type { Clock } from "../clock.ts";
import type { Transport } from "../transport/port.ts";
import type { ClientEvent } from "./events.ts";
import type { Gate } from "./gate.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import type { ClientTracer } from "./tracing.ts";

/** What an engine is made of. */
export interface EngineParts {
  readonly transport: Transport;
  readonly credentials: Credentials | null;
  readonly origin: string;
  readonly basePath: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly random: () => number;
  readonly retries: RetryPolicy;
  /** Milliseconds for each attempt. */
  readonly timeout: number;
  readonly maxAnswerBytes: number;
  readonly onEvent: ((event: ClientEvent) => void) | undefined;
  readonly tracer: ClientTracer | undefined;
}
