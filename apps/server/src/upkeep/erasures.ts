/**
 * Ends erasures: those that ended half-way, and what others had to leave for later.
 * @module
 */
import type { ServiceOf } from "@scim/core";
import { endErasures, tidyErasures } from "@scim/events";
import type { Logger } from "pino";
import { deletingIn, erasingFor } from "../erasure/erasing.ts";
import type { Settings } from "../settings/table.ts";
import { eachTenant } from "../store/each-tenant.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { runRepeatedly } from "./run-repeatedly.ts";

/** Between two looks, in milliseconds (five minutes). */
const INTERVAL_MS = 300_000;

/** What erasures are ended with. */
interface ErasureUpkeep {
  readonly settings: Settings;
  readonly log: Logger;
  readonly opened: OpenedStore;
  readonly serviceOf: ServiceOf;
  readonly onError: (error: unknown) => void;
}

/** Looks now and then every five minutes. Returns what stops it; it resolves when nothing is under way any more. */
export function startErasureUpkeep(parts: ErasureUpkeep): () => Promise<void> {
  const run = (isStopped: () => boolean): Promise<void> => keepErasures(parts, isStopped);
  return runRepeatedly({ run, interval: INTERVAL_MS, onError: parts.onError });
}

/** Ends what is to be ended. */
async function keepErasures(
  { settings, opened, serviceOf, log, onError }: ErasureUpkeep,
  isStopped: () => boolean,
): Promise<void> {
  const { store } = opened;
  const upkeep = { now: Date.now, isStopped, onError };
  const service = deletingIn(serviceOf);
  const erasing = erasingFor({ settings, opened, service }, { command: "scim serve" });
  const ended = await endErasures({ ...upkeep, erasing, tenants: eachTenant(store) });
  if (ended > 0) log.warn({ ended }, "erasures had ended half-way: they are done");
  await tidyErasures({ ...upkeep, erasures: store.erasures, tenants: eachTenant(store) });
}
