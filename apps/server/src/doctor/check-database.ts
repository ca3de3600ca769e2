/**
 * Checks of the database and of what it holds: whether it takes writes, events that wait, the clock, indexes.
 * @module
 */
import { readChanges } from "@scim/events";
import { isScimError } from "@scim/schemas";
import type { Store } from "@scim/store/sqlite";
import { lastChanges } from "../last-changes.ts";
import { counted } from "../progress/progress.ts";
import { type Check, fine, warning, wrong } from "./check.ts";

/** What these checks look at. */
export interface DatabaseSetting {
  readonly store: Pick<Store, "events" | "indexes" | "tryWrite" | "waitingEvents">;
  readonly tenant: string;
  /** The present instant, in milliseconds since 1970. */
  readonly now: number;
}

/** Milliseconds that clocks may differ, and that events may wait for their position (a minute). */
const PATIENCE_MS = 60_000;

/** Events that the store counts of one tenant: there may be more. */
const MOST_COUNTED = 10_000;

/**
 * A database that is full, or only to be read, such as a replica, answers all that is asked of it, and takes nothing; nor does
 * one that somebody else has locked.
 */
export async function checkWrites({ store }: Pick<DatabaseSetting, "store">): Promise<Check> {
  const name = "writes";
  try {
    const hindrance = await store.tryWrite();
    if (hindrance === null) return fine(name, "the database takes them");
    return warning(
      name,
      `none was taken now: ${hindrance.message}`,
      "Look again. Where it stays so, find the program that keeps a transaction open, and end it: PostgreSQL lists them in pg_stat_activity.",
    );
  } catch (error) {
    if (!isScimError(error)) throw error;
    return wrong(
      name,
      error.message,
      "Make room on its disk, or take what makes it read-only from it; of replicas, name the one that is written to.",
    );
  }
}

/** Events that the clock is compared with: one that was set back writes more, each with the time that it has then. */
const COMPARED = 1000;

/** A clock that went back writes instants before those that are there already. */
export async function checkClock({ store, tenant, now }: DatabaseSetting): Promise<Check> {
  const name = "clock";
  const latest = await latestOf(store.events, tenant);
  if (latest === null) return fine(name, "there is no event to compare it with");
  if (Date.parse(latest) - now <= PATIENCE_MS) return fine(name, `not behind the last events (${latest})`);
  return wrong(
    name,
    `it stands at ${new Date(now).toISOString()}, and an event is of ${latest}`,
    "Set the clock of this machine, or of the one that wrote: let NTP keep both. One that was ahead then, and is right now, needs nothing more.",
  );
}

/** The latest instant of the last events; null where there is none. */
async function latestOf(feed: Store["events"], tenant: string): Promise<string | null> {
  const instants: string[] = [];
  let page = await lastChanges(feed, tenant, COMPARED);
  for (;;) {
    instants.push(...page.events.map(({ at }) => at));
    if (!page.more) return instants.toSorted().at(-1) ?? null;
    page = await readChanges(feed, tenant, { since: page.next, limit: COMPARED });
  }
}

/** Events get their position within a second while a server runs and no transaction stays open. */
export async function checkPositions({ store, now }: Pick<DatabaseSetting, "store" | "now">): Promise<Check> {
  const name = "event positions";
  const { events, oldest } = await store.waitingEvents();
  if (oldest === null) return fine(name, "no event waits for one");
  const seconds = Math.max(0, Math.round((now - Date.parse(oldest)) / 1000));
  const many = events < MOST_COUNTED ? "" : "at least ";
  const detail = `${many}${counted(events, "event waits", "events wait")}, the first for ${counted(seconds, "second")}`;
  if (seconds * 1000 <= PATIENCE_MS) return fine(name, detail);
  return warning(
    name,
    detail,
    "Start a server; where one runs, look for a program that keeps a transaction open: PostgreSQL lists them in pg_stat_activity.",
  );
}

/** An index that is not ready is not used, and queries go through resources meanwhile. */
export async function checkIndexes({ store, tenant }: DatabaseSetting): Promise<Check> {
  const name = "indexes";
  const declared = await store.indexes.list(tenant);
  const unsettled = declared.filter(({ state }) => state !== "ready");
  if (unsettled.length === 0) return fine(name, `${declared.length} declared, all ready`);
  const list = unsettled.map(({ type, path, state }) => `${type} ${path} (${state})`).join(", ");
  return warning(
    name,
    list,
    "Let a server run: it builds and drops them; 'scim index list' tells how far it is.",
  );
}
