/**
 * Events and entries of the request log that tell of the same requests, at instants of a test.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { type ChangeOrigin, createModelCatalog, type EventFeed } from "@scim/core";
import { createPlan, SCOPE } from "@scim/core/testing";
import { SAMPLE_AUDIT } from "@scim/events/testing";
import { createDefaultRegistry } from "@scim/schemas";
import type { Store } from "../../src/store.ts";
import { openPostgres } from "./engines.ts";
import { open } from "./folders.ts";

/** Stores with an audit log, by the name of their database. */
export const AUDITED: readonly (readonly [string, () => Promise<Store>])[] = [
  ["SQLite", () => open(":memory:", { audit: SAMPLE_AUDIT })],
  ["PostgreSQL", () => openPostgres({ audit: SAMPLE_AUDIT })],
];

/** The resource types of the tests. */
export const CATALOG = createModelCatalog(createDefaultRegistry());

const START = Date.parse("2026-03-01T08:00:00.000Z");

/** The instant so many tenths of a second after the start. */
export function at(tenths: number): string {
  return new Date(START + tenths * 100).toISOString();
}

/** The UUIDv7 of an instant, whose end says which of that instant it is. */
export function idAt(tenths: number, end = 0): string {
  const time = (START + tenths * 100).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(end).padStart(12, "0")}`;
}

/** When, for whom and by which connection something is created. */
export interface Creation extends ChangeOrigin {
  readonly tenths: number;
  readonly by?: string;
}

/** Creates a user. */
export async function create(store: Store, id: string, creation: Creation): Promise<void> {
  const { tenths, by = SCOPE.connection, ...origin } = creation;
  const plan = createPlan({ type: "User", id, body: { userName: id }, at: at(tenths) });
  const event = { ...plan.event, origin };
  const { kind } = await store.resources.write({ ...SCOPE, connection: by }, { ...plan, event });
  if (kind !== "written") throw new Error(`${id}: ${kind}`);
}

/** Gives all events their position. Transactions of other tests on the same server may hold some up: those are waited for. */
export async function place(store: Store): Promise<void> {
  while ((await store.waitingEvents()).events > 0)
    if ((await store.events.assign(5000)) === 0) await delay(LOOK_MS);
}

/** Milliseconds between two looks in vain. */
const LOOK_MS = 3;

/** A feed, and how many events were read of it. */
export function counted({ events }: Store): {
  readonly events: Pick<EventFeed, "read" | "head">;
  readonly count: () => number;
} {
  let count = 0;
  return {
    events: {
      head: (tenant) => events.head(tenant),
      read: async (tenant, page) => {
        const found = await events.read(tenant, page);
        count += found.length;
        return found;
      },
    },
    count: () => count,
  };
}
