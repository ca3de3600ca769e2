/**
 * Pages by number far from the beginning, which are reached from the nearer end, hold what walking there finds.
 */
import { indexPage, NOTHING, SCOPE, seed, sortOf } from "@scim/core/testing";
import { expect, test } from "vitest";
import { newFile, open } from "./support/folders.ts";
import { stamping } from "./support/indexed.ts";

const USERS = 2400;

test.each([
  ["userName, which all have", "userName", false],
  ["userName, descending", "userName", true],
  ["displayName, which some lack and many share", "displayName", false],
  ["displayName, descending", "displayName", true],
  ["meta.created, which all share", "meta.created", false],
  ["id", "id", false],
])("in the order of %s", async (_name, path, descending) => {
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
      },
    })),
  );
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
    expect([offset, await page(offset, 10)]).toEqual([offset, all.slice(offset, offset + 10)]);
  }
});
