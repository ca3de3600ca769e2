import { seed, withGroups } from "@scim/core/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { newFile, open } from "./support/folders.ts";
import { stamping } from "./support/indexed.ts";
import { type TestQuery, trace } from "./support/statements.ts";

let path = "";

beforeEach(async () => {
  path = newFile();
  const resources = stamping(await open(path));
  await seed(resources, [
    { type: "User", id: "u1", body: { userName: "anna" } },
    { type: "Group", id: "g1", body: { displayName: "one" } },
  ]);
});

// The parts that the statements of all queries share.
const LIVE = "FROM resources r WHERE r.tenant = ? AND r.type = ? AND r.deleted IS NULL";
const PAGE = `SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body ${LIVE}`;
const BY_ID = "ORDER BY r.id LIMIT ? OFFSET ?";
const ENTRY = "FROM attribute_index x WHERE x.tenant = ? AND x.type = ? AND x.path = ?";
const COUNTER = "SELECT coalesce(sum(n), 0) AS n FROM resource_counters WHERE tenant = ? AND type = ?";

function size(ids: string): string {
  return `SELECT count(*) AS n FROM (${ids} LIMIT ?) found`;
}

/** Queries of users, with the statements that answer them and their parameters. */
const GOLDEN: readonly (readonly [string, TestQuery, readonly (readonly [string, readonly unknown[]])[]])[] =
  [
    [
      "no filter",
      { type: "User" },
      [
        [COUNTER, ["north", "User"]],
        [`${PAGE} ${BY_ID}`, ["north", "User", 10, 0]],
      ],
    ],
    [
      "a unique attribute",
      { type: "User", filter: 'userName eq "ANNA"' },
      [
        [
          `${PAGE} AND r.id IN (SELECT x.id ${ENTRY} AND x.key = ?) ${BY_ID}`,
          ["north", "User", "north", "User", "userName", "anna", 10, 0],
        ],
      ],
    ],
    [
      "a prefix",
      { type: "User", filter: 'displayName sw "An"' },
      [
        [
          size(`SELECT x.id ${ENTRY} AND x.key >= ? AND x.key < ?`),
          ["north", "User", "displayName", "an", "ao", 10_001],
        ],
        [
          `${PAGE} AND r.id IN (SELECT x.id ${ENTRY} AND x.key >= ? AND x.key < ?) ${BY_ID}`,
          ["north", "User", "north", "User", "displayName", "an", "ao", 10, 0],
        ],
      ],
    ],
    [
      "two conditions: the better look-up leads, both are tested",
      { type: "User", filter: 'displayName sw "a" and userName eq "anna"' },
      [
        [
          `${PAGE} AND r.id IN (SELECT x.id ${ENTRY} AND x.key = ?) AND (EXISTS (SELECT 1 ${ENTRY} AND x.id = r.id AND x.key >= ? AND x.key < ?) AND EXISTS (SELECT 1 ${ENTRY} AND x.id = r.id AND x.key = ?)) ${BY_ID}`,
          [
            "north",
            "User",
            "north",
            "User",
            "userName",
            "anna",
            "north",
            "User",
            "displayName",
            "a",
            "b",
            "north",
            "User",
            "userName",
            "anna",
            10,
            0,
          ],
        ],
      ],
    ],
    [
      "alternatives",
      { type: "User", filter: 'userName eq "a" or externalId eq "B"' },
      [
        [
          size(
            `SELECT id FROM (SELECT x.id ${ENTRY} AND x.key = ? UNION ALL SELECT x.id ${ENTRY} AND x.key = ?) either`,
          ),
          ["north", "User", "userName", "a", "north", "User", "externalId", "B", 10_001],
        ],
        [
          `${PAGE} AND r.id IN (SELECT id FROM (SELECT x.id ${ENTRY} AND x.key = ? UNION SELECT x.id ${ENTRY} AND x.key = ?) either) ${BY_ID}`,
          ["north", "User", "north", "User", "userName", "a", "north", "User", "externalId", "B", 10, 0],
        ],
      ],
    ],
    [
      "alternatives of one attribute: one look-up for all of them, whatever their number",
      { type: "User", filter: 'userName eq "a" or userName eq "B" or userName eq "b"' },
      [
        [
          size(`SELECT x.id ${ENTRY} AND x.key IN (SELECT value FROM json_each(?))`),
          ["north", "User", "userName", '["a","b"]', 10_001],
        ],
        [
          `${PAGE} AND r.id IN (SELECT x.id ${ENTRY} AND x.key IN (SELECT value FROM json_each(?))) ${BY_ID}`,
          ["north", "User", "north", "User", "userName", '["a","b"]', 10, 0],
        ],
      ],
    ],
    [
      "an instant between two milliseconds",
      { type: "User", filter: 'meta.lastModified ge "2026-01-01T01:00:00.0001+01:00"' },
      [
        [
          size(`SELECT r.id ${LIVE} AND r.last_modified > ?`),
          ["north", "User", "2026-01-01T00:00:00.000Z", 10_001],
        ],
        [
          `${PAGE} AND r.id IN (SELECT r.id ${LIVE} AND r.last_modified > ?) ${BY_ID}`,
          ["north", "User", "north", "User", "2026-01-01T00:00:00.000Z", 10, 0],
        ],
      ],
    ],
    [
      "members",
      { type: "Group", filter: 'members.value eq "u1"' },
      [
        [
          size(
            "SELECT m.owner AS id FROM reference_values m WHERE m.tenant = ? AND m.value IN (?) AND m.type = ? AND m.path = ?",
          ),
          ["north", "u1", "Group", "members", 10_001],
        ],
        [
          `${PAGE} AND r.id IN (SELECT m.owner AS id FROM reference_values m WHERE m.tenant = ? AND m.value IN (?) AND m.type = ? AND m.path = ?) ${BY_ID}`,
          ["north", "Group", "north", "u1", "Group", "members", 10, 0],
        ],
      ],
    ],
    [
      "a sort by an attribute behind a filter",
      { type: "User", filter: 'userName eq "anna"', sortBy: "displayName", descending: true },
      [
        [
          `${PAGE} AND r.id IN (SELECT x.id ${ENTRY} AND x.key = ?) ORDER BY (SELECT x.key FROM attribute_index x WHERE x.tenant = ? AND x.type = ? AND x.id = r.id AND x.path = ?) DESC NULLS FIRST, r.id LIMIT ? OFFSET ?`,
          ["north", "User", "north", "User", "userName", "anna", "north", "User", "displayName", 10, 0],
        ],
      ],
    ],
  ];

