import { DatabaseSync } from "node:sqlite";
import { SCOPE, seed } from "@scim/core/testing";
import type { ReferenceRowQuery } from "@scim/core";
import { beforeEach, describe, expect, test } from "vitest";
import { passRows, rowsBehind } from "../src/resources/reference-rows.ts";
import { sqliteDialect } from "../src/sqlite/dialect.ts";
import { newFile, open } from "./support/folders.ts";
import { traceSteps } from "./support/statements.ts";
import { turnsDuring } from "./support/turns-during.ts";

const ALL: ReferenceRowQuery = {
  type: "Group",
  path: "members",
  owner: null,
  value: null,
  displayKey: "displayName",
  descending: false,
  after: null,
  offset: 0,
  limit: 10,
};
const PAGE = { tenant: "north", dialect: sqliteDialect };
const PLACE = { owner: "small", position: 3 };

let path = "";

beforeEach(async () => {
  path = newFile();
  const { resources } = await open(path);
  await seed(resources, [
    { type: "Group", id: "large", body: { displayName: "large" }, members: names(20_000) },
    { type: "Group", id: "small", body: { displayName: "small" }, members: names(20) },
  ]);
});

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `m${index}`);
}

const OWNER_BY_ID = "SEARCH r USING INDEX sqlite_autoindex_resources_1 (tenant=? AND type=? AND id=?)";
const OWNERS = "SEARCH r USING INDEX sqlite_autoindex_resources_1 (tenant=? AND type=? AND id>?)";
const ROWS = "SEARCH m USING PRIMARY KEY (tenant=? AND type=? AND owner=? AND path=?)";
const BY_VALUE =
  "SEARCH m USING INDEX reference_values_value (tenant=? AND value=? AND type=? AND path=? AND ";

/** Pages, with the plan of each statement that is run for them. */
const PLANS: readonly (readonly [string, Partial<ReferenceRowQuery>, readonly (readonly string[])[]])[] = [
  ["all", {}, [[OWNERS, ROWS]]],
  [
    "all, behind a place",
    { after: PLACE, limit: 100 },
    [
      [OWNER_BY_ID, `${ROWS.slice(0, -1)} AND position>?)`],
      [OWNERS, ROWS],
    ],
  ],
  ["of an owner", { owner: "large" }, [[OWNER_BY_ID, ROWS]]],
  [
    "of an owner, behind a place",
    { owner: "large", after: { owner: "large", position: 10_000 } },
    [[OWNER_BY_ID, `${ROWS.slice(0, -1)} AND position>?)`]],
  ],
  [
    "of an owner, backwards from a place",
    { owner: "large", descending: true, after: { owner: "large", position: 10_000 } },
    [[OWNER_BY_ID, `${ROWS.slice(0, -1)} AND position<?)`]],
  ],
  ["of a value", { value: "m1" }, [[`${BY_VALUE}owner>?)`, OWNER_BY_ID]]],
  [
    "of a value, behind a place",
    { value: "m1", after: { owner: "large", position: 2 } },
    [[`${BY_VALUE}owner>?)`, OWNER_BY_ID]],
  ],
  [
    "of a value, backwards from a place",
    { value: "m1", descending: true, after: PLACE },
    [[`${BY_VALUE}owner>? AND owner<?)`, OWNER_BY_ID]],
  ],
  ["of an owner and a value", { owner: "large", value: "m1" }, [[`${BY_VALUE}owner=?)`, OWNER_BY_ID]]],
];

