/**
 * Puts a server under load and counts its answers.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import autocannon from "autocannon";
import type { Target } from "./start.ts";

/** Requests of one kind. */
export interface Load {
  readonly method: "GET" | "POST" | "PATCH";
  /** Paths below the base address, sent in turn by each connection. */
  readonly paths: readonly string[];
  /**
   * Whether the connections share the turns, so that each path is asked for once before any is again. It costs the client
   * time for each request: then the processor time of the server tells, and the rate does not. Default false.
   */
  readonly sharesTurns?: boolean;
  /** Makes the body of each request; absent for none. */
  readonly body?: () => string;
  readonly connections: number;
  readonly seconds: number;
}

/** How many answers came. */
export interface Answers {
  readonly count: number;
  readonly perSecond: number;
}

/**
 * Counts the answers to a load. On a machine that others use it may last longer than was asked for.
 * @throws Error where an answer is not 2xx: a fast refusal must not look like speed
 */
export async function answersTo(target: Target, load: Load): Promise<Answers> {
  const { body } = load;
  const base = new URL(target.base).pathname.replace(/\/$/, "");
  const paths = load.paths.map((path) => base + path);
  const result = await autocannon({
    url: target.base,
    connections: load.connections,
    duration: load.seconds,
    method: load.method,
    headers: { ...target.headers },
    requests:
      load.sharesTurns === true
        ? [inSharedTurns(paths)]
        : paths.map((path) => ({
            path,
            ...(body === undefined ? {} : { setupRequest: (request) => ({ ...request, body: body() }) }),
          })),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${target.name} refused ${load.method} ${load.paths[0]}: ${JSON.stringify(result.statusCodeStats)}`,
    );
  }
  return { count: result["2xx"], perSecond: result["2xx"] / result.duration };
}

function inSharedTurns(paths: readonly string[]): autocannon.Request {
  let turn = 0;
  return {
    setupRequest: (request) => {
      const path = paths[turn % paths.length] ?? "/";
      turn += 1;
      return { ...request, path };
    },
  };
}

/** Longest wait for one answer, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * Answers per second where each request waits for the answer to the one before. Null where not even the first
 * came in time.
 */
export async function rateInTurn(target: Target, load: Omit<Load, "connections">): Promise<number | null> {
  const path = load.paths[0] ?? "/";
  const start = performance.now();
  let answers = 0;
  do {
    const answer = send(target, load.method, path, load.body?.());
    const late = await Promise.race([answer.then(() => false), delay(PATIENCE_MS, true, { ref: false })]);
    if (late) {
      // Nobody waits for it any more, and its server is stopped before it can come.
      answer.catch(() => undefined);
      return null;
    }
    answers += 1;
  } while (performance.now() - start < load.seconds * 1000);
  return (answers * 1000) / (performance.now() - start);
}

/** One request, and its answer as text. `body` is text as it is, or a value to send as JSON. */
export async function send(target: Target, method: string, path: string, body?: unknown): Promise<string> {
  const answer = await fetch(target.base + path, {
    method,
    headers: target.headers,
    body: body === undefined || typeof body === "string" ? (body ?? null) : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${target.name} answered ${method} ${path} with ${answer.status}: ${text}`);
  return text;
}
