import { randomUUID } from "node:crypto";
import { queryOnce } from "@scim/fixtures/postgres";
import { describe, expect, test } from "vitest";
import {
  layoutStatements,
  migratePostgres,
  planPostgresMigrations,
  readMigrations,
  type TableLayout,
} from "../src/postgres/index.ts";
import { planMigrations, statementsOf } from "../src/migration-plan.ts";
import { queriesOf } from "../src/postgres/layout.ts";
import { withClient } from "../src/postgres/migrate.ts";
import { bareDatabase } from "./support/engines.ts";

/** Tables of all migrations, the ledger aside. */
const TABLES = readMigrations()
  .flatMap(({ text }) => statementsOf(text))
  .flatMap((statement) => /^CREATE TABLE (?<name>\w+)/.exec(statement)?.groups?.["name"] ?? []);

const ANALYZED_OFTEN = [
  "attribute_index",
  "audit_entries",
  "events",
  "reference_values",
  "request_log",
  "resources",
  "unique_values",
];

function codeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

describe("a layout", () => {
  test("of partitions has each table in so many, by hash of the tenant", async () => {
    const url = await bareDatabase();
    await migratePostgres({ url, layout: { kind: "partitions", count: 4 } });
    const rows = await queryOnce(
      url,
      `SELECT c.relname AS name, pg_get_partkeydef(c.oid) AS key,
         (SELECT count(*) FROM pg_inherits i WHERE i.inhparent = c.oid) AS partitions
       FROM pg_class c WHERE c.relkind = 'p' ORDER BY c.relname`,
    );
    expect(rows).toEqual(TABLES.toSorted().map((name) => ({ name, key: "HASH (tenant)", partitions: "4" })));
  });

  test.each<[string, TableLayout, readonly string[]]>([
    ["whole", { kind: "whole" }, [""]],
    ["in partitions", { kind: "partitions", count: 2 }, ["_p0", "_p1"]],
  ])("%s has the tables analyzed often that tenants may have much in", async (_name, layout, parts) => {
    const url = await bareDatabase();
    await migratePostgres({ url, layout });
    const rows = await queryOnce(
      url,
      `SELECT relname AS name FROM pg_class WHERE reloptions @>
         ARRAY['autovacuum_analyze_scale_factor=0.001', 'autovacuum_analyze_threshold=2000'] ORDER BY relname`,
    );
    expect(rows.map(({ name }) => name)).toEqual(
      ANALYZED_OFTEN.flatMap((name) => parts.map((part) => `${name}${part}`)),
    );
  });

  test("is kept to by later migrations, and cannot become another", async () => {
    const url = await bareDatabase();
    const own = readMigrations();
    const partitions: TableLayout = { kind: "partitions", count: 2 };
    await migratePostgres({ url, layout: partitions });
    const text =
      "-- oldest writer: 1\nCREATE TABLE notes (\n  tenant text NOT NULL,\n  id text NOT NULL,\n  PRIMARY KEY (tenant, id)\n);\n";
    const notes = { number: own.length + 1, name: "9999-notes", text, checksum: "x", oldestWriter: 1 };
    await migratePostgres({ url, migrations: [...own, notes] });
    const made = await queryOnce(
      url,
      "SELECT relname AS name, relkind AS kind FROM pg_class WHERE relname LIKE 'notes%' AND relkind IN ('r', 'p') ORDER BY 1",
    );
    expect(made).toEqual([
      { name: "notes", kind: "p" },
      { name: "notes_p0", kind: "r" },
      { name: "notes_p1", kind: "r" },
    ]);
    for (const layout of [{ kind: "partitions", count: 3 }, { kind: "whole" }, { kind: "citus" }] as const) {
      const refused = await migratePostgres({ url, layout, migrations: [...own, notes] }).catch(codeOf);
      expect(refused).toMatch(/laid out as 2 partitions already; .* move to it with: scim migrate --to$/);
      const planned = planPostgresMigrations({ url, layout, migrations: [...own, notes] });
      expect(await planned.then(() => "planned", codeOf)).toBe(refused);
    }
  });

  test("is told of the migrations that are planned", () => {
    const own = readMigrations();
    const layout: TableLayout = { kind: "partitions", count: 2 };
    const byOne = own.map((migration) => layoutStatements(layout, [migration]));
    expect(byOne.flat()).toEqual(layoutStatements(layout));
    expect(byOne[0]).toContain(
      "CREATE TABLE tenants_p0 PARTITION OF tenants FOR VALUES WITH (MODULUS 2, REMAINDER 0);",
    );
    expect(layoutStatements(layout, [])).toEqual([]);
  });

  test("over Citus gives every table to the nodes by tenant, all of a tenant together", () => {
    const [first, ...others] = layoutStatements({ kind: "citus" });
    expect(first).toBe("SELECT create_distributed_table('tenants', 'tenant', colocate_with => 'none');");
    expect(others.toSorted()).toEqual(
      TABLES.filter((name) => name !== "tenants")
        .map((name) => `SELECT create_distributed_table('${name}', 'tenant', colocate_with => 'tenants');`)
        .toSorted(),
    );
  });

  test("over Citus is made by one statement after another, as its nodes take them", async () => {
    const url = await bareDatabase();
    const distributed = "CREATE TABLE distributed (name text)";
    const distribute = `CREATE FUNCTION create_distributed_table(name text, key text, colocate_with text)
      RETURNS void LANGUAGE sql AS 'INSERT INTO distributed VALUES (name)'`;
    const queries = readMigrations().flatMap(({ text }) => queriesOf(text, { kind: "citus" }));
    await withClient(url, async (client) => {
      // A prepared statement is refused where it is more than one.
      for (const text of [distributed, distribute, ...queries])
        await client.query({ text, name: randomUUID() });
    });
    const rows = await queryOnce(url, "SELECT name FROM distributed ORDER BY name");
    expect(rows.map(({ name }) => name)).toEqual(TABLES.toSorted());
  });

  test("over Citus is refused where the extension is missing, and nothing is made", async () => {
    const url = await bareDatabase();
    const refused = await migratePostgres({ url, layout: { kind: "citus" } }).catch(codeOf);
    expect(refused).toContain("CREATE EXTENSION citus");
    expect(await planPostgresMigrations({ url })).toHaveLength(readMigrations().length);
  });
});

