/**
 * Events in SQL, for any database that an executor runs statements on.
 * @module
 */
import type { EventFeed } from "@scim/core";
import type { AuditChain } from "@scim/events";
import { linkPlaced } from "../audit/link-events.ts";
import type { Dialect } from "../dialect.ts";
import { LeftOut } from "../left-out.ts";
import { sql } from "../sql.ts";
import { countOf, type Executor, type Steps } from "../steps.ts";
import { TenantRound } from "../tenant-round.ts";
import { assignPositions, type PositionSetting } from "./assign-positions.ts";
import type { FreshEvents } from "./fresh-events.ts";
import { purgeEvents } from "./purge-events.ts";
import { readEvents } from "./read-events.ts";

/** What a feed is kept with. */
export interface FeedSetting extends Pick<PositionSetting, "beside"> {
  readonly executor: Pick<Executor, "read" | "readDurable" | "write">;
  readonly dialect: Dialect;
  /** Makes an audit entry of each event that is given a position; null for none. */
  readonly audit: AuditChain | null;
  /** The events that this process wrote last; null where they are not kept. */
  readonly freshEvents?: FreshEvents | null;
}

/** Milliseconds for which a tenant is left out whose events could not be given positions (five seconds). */
const LEFT_OUT_MS = 5000;

/** Makes the feed of a database's events. */
export function createEventFeed(feed: FeedSetting): EventFeed {
  const { executor, dialect, audit, freshEvents = null, beside } = feed;
  const leftOut = new LeftOut(LEFT_OUT_MS);
  const setting: PositionSetting =
    audit === null
      ? { executor, dialect, leftOut }
      : {
          executor,
          dialect,
          leftOut,
          onPlaced: (tenant, page) => linkPlaced({ audit, dialect, freshEvents }, tenant, page),
          prepare: audit.prepare,
          beside,
        };
  const round = new TenantRound();
  return {
    read: (tenant, page) => executor.readDurable(readEvents(tenant, page)),
    head: (tenant) => executor.readDurable(readHead(tenant)),
    assign: (limit) => assignPositions(setting, limit),
    purge: (before, limit, present) => purgeEvents({ executor, round }, { before, limit, present }),
  };
}

function* readHead(tenant: string): Steps<number> {
  return countOf(yield sql`SELECT position FROM event_heads WHERE tenant = ${tenant}`, "position");
}
