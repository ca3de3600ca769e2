/**
 * The plans of PostgreSQL, where tenants of very different size share the tables: each query reads by index what it
 * answers and little more, also by the plan that prepared statements have for whatever values come.
 */
import type { KeysetPage, Place, ReadSelection, SettleReference, StoreQuery } from "@scim/core";
import { filterOf, indexPage, NOTHING, sortOf, withGroups } from "@scim/core/testing";
import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyView, isSettled } from "../src/indexes/view.ts";
import { postgresDialect } from "../src/postgres/dialect.ts";
import { wireStatement } from "../src/postgres/wire-statement.ts";
import { answerBeside } from "../src/query/answer.ts";
import { liveCount } from "../src/query/live-count.ts";
import { readResource } from "../src/resources/read.ts";
import { passRows, rowsBehind } from "../src/resources/reference-rows.ts";
import { resourceOf } from "../src/resources/rows.ts";
import { compareStaged, leaveStaged } from "../src/resources/stage-difference.ts";
import { ownRows, removeRows } from "../src/resources/collections.ts";
import { takeOverStaged } from "../src/resources/take-over.ts";
import type { Sql } from "../src/sql.ts";
import { isBatch, NO_ANSWER, type Row, type Steps } from "../src/steps.ts";
import { fillTables, TENANTS, user } from "./support/many-rows.ts";
import { type OwnDatabase, ownDatabase } from "./support/own-database.ts";

/** Rows of one table that a statement may look at: those of its answer, and of what it has to be sure of. */
const MOST_ROWS = 130;

let database: OwnDatabase;
let client: Client;

beforeAll(async () => {
  database = await ownDatabase();
  ({ client } = database);
  await fillTables(client);
});

afterAll(() => database.drop());

/** A step of a plan, as far as it is looked at. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Tables that are small, whatever is stored. */
const SMALL: ReadonlySet<string> = new Set(["resource_counters", "index_revisions"]);

/** What a plan reads of tables that may be large: how, and how many rows. */
interface Access {
  readonly statement: string;
  readonly how: string;
  readonly rows: number;
}

function accesses(statement: string, node: PlanNode): readonly Access[] {
  const inner = (node.Plans ?? []).flatMap((each) => accesses(statement, each));
  const table = node["Relation Name"];
  if (table === undefined || SMALL.has(table)) return inner;
  const loops = node["Actual Loops"] ?? 0;
  const rows = ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) * loops;
  return [{ statement, how: `${node["Node Type"]} ${table} ${node["Index Name"] ?? ""}`, rows }, ...inner];
}

/** Runs steps, and tells how each of their statements reads tables: with its values, and with any. */
async function plansOf(steps: Steps<unknown>): Promise<readonly Access[]> {
  const found: Access[] = [];
  let step = steps.next(NO_ANSWER);
  while (step.done !== true) {
    if (typeof step.value === "symbol" || isBatch(step.value)) throw new TypeError("A read was expected");
    found.push(...(await explain(step.value)));
    const { text, values } = wireStatement(step.value);
    const { rows } = await client.query<Row>(text, [...values]);
    step = steps.next({ rows, changes: 0 });
  }
  return found;
}

async function explain(statement: Sql): Promise<readonly Access[]> {
  const { text, values } = wireStatement(statement);
  const own = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, [...values]);
  const any = await client.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
  return [own, any].flatMap(({ rows }) => {
    // The server states its plans in this form.
    const [{ Plan: plan }] = JSON.parse(String(rows[0]["QUERY PLAN"])) as [{ Plan: PlanNode }];
    return accesses(text.replaceAll(/\s+/g, " "), plan);
  });
}

interface TestQuery {
  readonly type?: "User" | "Group";
  readonly filter?: string;
  readonly sortBy?: string;
  readonly descending?: boolean;
  readonly page?: StoreQuery["page"];
  readonly select?: ReadSelection;
}

