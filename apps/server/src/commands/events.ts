/**
 * `scim events`: shows what happened to a tenant's resources, and follows it.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { ServiceError } from "@scim/client";
import type { EventFeed, FeedEvent } from "@scim/core";
import { type ChangesPage, followChanges, PositionAhead, PositionGone, readChanges } from "@scim/events";
import { tellOfWaitingEvents } from "../audit/waiting-events.ts";
import { requireKnownTenant, requireServedTenant } from "../administration/known-tenant.ts";
import { onServerOr, type ServerFlags } from "../administration/administer.ts";
import { toldReading } from "../administration/told-command.ts";
import type { Call } from "../command-table/command.ts";
import { openDatabase } from "../store/database.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { lastChanges } from "../last-changes.ts";
import { print, printEach } from "../output.ts";
import { type AdminClient, at, typedIn } from "../remote/admin-requests.ts";
import { MOST_AT_ONCE, moreIn, upTo } from "../remote/long-reading.ts";
import { columns } from "../columns.ts";
import { stoppable } from "../stop-on-signals.ts";
import { limitFlag, type PageFlags, sinceFlag } from "./page-flags.ts";
import { toldKind } from "./told-kind.ts";
import { whoOf } from "./who.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim events`, as they were given. */
export interface EventFlags extends PageFlags, ServerFlags {}

/** Events that are shown where nothing else is asked for. */
const SHOWN = 100;
/** Events that are followed at once. */
const FOLLOWED = 100;
/** Milliseconds between two looks for what is new. */
const INTERVAL_MS = 500;

/** Seconds that a server keeps a request where nothing is new. */
const WAIT_SECONDS = 20;

/** What a command reads of the events of a tenant. */
interface Changes {
  /** The last so many; of 0, the position alone. */
  last(count: number): Promise<ReadChanges>;
  /** Those behind a position. */
  behind(since: number, limit: number): Promise<ReadChanges>;
  /** A page for each look, until the signal ends it. */
  follow(since: number, signal: AbortSignal): AsyncIterable<Pick<ChangesPage, "events">>;
}

/** What was read, in as many pages as it took. */
type ReadChanges = Omit<ChangesPage, "more">;

/** A page, of which an older server does not tell whether there is more. */
type ChangesPart = ReadChanges & Partial<ChangesPage>;

/** Runs `scim events <action>`. */
export async function eventsCommand(call: Call<EventFlags>): Promise<ExitCode> {
  const { positionals, flags } = call;
  const tenant = tenantFlag(flags);
  const run = actionOf(positionals[0], tenant, flags);
  return onServerOr(
    call,
    (admin) => run(changesAtServer(admin, tenant)),
    () => onDatabase(call, tenant, run),
  );
}

type Action = (changes: Changes) => Promise<ExitCode>;

function actionOf(action: string | undefined, tenant: string, flags: EventFlags): Action {
  const since = sinceFlag(flags);
  const limit = limitFlag(flags, SHOWN);
  if (action === "follow") return (changes) => follow(changes, since, flags);
  return async (changes) => {
    const page = await (since === null ? changes.last(limit) : changes.behind(since, limit));
    const heads = ["position", "at", "kind", "resource", "by", "changed"];
    return print(flags, { tenant, ...page }, columns([heads, ...page.events.map(rowOf)]));
  };
}

/** What is read holds what is kept of persons. */
async function onDatabase(
  { settings, flags, positionals }: Call<EventFlags>,
  tenant: string,
  run: Action,
): Promise<ExitCode> {
  const store = await openDatabase(settings);
  try {
    await requireKnownTenant(store, tenant);
    await tellOfWaitingEvents(store, flags);
    const work = (): Promise<ExitCode> => run(changesHere(store.events, tenant));
    const told = { command: `scim events ${positionals[0]}`, about: tenant };
    return await toldReading(store, told, { reader: flags, work });
  } catch (cause) {
    if (cause instanceof PositionGone) throw new CommandFailure(EXIT.failed, cause.message, cause);
    if (!(cause instanceof PositionAhead)) throw cause;
    // Of a tenant that was deleted, there is none any more.
    await requireServedTenant(store, tenant);
    // A position that there is not yet is a slip, as a server says too.
    throw new CommandFailure(EXIT.usage, cause.message, cause);
  } finally {
    await store.close();
  }
}

