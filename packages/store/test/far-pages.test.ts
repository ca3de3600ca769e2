/**
 * Pages by number far from the beginning, which are reached from the nearer end, hold what walking there finds.
 */
import { indexPage, NOTHING, SCOPE, seed, sortOf } from "@scim/core/testing";
import { expect, test } from "vitest";
import { newFile, open } from "./support/folders.ts";
import { stamping } from "./support/indexed.ts";

const USERS = 2400;

/** Paths to sort by, and which way. */
const ORDERS: readonly (readonly [path: string, descending: boolean])[] = [
  // All have one,
  ["userName", false],
  ["userName", true],
  // some lack it, and many share theirs,
  ["displayName", false],
  ["displayName", true],
  // half of them lack it,
  ["externalId", false],
  ["externalId", true],
  // all share one.
  ["meta.created", false],
  ["meta.created", true],
  ["id", false],
];

test("far pages hold what walking there finds, in any order", async () => {
  const resources = stamping(await open(newFile()));
  const numbers = Array.from({ length: USERS }, (_, index) => index);
  await seed(
    resources,
    numbers.map((number) => ({
      type: "User",
      id: `u${String((number * 7) % USERS).padStart(4, "0")}`,
      body: {
        userName: `name ${String((number * 11) % USERS)}`,
        ...(number % 40 === 0 ? {} : { displayName: `display ${String(number % 30)}` }),
        ...(number % 2 === 0 ? {} : { externalId: `external ${String(number)}` }),
      },
    })),
  );
  for (const [path, descending] of ORDERS) {
    const page = async (offset: number, limit: number): Promise<readonly string[]> => {
      const query = { type: "User", filter: null, sort: sortOf("User", path, descending), select: NOTHING };
      const answer = await resources.query(SCOPE, { ...query, page: indexPage(offset, limit) });
      if (answer.kind !== "page") throw new Error("A page was expected");
      return answer.resources.map(({ id }) => id);
    };
    // Pages up to the thousandth resource are read from the beginning.
    const all = await page(0, USERS);
    expect(new Set(all).size).toBe(USERS);
    for (const offset of [1001, 1200, 1290, 1999, 2330, 2339, 2340, 2341, 2395, 2399, 2400]) {
      const found = await page(offset, 10);
      expect([path, descending, offset, found]).toEqual([
        path,
        descending,
        offset,
        all.slice(offset, offset + 10),
      ]);
    }
  }
});
