import { expect, test } from "vitest";
import { Turns, type TurnRules } from "../src/turns.ts";

const turnsOf = (of: Partial<TurnRules> = {}): Turns =>
  new Turns({
    atOnce: 1,
    perTenant: () => 1,
    waiting: 10,
    patience: null,
    refusal: "Come again.",
    ...of,
  });

/** Whether so many of tenants are let wait, while one has its turn. */
async function isLetWait(turns: Turns, tenants: readonly string[]): Promise<readonly boolean[]> {
  const end = await turns.take("first");
  const controller = new AbortController();
  const isLet: boolean[] = [];
  for (const tenant of tenants) {
    const before = turns.load.waiting;
    turns.take(tenant, controller.signal).catch(() => undefined);
    await Promise.resolve();
    isLet.push(turns.load.waiting > before);
  }
  controller.abort();
  end();
  return isLet;
}

test("no more wait than may, and of one tenant half of them", async () => {
  const of = (tenants: string): Promise<readonly boolean[]> =>
    isLetWait(turnsOf({ waiting: 3 }), tenants.split(""));
  expect(await of("aaa")).toEqual([true, true, false]);
  expect(await of("aabc")).toEqual([true, true, true, false]);
});

test("who went away before its turn takes none", async () => {
  const turns = turnsOf();
  await expect(turns.take("a", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  expect(turns.load).toEqual({ running: 0, waiting: 0 });
});

test("tenants that wait have their turns one after the other, however many each has waiting", async () => {
  const turns = turnsOf();
  const end = await turns.take("first");
  const begun: string[] = [];
  const done = ["a", "a", "b", "b", "a", "b"].map(async (tenant) => {
    const endOne = await turns.take(tenant);
    begun.push(tenant);
    endOne();
  });
  end();
  await Promise.all(done);
  expect(begun).toEqual(["a", "b", "a", "b", "a", "b"]);
});

test("who had a turn comes behind all who wait, also where more of them were there first", async () => {
  const turns = turnsOf();
  const begun: string[] = [];
  const end = await turns.take("flooding");
  const waiting = ["flooding", "flooding", "quiet"].map(async (tenant) => {
    const endOne = await turns.take(tenant);
    begun.push(tenant);
    endOne();
  });
  end();
  await Promise.all(waiting);
  expect(begun).toEqual(["quiet", "flooding", "flooding"]);
});

test("some that wait in crowds keep nobody out: the last of the greatest makes room for who has fewer", async () => {
  const turns = turnsOf({ waiting: 6 });
  const end = await turns.take("first");
  const told: string[] = [];
  const waiting = ["a", "a", "a", "b", "b", "b", "c", "c", "d", "c"].map(async (tenant, at) => {
    try {
      const endOne = await turns.take(tenant);
      told.push(`${tenant} ${at}`);
      endOne();
    } catch (error) {
      told.push(`${tenant} ${at}: ${error instanceof Error ? error.message : ""}`);
    }
  });
  await Promise.resolve();
  expect(turns.load).toEqual({ running: 1, waiting: 6 });
  end();
  await Promise.all(waiting);
  expect(told.toSorted()).toEqual([
    "a 0",
    "a 1: Come again.",
    "a 2: Come again.",
    "b 3",
    "b 4",
    "b 5: Come again.",
    "c 6",
    "c 7",
    "c 9: Come again.",
    "d 8",
  ]);
});
