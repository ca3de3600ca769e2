/**
 * The request log of a process: recording beside the requests, and the end of what is too old.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  createRequestLog,
  purgeHeld,
  purgeRequests,
  type RequestLog,
  type SilentConnection,
  tellSilence,
} from "@scim/events";
import type { ConnectionName } from "@scim/tenancy";
import type { Logger } from "pino";
import { activeTenants } from "../delivery/active-tenants.ts";
import { eachTenant } from "../store/each-tenant.ts";
import type { OpenedStore } from "../store/open-store.ts";
import type { PurgeCounts } from "../upkeep/purge-counts.ts";
import { keptFor, serviceRetention } from "../upkeep/retention.ts";
import { runRepeatedly } from "../upkeep/run-repeatedly.ts";
import { orderedIds } from "../sources.ts";
import type { Settings } from "../settings/table.ts";
import { pause } from "../pause.ts";

/** What a request log is kept with. */
export interface RequestLogParts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly opened: OpenedStore;
  /** Told how many entries were removed. */
  readonly onPurged?: PurgeCounts["add"];
  /** Told of connections that have fallen silent. */
  readonly onSilent: (silent: SilentConnection) => void;
  /** Told at each look of the connections whose silence is listened for. */
  readonly onListened?: (connection: ConnectionName) => void;
}

/** A request log under way. */
export interface RunningRequestLog {
  /** What the handler takes; undefined where the log is off. */
  readonly onExchange: RequestLog["onExchange"] | undefined;
  /** Writes what waits, and ends the upkeep. */
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
const MIB = 1_048_576;
/** How long a change that a guard holds is kept since it was sent last: longer than any retention of a client. */
const HELD_MS = 30 * DAY_MS;
/** Between two looks of the upkeep, in milliseconds (five minutes). */
const INTERVAL_MS = 300_000;

/** Starts recording, where the settings say so, and the upkeep. */
export function startRequestLog(parts: RequestLogParts): RunningRequestLog {
  const { settings, log, opened } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const requestLog =
    settings["requests.log"] === "off"
      ? null
      : createRequestLog({
          ...opened.auditKeys,
          store: opened.store.requests,
          catalog: opened.rules.catalogOf,
          newId: orderedIds().next,
          newest: async (tenant) => (await opened.store.requests.list(tenant, { limit: 1 }))[0]?.id ?? null,
          now: Date.now,
          pause: (milliseconds) => pause(milliseconds, signal),
          turn: () => nextTurn(),
          utilization: eventLoopUtilization(),
          onError: (error) => log.error({ err: error }, "logging requests failed"),
        });
  const stopKeeping = runRepeatedly({
    run: (isStopped) => keepRequests(parts, isStopped),
    interval: INTERVAL_MS,
    onError: (error) => log.error({ err: error }, "the upkeep of the request log failed"),
  });
  return {
    onExchange: requestLog?.onExchange,
    stop: async () => {
      stopping.abort();
      await Promise.all([requestLog?.flush(), stopKeeping()]);
    },
  };
}

/** How much of the time the event loop of this thread had work, each time since it was asked last. */
function eventLoopUtilization(): () => number {
  let asked = performance.eventLoopUtilization();
  return () => {
    const before = asked;
    asked = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(asked, before).utilization;
  };
}

/** Removes what is too old or too much, and what nobody sends any more; tells of connections that have fallen silent. */
export async function keepRequests(
  { settings, opened, onPurged, onSilent, onListened }: Omit<RequestLogParts, "log">,
  isStopped: () => boolean,
  now: () => number = Date.now,
): Promise<void> {
  const { requests, connections, guard, tenants } = opened.store;
  const kept = keptFor(serviceRetention(settings), tenants);
  const isActive = activeTenants(tenants);
  const upkeep = { requests, now, isStopped };
  const removed = await purgeRequests({
    ...upkeep,
    keep: (tenant) => kept("requests", tenant),
    characters: settings["requests.maxSize"] * MIB,
  });
  onPurged?.("requests", removed);
  await purgeHeld({ ...upkeep, guard, tenants: eachTenant(opened.store), keep: HELD_MS });
  // Where nothing is logged, nobody would hear a connection that speaks.
  if (settings["requests.log"] === "off") return;
  await tellSilence({
    ...upkeep,
    silentAfter: async (tenant, connection) => {
      // Nothing is to be expected of one that is suspended, or was deleted, also where its last requests ended behind that.
      if (!(await isActive(tenant))) return 0;
      const found = await connections.find(tenant, connection);
      if (found?.state !== "active") return 0;
      onListened?.({ tenant, connection });
      return found.silentAfter;
    },
    onSilent,
  });
}
