/**
 * Delivers events to receivers beside the requests. Every process does: whoever comes first takes a receiver's lease.
 * @module
 */
import { createDeliveryWorker, type WorkerParts } from "@scim/events";
import { pauseAbout } from "../pause.ts";

/** Milliseconds between two looks, on the average. */
const INTERVAL_MS = 400;
/** Milliseconds to wait after a failure (five seconds). */
const FAILURE_MS = 5000;

/** What delivery needs. */
export type DeliveryOptions = Omit<WorkerParts, "isStopped">;

/** Delivers until it is stopped. Returns what stops it; it resolves when nothing is under way any more. */
export function startDelivery(options: DeliveryOptions): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const worker = createDeliveryWorker({ ...options, isStopped: () => signal.aborted });
  const running = run(() => worker.look(), { signal, onError: options.onError });
  return async () => {
    stopping.abort();
    await running;
    await worker.idle();
  };
}

async function run(
  look: () => Promise<void>,
  { signal, onError }: { readonly signal: AbortSignal; readonly onError: (error: unknown) => void },
): Promise<void> {
  while (!signal.aborted) {
    const failed = await look().then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (failed !== null) onError(failed.error);
    await pauseAbout(failed === null ? INTERVAL_MS : FAILURE_MS, signal);
  }
}
