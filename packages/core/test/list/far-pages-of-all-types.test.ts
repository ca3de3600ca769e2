import { beforeAll, expect, test } from "vitest";
import type { StoreQuery } from "../../src/index.ts";
import { group, user } from "../support/bodies.ts";
import { testService, type TestService } from "../support/service.ts";
import { recordingStore } from "../support/store-wrappers.ts";

const USERS = 4500;
const GROUPS = 600;

const queries: StoreQuery[] = [];
let tested: TestService;
/** Names in the order of the list. */
let ordered: readonly string[];

beforeAll(async () => {
  tested = testService(undefined, { wrap: (store) => recordingStore(store, { queries }) });
  const client = tested.as();
  const names = Array.from({ length: USERS + GROUPS }, (_, number) => {
    const place = (number * 7919) % (USERS + GROUPS);
    return `name ${String(place).padStart(5, "0")}`;
  });
  ordered = names.toSorted();
  for (const [number, displayName] of names.entries())
    await (number < USERS
      ? client.post("User", user({ userName: `u${String(number)}`, displayName }))
      : client.post("Group", group({ displayName })));
});

test.each([
  [1, 30],
  [2000, 30],
  [2001, 1],
  [4801, 50],
  [5080, 100],
  [5101, 10],
  [4900, 0],
])(
  "R7644-3.4.2-05 page %i of %i in the sorted list of all types goes through each type a few times",
  async (startIndex, count) => {
    queries.length = 0;
    const answer = await tested.as().list(null, { sortBy: "displayName", startIndex, count });
    const first = startIndex - 1;
    expect(answer.totalResults).toBe(USERS + GROUPS);
    expect(answer.resources.map(({ displayName }) => displayName)).toEqual(
      ordered.slice(first, first + count),
    );
    for (const type of ["User", "Group"])
      expect(queries.filter((query) => query.type === type).length, type).toBeLessThanOrEqual(3);
  },
);

test("R7644-3.4.2-05 the same descending, narrowed by a filter", async () => {
  const query = { filter: 'displayName co "0"', sortBy: "displayName", sortOrder: "descending" } as const;
  const answer = await tested.as().list(null, { ...query, startIndex: 3000, count: 20 });
  const expected = ordered.filter((name) => name.includes("0")).toReversed();
  expect(answer.totalResults).toBe(expected.length);
  expect(answer.resources.map(({ displayName }) => displayName)).toEqual(expected.slice(2999, 3019));
});
