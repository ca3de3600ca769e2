import { queryOnce } from "@scim/fixtures/postgres";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { postgresDialect } from "../src/postgres/dialect.ts";
import { sqliteDialect } from "../src/sqlite/dialect.ts";
import { tenantTables } from "../src/tenancy/tenant-rows.ts";
import { bareDatabase } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";
import { migratePostgres } from "../src/postgres/index.ts";

/** Each table that begins with the tenant, with the columns of its primary key behind it: `tokens id`. */
function expected(tables: readonly (readonly string[])[]): readonly string[] {
  return tables.map(([table, ...key]) => [table, ...key.toSorted()].join(" ")).toSorted();
}

test("SQLite: what removes a tenant knows every table that holds rows of tenants", async () => {
  const file = newFile();
  const store = await open(file);
  await store.close();
  const database = new DatabaseSync(file);
  const rows = database
    .prepare(
      `SELECT m.name AS "table", c.name AS name FROM sqlite_schema m, pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.pk > 0 AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.pk`,
    )
    .all();
  database.close();
  expect(keysOf(rows)).toEqual(expected(tenantTables(sqliteDialect)));
});

test("SQLite: the rows of a tenant up to a place are found by the index that has their order", async () => {
  const file = newFile();
  const store = await open(file);
  await store.close();
  const database = new DatabaseSync(file);
  const plans = tenantTables(sqliteDialect).map(([table, ...key]) => {
    const order = key.length === 0 ? "tenant" : key.join(", ");
    const place = order.replaceAll(/\w+/g, "?");
    const plan = database
      .prepare(`EXPLAIN QUERY PLAN DELETE FROM ${table} WHERE tenant = ? AND (${order}) <= (${place})`)
      .all();
    return `${table} ${order.replaceAll(" ", "")} ${plan.map(({ detail }) => String(detail)).join("; ")}`;
  });
  database.close();
  const wrong = plans.filter((plan) => {
    const [, order = ""] = plan.split(" ");
    const range = order.includes(",") ? `(${order})<` : `${order}<`;
    return order !== "tenant" && !plan.includes(`(tenant=? AND ${range}`);
  });
  expect(wrong).toEqual([]);
});

test("PostgreSQL: what removes a tenant knows every table that holds rows of tenants", async () => {
  const url = await bareDatabase();
  await migratePostgres({ url });
  const rows = await queryOnce(
    url,
    `SELECT i.indrelid::regclass::text AS "table", a.attname AS name
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid, unnest(i.indkey) WITH ORDINALITY AS k(number, place)
     JOIN pg_attribute a ON a.attnum = k.number
     WHERE a.attrelid = i.indrelid AND i.indisprimary AND c.relnamespace = 'public'::regnamespace
     ORDER BY 1, k.place`,
  );
  expect(keysOf(rows)).toEqual(expected(tenantTables(postgresDialect)));
});

function keysOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const keys = new Map<string, string[]>();
  for (const { table, name } of rows)
    keys.set(String(table), [...(keys.get(String(table)) ?? []), String(name)]);
  return [...keys]
    .filter(([table, [first]]) => first === "tenant" && table !== "tenants")
    .map(([table, [, ...key]]) => [table, ...key.toSorted()].join(" "))
    .toSorted();
}