describe("rows of a collection are found by index, in order, without sorting", () => {
  test.each(PLANS)("%s", (_name, query, plans) => {
    const { statements } = traceSteps(path, rowsBehind({ ...PAGE, query: { ...ALL, ...query } }));
    expect(statements.map(({ plan }) => plan)).toEqual(plans);
  });

  test.each<[string, Partial<ReferenceRowQuery>, number, number]>([
    ["of an owner", { owner: "small" }, 20, 2],
    ["of a value", { value: "m1" }, 2, 2],
    ["of an owner and a value", { owner: "small", value: "m1" }, 1, 2],
    ["all", {}, 10_000, 1],
    ["all, across owners", { after: { owner: "large", position: 19_990 } }, 30, 4],
  ])("passing over rows %s scans no table and sorts nothing", (_name, query, count, steps) => {
    const { result, statements } = traceSteps(path, passRows(PAGE, { ...ALL, ...query }, 10_000));
    expect(result.count).toBe(count);
    expect(statements).toHaveLength(steps);
    expect(statements.flatMap(({ plan }) => plan).filter((step) => !step.startsWith("SEARCH"))).toEqual([]);
  });

  test("counting and pages by number go on over any number of strides", async () => {
    const { resources } = await open(path);
    expect(await resources.countReferenceRows(SCOPE, ALL)).toBe(20_020);
    expect(await resources.countReferenceRows(SCOPE, { ...ALL, owner: "large" })).toBe(20_000);
    for (const offset of [9999, 10_000, 10_001, 19_999, 20_000, 20_019, 20_020, 90_000]) {
      const [row] = await resources.referenceRows(SCOPE, { ...ALL, offset, limit: 1 });
      const [owner, place] = offset < 20_000 ? ["large", offset] : ["small", offset - 20_000];
      const expected = offset < 20_020 ? [owner, `m${place}`] : [];
      expect(row === undefined ? [] : [row.owner, row.value]).toEqual(expected);
    }
  });
});

describe("what a page costs does not depend on the size of the collection", () => {
  test.each(["small", "large"])(
    "one statement reads ten rows of the %s group, at its end as at its begin",
    (owner) => {
      const end = { owner, position: owner === "small" ? 10 : 19_990 };
      for (const after of [null, end]) {
        const { result, statements } = traceSteps(
          path,
          rowsBehind({ ...PAGE, query: { ...ALL, owner, after } }),
        );
        expect(result).toHaveLength(10);
        expect(statements).toHaveLength(1);
        expect(statements[0]?.rows).toBe(10);
      }
    },
  );
});

/** Groups without members, before the two, between them and behind them. */
const EMPTY = 1100;

describe("groups that nobody is in", () => {
  beforeEach(() => {
    const database = new DatabaseSync(path);
    for (const prefix of ["a", "m", "z"])
      database.exec(`WITH RECURSIVE counted (n) AS
          (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${EMPTY})
        INSERT INTO resources (tenant, type, id, connection, revision, version, created, last_modified, body)
        SELECT '${SCOPE.tenant}', 'Group', '${prefix}' || (10000 + n), 'first', 1, '1-a', '', '', '{}' FROM counted`);
    database.close();
  });

  test("stand in the way of no row", async () => {
    const { resources } = await open(path);
    expect(await resources.countReferenceRows(SCOPE, ALL)).toBe(20_020);
    for (const [query, expected] of [
      [{ limit: 2 }, ["large m0", "large m1"]],
      [{ offset: 19_999, limit: 2 }, ["large m19999", "small m0"]],
      [{ after: { owner: "large", position: 19_999 }, limit: 2 }, ["large m19999", "small m0"]],
      [{ offset: 20_020 }, []],
      [{ descending: true, limit: 2 }, ["small m19", "small m18"]],
      [{ descending: true, offset: 19, limit: 2 }, ["small m0", "large m19999"]],
      [{ descending: true, after: { owner: "m10001", position: 9 }, limit: 1 }, ["large m19999"]],
      [{ after: { owner: "z10001", position: 1 } }, []],
    ] as const) {
      const rows = await resources.referenceRows(SCOPE, { ...ALL, ...query });
      expect(rows.map(({ owner, value }) => `${owner} ${value}`)).toEqual(expected);
    }
  });

  test("others have their turn while they are gone through", async () => {
    const { resources } = await open(path);
    const last = { ...ALL, after: { owner: "small", position: 20 } };
    const turns = await turnsDuring(resources.referenceRows(SCOPE, last));
    expect(turns).toBeGreaterThan(0);
    expect(await turnsDuring(resources.countReferenceRows(SCOPE, ALL))).toBeGreaterThan(turns + 2);
  });
});
