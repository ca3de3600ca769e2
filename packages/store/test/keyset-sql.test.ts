import type { KeysetPage, Place } from "@scim/core";
import { indexPage, seed } from "@scim/core/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { newFile, open } from "./support/folders.ts";
import { stamping } from "./support/indexed.ts";
import { type TestQuery, trace } from "./support/statements.ts";

let path = "";

beforeEach(async () => {
  path = newFile();
  const resources = stamping(await open(path));
  await seed(
    resources,
    ["anna", "bert", "carl", "dora"].map((name, index) => ({
      type: "User",
      id: `u${index}`,
      body: { userName: name, ...(index % 2 === 0 ? { displayName: "same" } : {}) },
    })),
  );
});

function next(from: Place | null, direction: KeysetPage["direction"] = "forward"): KeysetPage {
  return { kind: "keyset", from, direction, limit: 10 };
}

const LIVE = "FROM resources r WHERE r.tenant = ? AND r.type = ? AND r.deleted IS NULL";
const ENTRIES = "FROM attribute_index x WHERE x.tenant = ? AND x.type = ? AND x.path = ?";
const COUNTER = "SELECT coalesce(sum(n), 0) AS n FROM resource_counters WHERE tenant = ? AND type = ?";

/** Text is read as its bytes. */
const whole = (column: string): string =>
  `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END`;

/** Pages next to a place, with the statements that find its places. */
const GOLDEN: readonly (readonly [string, TestQuery, readonly string[]])[] = [
  [
    "without sort",
    { type: "User", page: next({ key: null, id: "u1" }) },
    [`SELECT r.id AS id ${LIVE} AND r.id > ? ORDER BY r.id LIMIT ?`],
  ],
  [
    "without sort, back",
    { type: "User", page: next({ key: null, id: "u3" }, "backward") },
    [`SELECT r.id AS id ${LIVE} AND r.id < ? ORDER BY r.id DESC LIMIT ?`],
  ],
  [
    "by an instant: equal keys first, then greater ones",
    { type: "User", sortBy: "meta.created", page: next({ key: "2026-01-01T00:00:00.000000000", id: "u1" }) },
    [
      `SELECT r.id AS id ${LIVE} AND r.created = ? AND r.id > ? ORDER BY r.id LIMIT ?`,
      `SELECT r.created AS key, r.id AS id ${LIVE} AND r.created > ? ORDER BY r.created, r.id LIMIT ?`,
    ],
  ],
  [
    "by an attribute, descending: the last of equal keys are read in order of id",
    { type: "User", sortBy: "userName", descending: true, page: next({ key: "dora", id: "u3" }) },
    [
      `SELECT x.id AS id ${ENTRIES} AND x.key = ? AND x.id > ? ORDER BY x.id LIMIT ?`,
      `SELECT ${whole("x.key")} AS key, x.id AS id ${ENTRIES} AND x.key < ? ORDER BY x.key DESC, x.id DESC LIMIT ?`,
      `SELECT x.id AS id ${ENTRIES} AND x.key = ? AND x.id > ? ORDER BY x.id LIMIT ?`,
    ],
  ],
];

describe("the statements of a page next to a place", () => {
  test.each(GOLDEN)("%s", (_name, query, expected) => {
    const texts = trace(path, query).statements.map(({ text }) => text);
    expect(texts[0]).toBe(COUNTER);
    expect(texts.slice(1, 1 + expected.length)).toEqual(expected);
    expect(texts.at(-1)).toContain("AND r.id IN (SELECT value FROM json_each(?))");
  });
});

const BY_ID = "(tenant=? AND type=? AND id";
const BY_CREATED = "r USING INDEX resources_created (tenant=? AND type=? AND created";
const BY_KEY = "x USING PRIMARY KEY (tenant=? AND type=? AND path=? AND key";

/** Queries, places to go on from, and the seek that finds what comes next, wherever the place is. */
const SEEKS: readonly (readonly [string, Omit<TestQuery, "type">, Place, string])[] = [
  ["no sort", {}, { key: null, id: "u1" }, BY_ID],
  ["by id", { sortBy: "id" }, { key: "u1", id: "u1" }, BY_ID],
  ["by id, descending", { sortBy: "id", descending: true }, { key: "u1", id: "u1" }, BY_ID],
  ["by time", { sortBy: "meta.created" }, { key: "2026-01-01T00:00:00.000000000", id: "u1" }, BY_CREATED],
  [
    "by time, descending",
    { sortBy: "meta.created", descending: true },
    { key: "2026-01-01T00:00:00.000000000", id: "u1" },
    BY_CREATED,
  ],
  ["by an attribute", { sortBy: "displayName" }, { key: "same", id: "u0" }, BY_KEY],
  [
    "by an attribute, descending",
    { sortBy: "displayName", descending: true },
    { key: "same", id: "u0" },
    BY_KEY,
  ],
  [
    "by an attribute, among those without",
    { sortBy: "displayName" },
    { key: null, id: "u0" },
    "x USING PRIMARY KEY (tenant=? AND type=? AND path=? AND key=? AND id",
  ],
];

describe("page 10,000 costs what page 1 costs: each statement seeks by index, passes nothing over, and sorts nothing", () => {
  test.each(SEEKS)("%s", (_name, query, from, seek) => {
    for (const direction of ["forward", "backward"] as const) {
      const { statements, outcome } = trace(path, { type: "User", ...query, page: next(from, direction) });
      expect(outcome).toMatch(/^index/);
      expect(statements.map(({ text }) => text).filter((text) => text.includes("OFFSET"))).toEqual([]);
      const plans = statements.map(({ plan }) => plan.join("\n"));
      expect(plans.slice(1, 3).join("\n")).toContain(seek);
      const steps = plans.flatMap((plan) => plan.split("\n"));
      expect(steps.filter((step) => step.startsWith("SCAN") && !step.startsWith("SCAN json_each"))).toEqual(
        [],
      );
      expect(steps.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
    }
  });

  const ends: readonly (readonly [string, Omit<TestQuery, "type">])[] = [
    ["the end of a walk", { sortBy: "userName", page: next({ key: "dora", id: "u3" }) }],
    ["its beginning, descending", { sortBy: "userName", descending: true, page: next(null) }],
    ["the first page by number, descending", { sortBy: "userName", descending: true }],
    ["the last page by number", { sortBy: "userName", page: indexPage(3, 10) }],
  ];

  test.each(ends)("%s: resources without the attribute have entries of their own", (_name, query) => {
    const { statements } = trace(path, { type: "User", ...query });
    expect(statements.filter(({ text }) => text.includes("NOT EXISTS"))).toEqual([]);
    expect(statements.filter(({ text }) => /count\(\*\)/.test(text))).toEqual([]);
  });

  test.each(ends)(
    "%s: where another program wrote, they are looked for if there are any",
    async (_name, query) => {
      const { resources } = await open(path);
      await seed(resources, [{ type: "User", id: "u4", body: { userName: "emil" } }]);
      const all = trace(path, { type: "User", ...query });
      expect(all.statements.filter(({ text }) => text.includes("NOT EXISTS"))).toEqual([]);
      const some = trace(path, { type: "User", ...query, sortBy: "displayName" });
      expect(some.statements.filter(({ text }) => text.includes("NOT EXISTS"))).toHaveLength(1);
    },
  );
});
