/**
 * Waits until a server rests: what it does after its start, such as building indexes, is no part of what is measured.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { cpuTime } from "./cpu-time.ts";
import type { Target } from "./start.ts";

const LOOK_MS = 250;
/** Share of a look in which a server may run that does nothing but look round. */
const IDLE = 0.15;
const PATIENCE_MS = 10_000;

/** Resolves when the server has hardly run for a moment; at once where the system does not tell (other than Linux). */
export async function atRest(target: Target): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let before = cpuTime(target);
  while (before !== null && performance.now() < deadline) {
    await delay(LOOK_MS);
    const now = cpuTime(target);
    if (now === null || now - before < LOOK_MS * 1000 * IDLE) return;
    before = now;
  }
}
