/**
 * `scim events`: shows what happened to a tenant's resources, and follows it.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { FeedEvent } from "@scim/core";
import { type ChangesPage, followChanges, PositionAhead, PositionGone, readChanges } from "@scim/events";
import type { Store } from "@scim/store/sqlite";
import { openDatabase } from "../database.ts";
import { givePositions } from "../event-positions.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, printEach } from "../output.ts";
import { columns } from "../settings/show.ts";
import type { Settings } from "../settings/table.ts";
import { stopSignal } from "../stop.ts";
import { limitFlag, type PageFlags, sinceFlag } from "./page-flags.ts";
import { whoOf } from "./who.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** Events that are shown where nothing else is asked for. */
const SHOWN = 100;
/** Events that are followed at once. */
const FOLLOWED = 100;
/** Milliseconds between two looks for what is new. */
const INTERVAL_MS = 500;

/** Runs `scim events <action>`. */
export async function eventsCommand(
  settings: Settings,
  [action]: readonly string[],
  flags: PageFlags,
): Promise<ExitCode> {
  const run = actionOf(action, flags);
  const store = await openDatabase(settings);
  try {
    // Where no server runs, nobody else gives positions to what was written last.
    await givePositions(store.events);
    return await run(store);
  } catch (cause) {
    if (cause instanceof PositionGone || cause instanceof PositionAhead)
      throw new CommandFailure(EXIT.failed, cause.message, cause);
    throw cause;
  } finally {
    await store.close();
  }
}

type Action = (store: Pick<Store, "events">) => Promise<ExitCode>;

function actionOf(action: string | undefined, flags: PageFlags): Action {
  const tenant = tenantFlag(flags);
  const since = sinceFlag(flags);
  const limit = limitFlag(flags, SHOWN);
  const json = flags.json === true;
  if (action === "follow") return ({ events }) => follow(events, { tenant, since, json });
  return ({ events }) => list(events, { tenant, since, limit, json });
}

interface Listing {
  readonly tenant: string;
  /** Null: the last ones are shown. */
  readonly since: number | null;
  readonly limit: number;
  readonly json: boolean;
}

async function list(feed: Store["events"], { tenant, since, limit, json }: Listing): Promise<ExitCode> {
  const page = await (since === null
    ? newest(feed, tenant, limit)
    : readChanges(feed, tenant, { since, limit }));
  const heads = ["position", "at", "kind", "resource", "by", "changed"];
  return print({ json }, { tenant, ...page }, columns([heads, ...page.events.map(rowOf)]));
}

/** The last events; older ones among them may be gone already. */
async function newest(feed: Store["events"], tenant: string, limit: number): Promise<ChangesPage> {
  const head = await feed.head(tenant);
  const events = await feed.read(tenant, { after: Math.max(0, head - limit), limit });
  return { events, next: events.at(-1)?.position ?? head };
}

function rowOf(event: FeedEvent): readonly string[] {
  const { position, at, kind, type, id, changed, collections } = event;
  const paths = new Set([...changed, ...collections.map(({ path }) => path)]);
  return [String(position), at, kind, `${type} ${id}`, whoOf(event), [...paths].join(", ") || "-"];
}

type Following = Omit<Listing, "limit">;

/** Goes on until it is told to stop: from a position, or with what happens from now on. */
async function follow(feed: Store["events"], { tenant, since, json }: Following): Promise<ExitCode> {
  const stopping = new AbortController();
  const { signal } = stopping;
  void stopSignal().then(() => stopping.abort());
  const from = since ?? (await feed.head(tenant));
  const pause = async (): Promise<void> => {
    await delay(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    await givePositions(feed, signal);
  };
  for await (const { events } of followChanges(feed, tenant, {
    since: from,
    limit: FOLLOWED,
    pause,
    signal,
  })) {
    for (const event of events) printEach({ json }, event, rowOf(event).join("  "));
  }
  return EXIT.ok;
}