function asked(tenant: string, query: TestQuery): Steps<unknown> {
  const { type = "User", filter, sortBy, descending = false, page = indexPage(0, 10) } = query;
  return answerBeside({
    scope: { tenant, connection: "first" },
    dialect: postgresDialect,
    indexes: emptyView(type),
    query: {
      type,
      filter: filter === undefined ? null : filterOf(type, filter),
      sort: sortBy === undefined ? null : sortOf(type, sortBy, descending),
      page,
      select: query.select ?? NOTHING,
    },
  });
}

function next(from: Place | null, direction: KeysetPage["direction"] = "forward"): KeysetPage {
  return { kind: "keyset", from, direction, limit: 10 };
}

/** One that is there, and many that are not. */
function anyOf(path: string, value: string): string {
  return [value, ...Array.from({ length: 220 }, (_, n) => `nobody ${n}`)]
    .map((each) => `${path} eq "${each}"`)
    .join(" or ");
}

const name = user.name(1);
const id = user.id(1);
const CREATED = { key: "2026-01-01T00:10:00.000000000", id: user.id(600) };

/** What an identity provider asks. */
const QUERIES: readonly (readonly [string, TestQuery])[] = [
  ["the first page", {}],
  ["userName eq", { filter: `userName eq "${name}"` }],
  ["userName eq of nobody", { filter: 'userName eq "person 3"' }],
  ["userName sw", { filter: `userName sw "${name.slice(0, 9)}"` }],
  ["userName sw of nobody, where others have such values", { filter: 'userName sw "person"' }],
  ["externalId eq", { filter: `externalId eq "${name}"` }],
  ["displayName eq", { filter: 'displayName eq "person 3"' }],
  ["displayName eq, of groups", { type: "Group", filter: 'displayName eq "group 1"' }],
  ["displayName sw", { filter: 'displayName sw "person 499"' }],
  ["emails.value eq", { filter: `emails.value eq "${name}@example.com"` }],
  ["members.value eq", { type: "Group", filter: `members.value eq "${id}"` }],
  ["members[value eq]", { type: "Group", filter: `members[value eq "${id}"]` }],
  ["groups.value eq", { filter: 'groups.value eq "g0000001"', select: withGroups(1) }],
  ["meta.lastModified gt", { filter: 'meta.lastModified gt "2026-01-01T05:33:00Z"' }],
  ["id eq", { filter: `id eq "${id}"` }],
  ["many alternatives of userName", { filter: anyOf("userName", name) }],
  ["many alternatives of id", { filter: anyOf("id", id) }],
  ["many alternatives of members.value", { type: "Group", filter: anyOf("members.value", id) }],
  ["many alternatives of groups.value", { filter: anyOf("groups.value", "g0000001"), select: withGroups(1) }],
  ["alternatives", { filter: `userName eq "${name}" or externalId eq "${name}" or id eq "${id}"` }],
  ["both, of which one is few", { filter: `displayName sw "person" and externalId eq "${name}"` }],
  [
    "both, in the order of a third",
    { filter: `externalId eq "${name}" and id eq "${id}"`, sortBy: "userName" },
  ],
  ["few, by cursor", { filter: 'displayName eq "person 3"', page: next({ key: null, id: user.id(500) }) }],
  ["in the order of userName", { sortBy: "userName" }],
  ["in the order of userName, descending", { sortBy: "userName", descending: true }],
  [
    "behind the last, in the order of externalId",
    { type: "Group", sortBy: "externalId", page: next(null, "backward") },
  ],
  ["by cursor", { page: next({ key: null, id: user.id(1500) }) }],
  ["by cursor, backward", { page: next({ key: null, id: user.id(1500) }, "backward") }],
  ["by cursor in the order of userName", { sortBy: "userName", page: next({ key: "user-5", id }) }],
  [
    "by cursor in the order of displayName, backward",
    { sortBy: "displayName", descending: true, page: next({ key: "person 5", id }, "backward") },
  ],
  ["by cursor in the order of time", { sortBy: "meta.created", page: next(CREATED) }],
  ["with groups", { select: withGroups(1) }],
  ["with groups through groups", { select: withGroups(16) }],
];

