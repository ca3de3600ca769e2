/**
 * Puts a server under load and counts its answers.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { plainAnswers } from "./plain-client.ts";
import type { Target } from "./start.ts";

/** Requests of one kind. */
export interface Load {
  readonly method: "GET" | "POST" | "PATCH";
  /** Paths below the base address, sent in turn: each once before any is sent again. */
  readonly paths: readonly string[];
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
 * Counts the answers to a load.
 * @throws Error where an answer is not 2xx: a fast refusal must not look like speed
 */
export async function answersTo(target: Target, load: Load): Promise<Answers> {
  const { method, connections, seconds, body = () => "" } = load;
  const url = new URL(target.base);
  const base = url.pathname.replace(/\/$/, "");
  const paths = load.paths.map((path) => base + path);
  let turn = 0;
  const next = () => {
    const path = paths[turn % paths.length] ?? base;
    turn += 1;
    return { path, body: body() };
  };
  const asked = { url, method, headers: target.headers, connections, milliseconds: seconds * 1000, next };
  const { byStatus, seconds: taken } = await plainAnswers(asked);
  const refused = [...byStatus.keys()].filter((status) => status < 200 || status > 299);
  if (refused.length > 0) {
    const statuses = JSON.stringify(Object.fromEntries(byStatus));
    throw new Error(`${target.name} refused ${method} ${load.paths[0]}: ${statuses}`);
  }
  const count = [...byStatus.values()].reduce((sum, each) => sum + each, 0);
  return { count, perSecond: count / taken };
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
