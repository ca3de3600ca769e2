/**
 * Waits for what comes by itself, for as long as it takes: a slow machine is no failure.
 * @module
 */
import { vi } from "vitest";

/** Resolves to what `check` gives once it does not throw. It throws what `check` throws where that never ends. */
export function eventually<Found>(check: () => Found | Promise<Found>): Promise<Found> {
  return vi.waitFor(check, { timeout: 60_000, interval: 50 });
}
