import { SCOPE, seed } from "@scim/core/testing";
import type { AsideDelivery } from "@scim/events";
import { RECEIVER_CONTRACT, sampleReceiver, SIGNING_KEY_CONTRACT } from "@scim/events/testing";
import { describe, expect, test } from "vitest";
import type { Store } from "../src/store.ts";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";

const ENGINES: readonly (readonly [string, () => Promise<Store>])[] = [
  ["SQLite", async () => open(newFile())],
  ["PostgreSQL", async () => openPostgresAt(await emptyDatabase())],
];

describe.each(ENGINES)("receivers on %s", (_name, openStore) => {
  test.each(RECEIVER_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(openStore)).resolves.toBeUndefined();
  });

  test("what was given up goes with its event, and nothing else does", async () => {
    const { resources, events, receivers } = await openStore();
    const at = (day: number): string => `2026-03-0${day}T08:00:00.000Z`;
    for (const day of [1, 2, 3, 4])
      await seed(resources, [{ type: "User", id: `u${day}`, body: { userName: `u${day}` }, at: at(day) }]);
    // Transactions of others on the same server may hold positions up.
    for (let given = 0; given < 4;) given += await events.assign(4);
    const delivery = (position: number, state: AsideDelivery["state"]): AsideDelivery => ({
      position,
      type: "User",
      resource: `u${position}`,
      state,
      attempts: 1,
      since: at(position),
      next: at(position),
      problem: null,
    });
    const aside = [delivery(1, "dead"), delivery(2, "waiting"), delivery(3, "dead"), delivery(4, "dead")];
    const { tenant } = SCOPE;
    for (const id of ["r1", "r2"]) {
      await receivers.add(sampleReceiver({ tenant, id }));
      const lease = { holder: "a", now: at(5), latest: at(9), until: at(6) };
      await receivers.lease({ tenant, id }, lease);
      const outcome = { failingSince: null, lastDelivery: null, lastProblem: null };
      const came = {
        holder: "a",
        url: sampleReceiver().url,
        from: 0,
        to: 4,
        outcome,
        disabled: null,
        aside,
        done: [],
      };
      expect(await receivers.advance({ tenant, id }, came)).toBe(true);
    }
    expect(await events.purge(at(4), 2)).toBe(2);
    const left = async (id: string): Promise<readonly number[]> => {
      const all = { after: 0, limit: 100 };
      const found = await Promise.all(
        (["dead", "waiting"] as const).map((state) => receivers.aside({ tenant, id }, { state, ...all })),
      );
      return found.flat().map(({ position }) => position);
    };
    expect([await left("r1"), await left("r2")]).toEqual([
      [3, 4, 2],
      [3, 4, 2],
    ]);
    expect(await events.purge(at(4), 2)).toBe(1);
    expect([await left("r1"), await left("r2")]).toEqual([
      [4, 2],
      [4, 2],
    ]);
  });

  test.each(SIGNING_KEY_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(openStore)).resolves.toBeUndefined();
  });
});