describe("the statements of a query", () => {
  test.each(GOLDEN)("%s", (_name, query, expected) => {
    const { statements } = trace(path, query);
    expect(statements.map(({ text, params }) => [text, params])).toEqual(expected);
  });
});

function byKey(comparison = "="): string {
  return `x USING PRIMARY KEY (tenant=? AND type=? AND path=? AND key${comparison}?`;
}

function byValue(): string {
  return "m USING COVERING INDEX reference_values_value (tenant=? AND value=? AND type=? AND path=?)";
}

/** A filter of so many alternatives: those whom clients know are sent all at once. */
function anyOf(attribute: string, count: number): string {
  return Array.from({ length: count }, (_, n) => `${attribute} eq "x${n}"`).join(" or ");
}

function byOwner(): string {
  return "m USING PRIMARY KEY (tenant=? AND type=? AND owner=? AND path=?)";
}

/** Queries, what operators are told of them, and the indexes that each of their statements must use. */
const PLANS: readonly (readonly [string, TestQuery, string, readonly string[]])[] = [
  ["no filter", { type: "User" }, "index", ["resource_counters USING PRIMARY KEY", "resources_live"]],
  ["userName eq", { type: "User", filter: 'userName eq "anna"' }, "index of userName", [byKey()]],
  ["externalId eq", { type: "User", filter: 'externalId eq "x"' }, "index of externalId", [byKey(), byKey()]],
  [
    "displayName eq",
    { type: "Group", filter: 'displayName eq "x"' },
    "index of displayName",
    [byKey(), byKey()],
  ],
  [
    "displayName sw",
    { type: "User", filter: 'displayName sw "x"' },
    "index of displayName",
    [byKey(">"), byKey(">")],
  ],
  [
    "emails.value eq",
    { type: "User", filter: 'emails.value eq "x"' },
    "index of emails.value",
    [byKey(), byKey()],
  ],
  [
    "userName eq, of more than a statement may hold values",
    { type: "User", filter: anyOf("userName", 300) },
    "index of userName",
    [byKey(), byKey()],
  ],
  [
    "emails[value eq], of many",
    { type: "User", filter: `emails[${anyOf("value", 300)}]` },
    "index of emails.value",
    [byKey(), byKey()],
  ],
  [
    "id eq, of many",
    { type: "User", filter: anyOf("id", 300) },
    "index of id",
    ["(tenant=? AND type=? AND id=?)", "(tenant=? AND type=? AND id=?)"],
  ],
  [
    "members.value eq, of many",
    { type: "Group", filter: anyOf("members.value", 290) },
    "index of members",
    [byValue(), byValue()],
  ],
  [
    "groups.value eq, of many",
    { type: "User", filter: anyOf("groups.value", 290), select: withGroups(1) },
    "index of members",
    [byOwner(), byOwner()],
  ],
  [
    "emails by type and value",
    { type: "User", filter: 'emails[type eq "work" and value eq "x"]' },
    "filter behind emails.value",
    [byKey()],
  ],
  [
    "members.value eq",
    { type: "Group", filter: 'members.value eq "u1"' },
    "index of members",
    [byValue(), byValue()],
  ],
  [
    "members[value eq]",
    { type: "Group", filter: 'members[value eq "u1"]' },
    "index of members",
    [byValue(), byValue()],
  ],
  [
    "groups.value eq",
    { type: "User", filter: 'groups.value eq "g1"', select: withGroups(1) },
    "index of members",
    [byOwner(), byOwner()],
  ],
  [
    "meta.lastModified gt",
    { type: "User", filter: 'meta.lastModified gt "2026-01-01T00:00:00Z"' },
    "index of meta.lastModified",
    ["resources_last_modified", "resources_last_modified"],
  ],
  [
    "a sort by userName",
    { type: "User", sortBy: "userName" },
    "index of userName",
    [
      "resource_counters USING PRIMARY KEY",
      "x USING PRIMARY KEY (tenant=? AND type=? AND path=?)",
      "(tenant=? AND type=? AND id=?)",
    ],
  ],
  [
    "a sort by meta.created",
    { type: "User", sortBy: "meta.created" },
    "index",
    ["resource_counters USING PRIMARY KEY", "resources_created"],
  ],
  [
    "a sort by meta.created, the latest first",
    { type: "User", sortBy: "meta.created", descending: true },
    "index",
    [
      "resource_counters USING PRIMARY KEY",
      "resources_created",
      "resources_created",
      "(tenant=? AND type=? AND id=?)",
    ],
  ],
];

describe("the plan of a query", () => {
  test.each(PLANS)("%s uses an index and sorts nothing", (_name, query, outcome, indexes) => {
    const traced = trace(path, query);
    expect(traced.outcome).toBe(outcome);
    expect(traced.statements).toHaveLength(indexes.length);
    traced.statements.forEach(({ plan }, index) => {
      expect(plan.join("\n")).toContain(indexes[index]);
      expect(plan.filter((step) => step.startsWith("SCAN") && !/^SCAN (found|json_each)/.test(step))).toEqual(
        [],
      );
      expect(plan.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
    });
  });

  test.each([
    ["an attribute without an index", 'title eq "Dr"', "scan"],
    ["parts of texts", 'displayName co "a"', "scan"],
    ["a negation", 'not (userName eq "anna")', "scan"],
    [
      "an attribute without an index behind one that has one",
      'userName eq "a" and title eq "b"',
      "filter behind userName",
    ],
  ])("%s: %s is said to be a %s", (_name, filter, outcome) => {
    expect(trace(path, { type: "User", filter })).toEqual({ outcome, statements: [] });
  });
});
