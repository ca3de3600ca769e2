/**
 * All work beside the requests that keeps the store in order: positions of events, checkpoints, and the end of what is
 * too old.
 * @module
 */
import type { ServiceOf } from "@scim/core";
import type { Logger } from "pino";
import { rulePorts } from "../administration/ports.ts";
import type { Settings } from "../settings/table.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { startErasureUpkeep } from "./erasures.ts";
import { startPositioning } from "./event-positions.ts";
import { startSecretUpkeep } from "./dropped-secrets.ts";
import { startEventUpkeep } from "./event-upkeep.ts";
import { startRuleUpkeep } from "./connection-rules.ts";
import type { PurgeCounts } from "./purge-counts.ts";
import { DAY_MS, keptFor, serviceRetention } from "./retention.ts";
import { startTokenPurge } from "./tokens.ts";
import { startTombstonePurge } from "./tombstones.ts";

/** What the upkeep of a process needs. */
export interface UpkeepParts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly opened: OpenedStore;
  readonly purged: PurgeCounts;
  readonly serviceOf: ServiceOf;
}

const BROKEN =
  "a switch is on that resources from before break: give all but one of each another value, or delete them, or turn it off; see docs/profiles.md";

/** Begins it. Returns what stops it; it resolves when nothing is under way any more. */
export function startUpkeep(parts: UpkeepParts): () => Promise<void> {
  const { settings, log, opened, purged } = parts;
  const { store, auditKeys } = opened;
  const failing = (what: string) => (error: unknown) => log.error({ err: error }, `${what} failed`);
  const timely = {
    keptFor: keptFor(serviceRetention(settings), store.tenants),
    now: Date.now,
    onPurged: purged.add,
  };
  store.indexes.onError(failing("building indexes, which is tried again,"));
  const stops = [
    startTombstonePurge({
      store: store.resources,
      ...timely,
      onError: failing("removing deleted resources"),
    }),
    startTokenPurge({
      ...timely,
      store,
      keep: settings["retention.tokens"] * DAY_MS,
      onError: failing("removing tokens that are over"),
    }),
    startSecretUpkeep(store, failing("removing hashes of secrets")),
    startPositioning({ events: store.events, onError: failing("giving positions to events") }),
    startRuleUpkeep({
      store,
      ports: rulePorts(opened),
      onBroken: (broken) => log.warn(broken, BROKEN),
      onError: failing("looking after rules of connections, which is tried again,"),
    }),
    startErasureUpkeep({ ...parts, onError: failing("ending erasures, which is tried again,") }),
    startEventUpkeep({
      events: store.events,
      audit: store.audit,
      auditKeys,
      ...timely,
      onError: failing("checkpoints, or removing old events,"),
    }),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
