import { referenceBatch } from "@scim/core";
import { fetchOne, SCOPE, seed, updatePlan } from "@scim/core/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ENGINES } from "./support/engines.ts";

const TEAM = { type: "Group", id: "g1", body: { displayName: "Team" }, members: ["u1", "u2"] } as const;
const OWNER = { ...TEAM, path: "members" };

/** Values that are too many for a plan. */
const MANY = Array.from({ length: 1001 }, (_, index) => ({ value: `m${index}`, rest: {} }));

const GONE = expect.objectContaining({ code: "unavailable" });

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

describe.each(ENGINES)("a stage that a purge takes for abandoned, in %s", (_engine, openStore) => {
  test("takes no member from a group: neither compared with it, nor taken over by it", async () => {
    const { resources } = await openStore();
    await seed(resources, [TEAM]);
    const team = await fetchOne(resources, TEAM);
    const stage = await resources.stage(SCOPE, "Group");
    await stage.add("members", referenceBatch(MANY));
    const difference = await stage.compare(OWNER, (_, staged) => staged);
    if (difference.kind === "short") throw new TypeError("The list is long");
    const staged = { stage: stage.id, changes: [difference.change] };

    vi.setSystemTime(Date.now() + 2 * 86_400_000);
    await resources.purge("2000-01-01T00:00:00.000Z", 10);

    await expect(resources.write(SCOPE, { ...updatePlan(team, {}), staged })).rejects.toEqual(GONE);
    await expect(stage.compare(OWNER, (_, each) => each)).rejects.toEqual(GONE);
    await stage.close();
    expect((await fetchOne(resources, TEAM)).version).toBe(team.version);
    const held = await resources.references(SCOPE, OWNER, "all");
    expect(held.map(({ value }) => value)).toEqual(TEAM.members);
  });
});
