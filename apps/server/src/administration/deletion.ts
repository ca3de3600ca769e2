/**
 * How tenants are deleted.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";

/** Rows that are removed at once: few enough that no writer waits long. */
export const REMOVED_AT_ONCE = 1000;

/** What is suspended or deleted is refused within this time, by every process. */
const NOTICED_MS = 1000;

/** Resolves when every server knows that a tenant is not served any more. */
export function tenantSettled(): Promise<void> {
  return delay(NOTICED_MS);
}
