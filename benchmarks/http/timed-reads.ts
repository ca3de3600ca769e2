/**
 * How long reads take that several connections ask for one after another.
 * @module
 */
import { type Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Target } from "./start.ts";

/** Who asks. */
export interface Asking {
  readonly target: Target;
  readonly agent: Agent;
}

/** What is asked for, and until when: an instant of `performance.now`, or a signal. */
export interface Reads {
  readonly path: () => string;
  readonly until: number | AbortSignal;
}

/** Milliseconds of each GET. */
export async function readFor(
  asking: Asking & { readonly connections: number },
  { path, until }: Reads,
): Promise<readonly number[]> {
  const times: number[] = [];
  const goesOn = (): boolean => (typeof until === "number" ? performance.now() < until : !until.aborted);
  const ask = async (): Promise<void> => {
    while (goesOn()) {
      const start = performance.now();
      await getText(asking, path());
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: asking.connections }, ask));
  return times;
}

/** Asks, however long the answer takes. */
export function getText({ target, agent }: Asking, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(target.base + path, { agent, headers: target.headers }, (answer) => {
      if (answer.statusCode === 200) text(answer).then(resolve, reject);
      else reject(new Error(`GET was answered with ${String(answer.statusCode)}`));
    });
    sent.once("error", reject);
    sent.end();
  });
}

/** The time that one in a hundred exceeds. */
export function p99(times: readonly number[]): number {
  return quantile(times, 0.99);
}

/** The time in the middle. */
export function median(times: readonly number[]): number {
  return quantile(times, 0.5);
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