describe("a plan", () => {
  test("tells what is locked, and how many rows there are", async () => {
    const url = await bareDatabase();
    const own = readMigrations();
    await migratePostgres({ url });
    await queryOnce(
      url,
      `INSERT INTO tenants (tenant, created) SELECT 'tenant-' || n, '' FROM generate_series(1, 500) n; ANALYZE tenants`,
    );
    const text =
      "-- a comment; CREATE INDEX x ON tokens (id)\nCREATE INDEX tenants_created ON tenants (tenant, created);";
    const next = { number: own.length + 1, name: "9999-next", text, checksum: "x", oldestWriter: 1 };
    expect(await planPostgresMigrations({ url, migrations: [...own, next] })).toEqual([
      {
        number: next.number,
        name: "9999-next",
        makes: [],
        steps: [
          {
            statement: "CREATE INDEX tenants_created",
            table: "tenants",
            lock: "SHARE: writers of the table wait, readers go on",
            rows: 501,
          },
        ],
      },
    ]);
  });

  test.each([
    ["ALTER TABLE resources ADD COLUMN x TEXT", "alter"],
    ["CREATE UNIQUE INDEX x ON resources (tenant)", "index"],
    ["UPDATE resources SET x = 1", "change"],
    ["INSERT INTO resources (tenant) VALUES ('a')", "change"],
    ["DELETE FROM resources WHERE tenant = 'a'", "change"],
    ["DROP TABLE resources", "drop"],
    ["ALTER TABLE resources SET (autovacuum_enabled = true)", "set"],
  ])("%s is work of the kind %s", (text, kind) => {
    const migration = { number: 1, name: "x", text, checksum: "", oldestWriter: 1 };
    const locks = { index: "index", set: "set", alter: "alter", change: "change", drop: "drop" };
    const [planned] = planMigrations([migration], { tables: new Map([["resources", 7]]), locks });
    expect(planned?.steps).toMatchObject([{ table: "resources", lock: kind, rows: 7 }]);
  });
});
