/**
 * How tenants are deleted.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";

/** Rows that are removed at once: few enough that no writer waits long. */
export const REMOVED_AT_ONCE = 1000;

/** What changes of a tenant acts within this time, in every process. */
const NOTICED_MS = 1000;

/** Resolves when every server knows what changed of a tenant: that it is not served any more. */
export function tenantSettled(): Promise<void> {
  return delay(NOTICED_MS);
}