/** What is not read by index, or goes through more than it answers. */
function slow(found: readonly Access[]): readonly Access[] {
  return found.filter(({ how, rows }) => !/^Index (?:Only )?Scan /.test(how) || rows > MOST_ROWS);
}

describe.each(TENANTS)("a tenant like %s", (tenant, users) => {
  test.each(QUERIES)("%s", async (_name, query) => {
    const found = await plansOf(asked(tenant, query));
    expect(found.length).toBeGreaterThan(0);
    expect(slow(found)).toEqual([]);
  });

  test("the last page by number", async () => {
    const offset = Math.max(0, users - 50);
    for (const sortBy of [undefined, "meta.created", "userName"]) {
      const query = { page: indexPage(offset, 100), ...(sortBy === undefined ? {} : { sortBy }) };
      expect(slow(await plansOf(asked(tenant, query)))).toEqual([]);
    }
  });

  test("a resource by its id, with its groups", async () => {
    const source = { tenant, type: "User" };
    const read = { id, select: withGroups(1), make: resourceOf };
    expect(slow(await plansOf(readResource(source, read, postgresDialect)))).toEqual([]);
  });

  test("references of all groups, from the begin and behind a place, and passed over", async () => {
    const query = { type: "Group", path: "members", owner: null, value: null, displayKey: "displayName" };
    const after = { owner: `g${String(Math.ceil(users / 20)).padStart(7, "0")}`, position: 15 };
    for (const place of [null, after]) {
      for (const descending of [false, true]) {
        const rows = { ...query, after: place, descending };
        const page = { tenant, dialect: postgresDialect, query: { ...rows, offset: 0, limit: 10 } };
        expect(slow(await plansOf(rowsBehind(page)))).toEqual([]);
        expect(slow(await plansOf(passRows(page, rows, 100)))).toEqual([]);
      }
    }
  });

  test("counters, and whether all entries are right", async () => {
    const source = { tenant, type: "User" };
    expect(await plansOf(liveCount(source))).toEqual([]);
    const found = await plansOf(isSettled(source));
    expect(slow(found)).toEqual([]);
    expect(found.map(({ how }) => how)).toEqual(
      Array(2).fill("Index Only Scan resources resources_unsettled"),
    );
  });
});

