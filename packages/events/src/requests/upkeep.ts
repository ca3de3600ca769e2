/**
 * What a request log needs now and then: the end of what is too old or too much, and a look for connections that have
 * fallen silent.
 * @module
 */
import { type Keep, tooOld } from "../keep.ts";
import type { RequestLogStore, RequestSource } from "./port.ts";

/** A connection that has sent nothing for longer than it does. */
export interface SilentConnection {
  readonly tenant: string;
  readonly connection: string;
  /** Its last request, UTC with milliseconds. */
  readonly last: string;
  /** Minutes of silence that were to be expected at most. */
  readonly expectedMinutes: number;
}

/** What the upkeep works with. */
export interface RequestUpkeep {
  readonly requests: Pick<RequestLogStore, "tenants" | "sources" | "listening" | "tellSilence" | "purge">;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Ends it between two steps. */
  readonly isStopped: () => boolean;
}

/** What is kept. */
export interface RequestRetention extends RequestUpkeep {
  /** How long entries are kept. */
  readonly keep: Keep;
  /** Characters that the entries of a tenant may have. */
  readonly characters: number;
  /** Entries that one transaction removes. Default 500. */
  readonly batch?: number;
}

/** Removes what is too old or too much, batch by batch. Resolves to how many entries it removed. */
export async function purgeRequests(retention: RequestRetention): Promise<number> {
  const { requests, now, keep, characters, batch = 500, isStopped } = retention;
  let removed = 0;
  for await (const tenant of tenantsOf(retention)) {
    const purge = { before: await tooOld(keep, tenant, now()), characters, limit: batch };
    let entries = batch;
    while (entries >= batch && !isStopped()) {
      entries = await requests.purge(tenant, purge);
      removed += entries;
    }
  }
  return removed;
}

/** How silence is looked for. */
export interface SilenceWatch extends RequestUpkeep {
  /** Minutes that a connection is set to: 0 never tells, null leaves it to its runs. */
  readonly silentAfter: (tenant: string, connection: string) => Promise<number | null>;
  /** Called once for each silence, by one process. */
  readonly onSilent: (silent: SilentConnection) => void;
}

/**
 * Tells of connections that have been silent for longer than their cadence; each silence once. Call it every five minutes while
 * requests are logged: a silence begins anew where it was not called for a quarter of an hour, in which nobody could have heard.
 */
export async function tellSilence(watch: SilenceWatch): Promise<void> {
  const { requests, now, silentAfter, onSilent } = watch;
  const heardSince = await requests.listening(new Date(now()).toISOString(), AWAY_MS);
  for await (const tenant of tenantsOf(watch)) {
    for (const source of await requests.sources(tenant)) {
      const { connection, last } = source;
      if (source.silenceTold !== null || last === "") continue;
      const expectedMinutes = (await silentAfter(tenant, connection)) ?? learnedMinutes(source);
      // What is a day ahead came while a clock was: nobody knows when.
      const isKnown = last >= heardSince && Date.parse(last) <= now() + DAY_MS;
      const silentSince = Date.parse(isKnown ? last : heardSince);
      if (expectedMinutes === 0 || now() - silentSince <= expectedMinutes * MINUTE_MS) continue;
      if (await requests.tellSilence(source, new Date(now()).toISOString()))
        onSilent({ tenant, connection, last, expectedMinutes });
    }
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Milliseconds between two looks behind which nobody is believed to have been there. */
const AWAY_MS = 15 * MINUTE_MS;
/** Intervals that make a cadence. */
const LEAST_INTERVALS = 3;
/** Minutes that a connection may be late in any case. */
const GRACE_MINUTES = 15;

/** Half as long again as the longest interval between its last runs; 0 where too few are known to tell. */
function learnedMinutes({ intervals }: RequestSource): number {
  if (intervals.length < LEAST_INTERVALS) return 0;
  return Math.ceil((Math.max(...intervals) * 1.5) / MINUTE_MS) + GRACE_MINUTES;
}

const TENANTS = 100;

async function* tenantsOf({ requests, isStopped }: RequestUpkeep): AsyncGenerator<string, void, undefined> {
  let after = "";
  for (;;) {
    const tenants = await requests.tenants(after, TENANTS);
    for (const tenant of tenants) {
      if (isStopped()) return;
      yield tenant;
    }
    if (tenants.length < TENANTS) return;
    after = tenants.at(-1) ?? after;
  }
}
