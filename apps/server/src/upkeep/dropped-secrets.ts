/**
 * Removes hashes of secrets of tenants that drop them: those that a request wrote which had waited for its hash while the tenant
 * was changed, and what a change left that was interrupted.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "@scim/store/sqlite";
import { REMOVED_AT_ONCE } from "../administration/deletion.ts";
import { eachTenant } from "../store/each-tenant.ts";
import { runRepeatedly } from "./run-repeatedly.ts";

/** Between two looks, in milliseconds (one hour). */
const INTERVAL_MS = 3_600_000;

/** Looks now and then every hour. Returns what stops it; it resolves when nothing is under way any more. */
export function startSecretUpkeep(
  store: Pick<Store, "tenants">,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const run = (isStopped: () => boolean): Promise<void> => removeDropped(store, isStopped);
  return runRepeatedly({ run, interval: INTERVAL_MS, onError });
}

/** Removes all that there are, batch by batch. */
export async function removeDropped(store: Pick<Store, "tenants">, isStopped: () => boolean): Promise<void> {
  for await (const name of eachTenant(store)) {
    const tenant = await store.tenants.find(name);
    if (tenant?.secrets !== "drop") continue;
    while (!isStopped() && (await store.tenants.removeHashes(name, REMOVED_AT_ONCE)) > 0) await nextTurn();
    if (isStopped()) return;
  }
}
