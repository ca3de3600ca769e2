/**
 * Removes tokens that were revoked, or have ended, and secrets of clients that have, once nobody wants to see them listed any more; and
 * access tokens as soon as they have expired, also of tenants that are given no more.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "@scim/store/sqlite";
import { ADMIN_TENANT } from "@scim/tenancy";
import { eachTenant } from "../store/each-tenant.ts";
import type { PurgeCounts } from "./purge-counts.ts";
import { runRepeatedly } from "./run-repeatedly.ts";

/** Between two looks, in milliseconds (one hour). */
const INTERVAL_MS = 3_600_000;
/** Rows of one batch: short enough that no writer waits long. */
const BATCH = 500;

/** What the removal needs. */
export interface TokenPurge {
  readonly store: Pick<Store, "tenants" | "tokens" | "clients">;
  /** Milliseconds for which a token or a secret is kept that is over. */
  readonly keep: number;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Told how many rows were removed. */
  readonly onPurged?: PurgeCounts["add"];
  readonly onError: (error: unknown) => void;
}

/** Looks now and then every hour. Returns what stops it; it resolves when nothing is under way any more. */
export function startTokenPurge(options: TokenPurge): () => Promise<void> {
  const run = (isStopped: () => boolean): Promise<void> => purgeAll(options, isStopped);
  return runRepeatedly({ run, interval: INTERVAL_MS, onError: options.onError });
}

async function purgeAll(options: Omit<TokenPurge, "onError">, isStopped: () => boolean): Promise<void> {
  const { store, keep, now } = options;
  const at = new Date(now()).toISOString();
  const before = new Date(now() - keep).toISOString();
  for await (const tenant of eachHolder(store)) {
    await inBatches(options, isStopped, () => store.tokens.purgeTokens(tenant, before, BATCH));
    await inBatches(options, isStopped, () => store.clients.purgeSecrets(tenant, before, BATCH));
    await inBatches(options, isStopped, () => store.clients.purgeExpired(tenant, at, BATCH));
    if (isStopped()) return;
  }
}

/** Every tenant, and whoever holds the tokens of administrators. */
async function* eachHolder(store: Pick<Store, "tenants">): AsyncGenerator<string, void, undefined> {
  yield ADMIN_TENANT;
  yield* eachTenant(store);
}

async function inBatches(
  { onPurged }: Pick<TokenPurge, "onPurged">,
  isStopped: () => boolean,
  purge: () => Promise<number>,
): Promise<void> {
  for (let removed = BATCH; removed >= BATCH && !isStopped();) {
    removed = await purge();
    onPurged?.("tokens", removed);
    await nextTurn();
  }
}