describe("a collection and what is staged for it, both long", () => {
  const staged = { tenant: "staging", stage: "s1", path: "members" };
  const owner = { tenant: "staging", type: "Group", owner: "g1", path: "members" };

  /** Runs steps that write, and tells how often the plan of each statement goes through a table. */
  async function loopsOf(steps: Steps<unknown>, written: number[] = []): Promise<readonly number[]> {
    const loops: number[] = [];
    let step = steps.next(NO_ANSWER);
    while (step.done !== true) {
      if (typeof step.value === "symbol") {
        step = steps.next(NO_ANSWER);
        continue;
      }
      if (isBatch(step.value)) throw new TypeError("A statement was expected");
      const { text, values } = wireStatement(step.value);
      const isSetting = text.startsWith("SET ");
      if (!isSetting) {
        await client.query("SAVEPOINT explained");
        const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, [
          ...values,
        ]);
        await client.query("ROLLBACK TO explained");
        const [{ Plan: plan }] = JSON.parse(String(rows[0]["QUERY PLAN"])) as [{ Plan: PlanNode }];
        loops.push(...tableLoops(plan));
      }
      const { rows, rowCount } = await client.query<Row>(text, [...values]);
      if (text.startsWith("INSERT ")) written.push(rowCount ?? 0);
      step = steps.next({ rows, changes: rowCount ?? 0 });
    }
    return loops;
  }

  function tableLoops(node: PlanNode): readonly number[] {
    const inner = (node.Plans ?? []).flatMap(tableLoops);
    return node["Relation Name"] === undefined ? inner : [node["Actual Loops"] ?? 0, ...inner];
  }

  /** Puts 3000 members, far from each other, beside 3000 that are staged, of which half are the same. */
  async function besideStaged<Result>(run: () => Promise<Result>): Promise<Result> {
    await client.query("BEGIN");
    await client.query(`INSERT INTO reference_values SELECT 'staging', 'Group', 'g1', 'members', n * 1000, 'm' || n, '{}'
      FROM generate_series(1, 3000) n`);
    await client.query(`INSERT INTO staged_references SELECT 'staging', 's1', 'members', n, 'm' || n + 1500, '{}'
      FROM generate_series(1, 3000) n`);
    const result = await run();
    await client.query("ROLLBACK");
    return result;
  }

  const keeping: SettleReference = ({ rest }) => rest;

  test("are gone through once by each statement, though the server takes them for short", async () => {
    const { loops, rows } = await besideStaged(async () => {
      const comparing = compareStaged({ staged, owner }, keeping, postgresDialect);
      const taking = takeOverStaged({ staged, owner, isNew: false }, postgresDialect);
      const all = [...(await loopsOf(comparing)), ...(await loopsOf(taking))];
      const found = await client.query(
        "SELECT min(position), max(position), count(*) FROM reference_values WHERE tenant = 'staging'",
      );
      return { loops: all, rows: found.rows };
    });
    expect(rows).toEqual([{ min: 1_501_000, max: 3_003_000, count: 3000 }]);
    expect(loops.length).toBeGreaterThan(10);
    expect(Math.max(...loops)).toBe(1);
  });

  test.each([
    { most: 1000, leaving: [1000, 500, 0, 0], coming: [0, 500, 1000] },
    { most: 1500, leaving: [1500, 0, 0], coming: [0, 1500] },
    { most: 2999, leaving: [1500, 0], coming: [1499, 1] },
    { most: 5000, leaving: [1500], coming: [1500] },
  ])("are compared $most at once, however far they lie apart", async ({ most, leaving, coming }) => {
    const { written, loops, staging } = await besideStaged(async () => {
      const of: number[] = [];
      const gone = await loopsOf(compareStaged({ staged, owner, most }, keeping, postgresDialect), of);
      const found = await client.query(
        "SELECT path, count(DISTINCT value) FROM staged_references WHERE tenant = 'staging' GROUP BY path ORDER BY path",
      );
      return { written: of, loops: gone, staging: found.rows };
    });
    expect(written).toEqual([...leaving, ...coming]);
    expect(Math.max(...loops)).toBe(1);
    expect(staging).toEqual([
      { path: "+members", count: 1500 },
      { path: "-members", count: 1500 },
      { path: "members", count: 3000 },
    ]);
  });

  test("are compared 1000 at once where what is staged leaves", async () => {
    const written: number[] = [];
    await besideStaged(() => loopsOf(leaveStaged({ staged, owner, most: 1000 }, postgresDialect), written));
    expect(written).toEqual([1000, 500, 0]);
  });

  test("are removed by place, though the server takes them for short", async () => {
    await client.query("BEGIN");
    await client.query(`INSERT INTO reference_values SELECT 'staging', 'Group', 'g1', p, n, p || n, '{}'
      FROM generate_series(1, 1500) n, unnest(ARRAY['members', 'owners']) p`);
    const first = await loopsOf(removeRows(ownRows(owner), 2900));
    const { rows } = await client.query(
      "SELECT path, min(position), count(*) FROM reference_values WHERE tenant = 'staging' GROUP BY path",
    );
    const others = await loopsOf(removeRows(ownRows(owner)));
    const left = await client.query("SELECT FROM reference_values WHERE tenant = 'staging'");
    await client.query("ROLLBACK");
    expect(Math.max(...first, ...others)).toBe(1);
    expect([rows, left.rowCount]).toEqual([[{ path: "owners", min: 1401, count: 100 }], 0]);
  });
});
