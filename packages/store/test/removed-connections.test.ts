import { createPlan } from "@scim/core/testing";
import { type GuardPlace, type LoggedRequest } from "@scim/events";
import { sampleConnection } from "@scim/tenancy/testing";
import { describe, expect, test } from "vitest";
import type { Store } from "../src/store.ts";
import { ENGINES } from "./support/engines.ts";
import { loggedRequest } from "./support/logged-request.ts";

const HR = { tenant: "north", connection: "hr" };
const AT = "2026-03-01T08:00:00.000Z";
/** What others have that are named alike. */
const NEIGHBOURS = [
  { ...HR, connection: "okta" },
  { ...HR, tenant: "south" },
];

/** A request that was answered so many minutes after the hour. */
function entry(minute: number, of: typeof HR): LoggedRequest {
  return loggedRequest({
    ...of,
    id: `${of.connection}-${minute}`,
    at: `2026-03-01T08:${minute}:00.000Z`,
    requestId: `r-${minute}`,
  });
}

function placeOf(of: typeof HR): GuardPlace {
  return { ...of, measure: "deletions", type: "User" };
}

let writes = 0;

/** What a connection does, and its guard holds. */
async function busy(store: Store, of: typeof HR): Promise<void> {
  const count = { ...placeOf(of), by: 1, at: AT, endsBefore: "", latest: AT, most: null, isTold: false };
  const id = `w${(writes += 1)}`;
  const plan = createPlan({ type: "User", id, body: { userName: id } });
  await store.resources.write(of, { ...plan, statements: [store.guard.counting(count)] });
  const held = {
    id: `h-${of.connection}`,
    resource: "u1",
    last: AT,
    changes: [],
    removed: { values: [], count: 0 },
  };
  await store.guard.hold({ ...placeOf(of), ...held });
  const entries = [10, 40].map((minute) => entry(minute, of));
  await store.requests.add({ ...of, entries, skipped: 0, pause: 300_000 });
}

/** What is known of a connection: by its guard, and by the log of its requests. */
async function known({ guard, requests }: Store, { tenant, connection }: typeof HR): Promise<object> {
  const { started, count, holds } = await guard.state(placeOf({ tenant, connection }), "another");
  const source = (await requests.sources(tenant)).find((each) => each.connection === connection);
  return {
    started,
    count,
    holds,
    held: (await guard.held(tenant, { connection, limit: 9 })).length,
    last: source?.last ?? "",
    intervals: source?.intervals ?? [],
  };
}

const NOTHING = { started: null, count: 0, holds: false, held: 0, last: "", intervals: [] };

describe.each(ENGINES)("a connection that is removed on %s", (_name, open) => {
  test("takes with it what its guard counts and holds, and when it sends requests, and nothing of others", async () => {
    const store = await open();
    for (const of of [HR, ...NEIGHBOURS]) {
      await store.connections.add(sampleConnection(of.connection, of));
      await busy(store, of);
    }
    const neighbours = await Promise.all(NEIGHBOURS.map((of) => known(store, of)));
    expect(await store.connections.remove({ ...sampleConnection("hr"), revision: 9 })).toBe(false);
    expect(await known(store, HR), "one that stays").toMatchObject({
      count: 1,
      held: 1,
      intervals: [1_800_000],
    });
    expect(await store.connections.remove(sampleConnection("hr"))).toBe(true);
    expect(await known(store, HR)).toEqual(NOTHING);
    expect(await Promise.all(NEIGHBOURS.map((of) => known(store, of)))).toEqual(neighbours);
    expect(await store.heldChanges()).toEqual(
      new Map([
        ["north", 1],
        ["south", 1],
      ]),
    );
  });

  test("leaves its requests in the log, which keeps them as those of any other", async () => {
    const store = await open();
    await store.connections.add(sampleConnection("hr"));
    await busy(store, HR);
    await store.connections.remove(sampleConnection("hr"));
    expect(await store.requests.list("north", { connection: "hr", limit: 9 })).toHaveLength(2);
    expect(await store.requests.tenants("", 9), "the upkeep finds them").toEqual(["north"]);
  });

  test("is known for nothing that ended behind it when one of its name is made anew", async () => {
    const store = await open();
    await store.connections.add(sampleConnection("hr"));
    await store.connections.remove(sampleConnection("hr"));
    await busy(store, HR);
    expect(await store.connections.add(sampleConnection("hr"))).toBe(true);
    expect(await known(store, HR)).toEqual(NOTHING);
    await busy(store, HR);
    expect(await store.connections.add(sampleConnection("hr"))).toBe(false);
    expect(await known(store, HR), "one that is there").toMatchObject({ count: 1, held: 1 });
  });
});
