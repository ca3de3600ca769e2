/**
 * Events in SQL, for any database that an executor runs statements on.
 * @module
 */
import type { EventFeed } from "@scim/core";
import { sql } from "../sql.ts";
import { countOf, type Steps } from "../steps.ts";
import { assignPositions, type PositionSetting } from "./assign-positions.ts";
import { readEvents } from "./read-events.ts";

/** Makes the feed of a database's events. */
export function createEventFeed(setting: PositionSetting): EventFeed {
  const { executor } = setting;
  return {
    read: (tenant, page) => executor.read(readEvents(tenant, page)),
    head: (tenant) => executor.read(readHead(tenant)),
    assign: (limit) => assignPositions(setting, limit),
  };
}

function* readHead(tenant: string): Steps<number> {
  return countOf(yield sql`SELECT position FROM event_heads WHERE tenant = ${tenant}`, "position");
}
