/**
 * What has to be done beside the requests, again and again, by each process: without it no event has a position, so that nobody
 * is told of any, and nothing that is kept for a time ever goes.
 * @module
 */
import {
  type AuditKeys,
  type DeliveryWorker,
  purgeAudit,
  purgeRequests,
  signCheckpoints,
  tidyErasures,
} from "@scim/events";
import type { Store } from "@scim/store/sqlite";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Rows that one transaction removes: few enough that no request waits long. */
const BATCH = 500;

/** What is kept up. */
export interface Upkeep {
  readonly store: Store;
  readonly keys: AuditKeys;
  readonly worker: Pick<DeliveryWorker, "look">;
}

/** Gives positions to what was written, enters it in the audit log, and lets receivers be told of it: some times a second. */
export async function tell({ store, worker }: Pick<Upkeep, "store" | "worker">): Promise<void> {
  while ((await store.events.assign(BATCH)) >= BATCH);
  await worker.look();
}

/** Signs how far the audit log came, and removes what was kept for long enough: every few minutes. */
export async function keepUp({ store, keys }: Pick<Upkeep, "store" | "keys">): Promise<void> {
  const before = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const upkeep = { now: Date.now, isStopped: () => false };
  await signCheckpoints({ ...keys, ...upkeep, audit: store.audit });
  while ((await store.resources.purge(before(30), BATCH)) >= BATCH);
  while ((await store.events.purge(before(30), BATCH, before(0))) >= BATCH);
  await purgeAudit({ ...keys, ...upkeep, audit: store.audit, keep: async () => 400 * DAY_MS });
  await purgeRequests({
    ...upkeep,
    requests: store.requests,
    keep: async () => 7 * DAY_MS,
    characters: 2 ** 28,
  });
  await tidyErasures({ ...upkeep, erasures: store.erasures, tenants: tenantsOf(store) });
}

/** The names of all tenants. */
async function* tenantsOf({ tenants }: Pick<Store, "tenants">): AsyncGenerator<string> {
  let after: string | null = "";
  while (after !== null) {
    const page: readonly { readonly tenant: string }[] = await tenants.list({ after, count: 100 });
    for (const { tenant } of page) yield tenant;
    after = page.at(-1)?.tenant ?? null;
  }
}

/** Does both until it is stopped. Returns what stops it. */
export function startUpkeep(upkeep: Upkeep): () => void {
  const report = (error: unknown): void => console.error(error);
  const timers = [
    setInterval(() => void tell(upkeep).catch(report), 500),
    setInterval(() => void keepUp(upkeep).catch(report), 5 * MINUTE_MS),
  ];
  return () => timers.forEach((timer) => clearInterval(timer));
}
