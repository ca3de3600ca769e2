/**
 * Positions of events, as the contract waits for them.
 * @module
 */
import type { FeedEvent } from "../../store/event-feed.ts";
import { ContractViolation, expectEqual } from "./expect.ts";
import type { StoreWithEvents } from "./rule.ts";
import { SCOPE } from "./sample.ts";

/** More than any rule writes. */
export const ALL = 10_000;

/** Looks for events to give positions to, at most. */
const LOOKS = 5000;
/** Milliseconds between two looks in vain. */
const LOOK_MS = 3;

/**
 * Gives positions, at most `limit` to each tenant, until some are given: transactions of others on the same server
 * may hold them up.
 */
export async function assignSome({ events }: StoreWithEvents, limit = ALL): Promise<number> {
  for (let look = 0; look < LOOKS; look += 1) {
    const given = await events.assign(limit);
    if (given > 0) return given;
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
  }
  throw new ContractViolation("giving positions", 0, "some");
}

/**
 * Gives positions to so many events, of all tenants together. Those of transactions that others on the same server hold up are
 * waited for, some seconds.
 * @param limit how many of each tenant at once
 * @throws ContractViolation where others than so many get one
 */
export async function assignAll(store: StoreWithEvents, count: number, limit = ALL): Promise<void> {
  let given = 0;
  while (given < count) given += await assignSome(store, limit);
  expectEqual(given, count, "positions given");
}

/** The events of a tenant that have a position. */
export async function readAll(
  { events }: StoreWithEvents,
  tenant = SCOPE.tenant,
): Promise<readonly FeedEvent[]> {
  return events.read(tenant, { after: 0, limit: ALL });
}

/** Their positions. */
export function positionsOf(events: readonly FeedEvent[]): readonly number[] {
  return events.map(({ position }) => position);
}
