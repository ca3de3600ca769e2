import { createPlan, SCOPE, seed } from "@scim/core/testing";
import { describe, expect, test } from "vitest";
import { ENGINES } from "./support/engines.ts";

describe.each(ENGINES)("events that wait for their position on %s", (_name, open) => {
  test("are counted over all tenants, with the instant of the first", async () => {
    const store = await open();
    expect(await store.waitingEvents()).toEqual({ events: 0, oldest: null });
    await seed(store.resources, [{ type: "Badge", id: "b1", body: {}, at: "2026-03-01T08:00:01.000Z" }]);
    for (const tenant of ["south", "west"]) {
      const at = "2026-03-01T08:00:00.000Z";
      const plan = createPlan({ type: "Badge", id: "b2", body: {}, at });
      await store.resources.write({ ...SCOPE, tenant }, plan);
    }
    expect(await store.waitingEvents()).toEqual({ events: 3, oldest: "2026-03-01T08:00:00.000Z" });
    // Transactions that others have open on the same server may hold positions up.
    const left = async (): Promise<unknown> => {
      await store.events.assign(10);
      return store.waitingEvents();
    };
    await expect.poll(left).toEqual({ events: 0, oldest: null });
  });
});
