/**
 * Pages of the list of all types, in an order that no index gives, are found without reading the resources before them.
 */
import type { ResourceStore, ScimService } from "@scim/core";
import { interposed } from "@scim/core/testing";
import { GROUP_URN, USER_URN } from "@scim/schemas";
import { beforeAll, expect, test } from "vitest";
import { openEveryStore } from "./support/every-store.ts";
import { create, idsOf, list, serviceOver } from "./support/services.ts";

const USERS = 120;
const GROUPS = 5;

let services: readonly (readonly [string, ScimService])[] = [];

/** Resources that stores gave with pages of users since it was last looked at. */
let read = 0;

/** The same store, which counts what it gives. */
function counted(store: ResourceStore): ResourceStore {
  return interposed(store, {
    query: async (scope, query) => {
      const answer = await store.query(scope, query);
      if (answer.kind === "page" && query.type === "User") read += answer.resources.length;
      return answer;
    },
  });
}

beforeAll(async () => {
  const { stores, close } = await openEveryStore();
  services = stores.map(([name, store]) => [name, serviceOver(counted(store))]);
  for (const [, service] of services) {
    for (let number = 0; number < USERS; number += 1) {
      const nickName = number % 10 === 0 ? {} : { nickName: `Nick ${String((number * 7) % 40)}` };
      const body = { schemas: [USER_URN], userName: `u${String(number)}`, ...nickName };
      await create(service, "User", body);
    }
    for (let number = 0; number < GROUPS; number += 1)
      await create(service, "Group", { schemas: [GROUP_URN], displayName: `g${String(number)}` });
  }
  return close;
});

test.each([
  ["ascending", {}],
  ["descending", {}],
  ["ascending", { filter: 'nickName co "3" or displayName pr' }],
  ["descending", { filter: 'not (nickName co "3")' }],
] as const)("R7644-3.4.2-05 pages by number and by cursor, %s, %j", async (sortOrder, filter) => {
  const sorted = { ...filter, sortBy: "nickName", sortOrder, attributes: ["id"] };
  const [[, reference]] = services as [readonly [string, ScimService]];
  const all = idsOf(await list(reference, null, { ...sorted, count: USERS + GROUPS }));
  expect(new Set(all).size).toBe(all.length);
  for (const [name, service] of services) {
    read = 0;
    for (const startIndex of [1, 13, 80, all.length - 2]) {
      const page = await list(service, null, { ...sorted, startIndex, count: 9 });
      const expected = all.slice(startIndex - 1, startIndex + 8);
      expect([name, startIndex, page.totalResults, idsOf(page)]).toEqual([
        name,
        startIndex,
        all.length,
        expected,
      ]);
    }
    const first = await list(service, null, { ...sorted, count: 9, cursor: "" });
    const next = await list(service, null, { ...sorted, count: 9, cursor: first.nextCursor });
    const back = await list(service, null, { ...sorted, count: 9, cursor: next.previousCursor });
    expect([name, ...[first, next, back].map(idsOf)]).toEqual([
      name,
      all.slice(0, 9),
      all.slice(9, 18),
      all.slice(0, 9),
    ]);
    expect([name, read]).toEqual([name, 0]);
  }
});

test("pages by number of what no index finds come in order of id, either way", async () => {
  const filter = 'nickName co "3"';
  for (const [name, service] of services) {
    const ids = idsOf(await list(service, "User", { filter, count: USERS }));
    expect(ids.length).toBeGreaterThan(10);
    for (const sortOrder of ["ascending", "descending"] as const) {
      const expected = sortOrder === "ascending" ? ids : ids.toReversed();
      const page = await list(service, "User", { filter, sortBy: "id", sortOrder, startIndex: 3, count: 5 });
      expect([name, sortOrder, idsOf(page)]).toEqual([name, sortOrder, expected.slice(2, 7)]);
    }
  }
});
