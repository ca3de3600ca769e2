import { fetchOne, SCOPE, updatePlan } from "@scim/core/testing";
import { type LoggedRequest, readEarlierState } from "@scim/events";
import { expect, test } from "vitest";
import { at, AUDITED, CATALOG, counted, create, idAt, place } from "./support/events-of-requests.ts";
import { loggedRequest } from "./support/logged-request.ts";

test.each(AUDITED)(
  "what a resource was is found without what others changed since, on %s",
  async (_name, openNew) => {
    const store = await openNew();
    await create(store, "anna", { tenths: 0, request: "r0" });
    const change = async (title: string, tenths: number): Promise<void> => {
      const stored = await fetchOne(store.resources, { type: "User", id: "anna" });
      const plan = updatePlan(stored, { body: { userName: "anna", title }, at: at(tenths) });
      const event = { ...plan.event, origin: { request: `r${tenths}` } };
      expect(await store.resources.write(SCOPE, { ...plan, event })).toMatchObject({ kind: "written" });
    };
    await change("one", 10);
    await change("two", 20);
    await Promise.all(
      Array.from({ length: 1000 }, (_, n) => create(store, `x${n}`, { tenths: 30 + n, request: `x${n}` })),
    );
    await change("three", 5000);
    await place(store);
    const request = (tenths: number): LoggedRequest =>
      loggedRequest({
        ...SCOPE,
        id: idAt(tenths),
        at: at(tenths),
        requestId: `r${tenths}`,
        method: "PATCH",
        type: "User",
        resource: "anna",
      });
    const { events, count } = counted(store);
    const titleBefore = async (tenths: number): Promise<unknown> => {
      const state = await readEarlierState({ ...store, events, catalog: CATALOG }, request(tenths));
      return state === null ? null : [state.body["title"]];
    };
    expect(await titleBefore(0)).toBeNull();
    expect(await titleBefore(10)).toEqual([undefined]);
    expect(await titleBefore(20)).toEqual(["one"]);
    expect(await titleBefore(40)).toEqual(["two"]);
    expect(await titleBefore(5000)).toEqual(["two"]);
    expect(await titleBefore(6000)).toEqual(["three"]);
    // What came into being later was not there before.
    const early = { ...request(20), resource: "x5" };
    expect(await readEarlierState({ ...store, events, catalog: CATALOG }, early)).toBeNull();
    // Each finds its place by halving, and reads the events of one resource.
    expect(count()).toBeLessThan(150);
  },
);