function changesHere(feed: EventFeed, tenant: string): Changes {
  const behind = behindBy((since, limit) => readChanges(feed, tenant, { since, limit }));
  return {
    last: async (count) => wholeOf(await lastChanges(feed, tenant, count), count, behind),
    behind,
    follow: (since, signal) => {
      const pause = (): Promise<void> => delay(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      return followChanges(feed, tenant, { since, limit: FOLLOWED, pause, signal });
    },
  };
}

/** Reads what is behind a position page by page. */
function behindBy(read: (since: number, limit: number) => Promise<ChangesPart>): Changes["behind"] {
  return async (since, limit) => {
    const { entries, next } = await upTo(limit, since, async (place, count) => {
      const { events, ...rest } = await read(place, count);
      return { entries: events, ...rest };
    });
    return { events: entries, next };
  };
}

/** The last changes, of which a page may hold the first alone. */
async function wholeOf(
  { events, next, more }: ChangesPart,
  count: number,
  behind: Changes["behind"],
): Promise<ReadChanges> {
  if (more !== true || events.length >= count) return { events, next };
  const rest = await behind(next, count - events.length);
  return { events: [...events, ...rest.events], next: rest.next };
}

const EVENT = ["position", "at", "kind", "type", "id", "changed", "collections", "connection"] as const;

function changesAtServer(admin: AdminClient, tenant: string): Changes {
  const path = at`/tenants/${tenant}/changes`;
  const pageOf = async (
    query: Readonly<Record<string, number>>,
    signal?: AbortSignal,
  ): Promise<ChangesPart> => {
    const request = { method: "GET", path, query } as const;
    const body = await admin.send(signal === undefined ? request : { ...request, signal });
    const events = typedIn<FeedEvent>(body, "events", EVENT);
    return { events, next: Number(body["next"]), ...moreIn(body) };
  };
  const behind = behindBy((since, limit) => pageOf({ since, limit }));
  return {
    last: async (count) => {
      if (count <= MOST_AT_ONCE) return wholeOf(await pageOf({ last: count }), count, behind);
      const { next: head } = await pageOf({ last: 0 });
      try {
        return await behind(Math.max(0, head - count), count);
      } catch (cause) {
        const oldest = cause instanceof ServiceError ? cause.scim?.["oldestPosition"] : undefined;
        if (typeof oldest !== "number") throw cause;
        return behind(oldest - 1, count);
      }
    },
    behind,
    follow: async function* (since, signal) {
      let next = since;
      for (let isBegun = false; !signal.aborted;) {
        try {
          const page = await pageOf({ since: next, limit: FOLLOWED, wait: WAIT_SECONDS }, signal);
          isBegun = true;
          next = page.next;
          yield page;
        } catch (cause) {
          if (signal.aborted) return;
          // Whoever follows goes on behind a restart of the server, and learns at once that nothing was ever there.
          if (!isBegun || !admin.isAway(cause)) throw cause;
          await delay(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
        }
      }
    },
  };
}

function rowOf(event: FeedEvent): readonly string[] {
  const { position, at: when, type, id, changed, collections } = event;
  const kind = toldKind(event.kind, event.versionBefore);
  const paths = new Set([...changed, ...collections.map(({ path }) => path)]);
  return [String(position), when, kind, `${type} ${id}`, whoOf(event), [...paths].join(", ") || "-"];
}

/** Goes on until it is told to stop: from a position, or with what happens from now on. */
async function follow(changes: Changes, since: number | null, flags: EventFlags): Promise<ExitCode> {
  return stoppable(async (signal) => {
    const from = since ?? (await changes.last(0)).next;
    for await (const { events } of changes.follow(from, signal))
      for (const event of events) printEach(flags, event, rowOf(event).join("  "));
    return EXIT.ok;
  });
}
