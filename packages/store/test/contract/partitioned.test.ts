import { queryOnce } from "@scim/fixtures/postgres";
import { EVENT_FEED_CONTRACT, RESOURCE_STORE_CONTRACT } from "@scim/core/testing";
import {
  ERASURE_CONTRACT,
  RECEIVER_CONTRACT,
  SIGNING_KEY_CONTRACT,
  SAMPLE_AUDIT,
} from "@scim/events/testing";
import {
  ADMIN_ACT_CONTRACT,
  ADMIN_STORE_CONTRACT,
  CLIENT_STORE_CONTRACT,
  TENANCY_STORE_CONTRACT,
  TOKEN_STORE_CONTRACT,
} from "@scim/tenancy/testing";
import { describe, expect, test } from "vitest";
import { emptyDatabase, lendStore, openPostgresAt } from "../support/engines.ts";
import { recordStatements } from "../support/recorded-statements.ts";
import type { Lifetime } from "../support/lifetimes.ts";
import { tenantFaults } from "../support/tenant-rules.ts";
import { checkResources } from "./rules.ts";
import type { Store } from "../../src/store.ts";
import type { Sql } from "../../src/sql.ts";

const PARTITIONED = { kind: "partitions", count: 3 } as const;

/** The tables that have a tenant: all but the ledger of migrations. */
const TABLES = new Set([
  "access_tokens",
  "admin_identities",
  "admin_issuers",
  "audit_checkpoints",
  "audit_entries",
  "attribute_index",
  "attribute_indexes",
  "client_secrets",
  "client_trusts",
  "connections",
  "erased_lately",
  "erasures",
  "event_deliveries",
  "event_heads",
  "event_receivers",
  "events",
  "guard_held",
  "guard_windows",
  "import_runs",
  "index_leases",
  "index_revisions",
  "oauth_clients",
  "reference_stages",
  "reference_values",
  "request_log",
  "request_runs",
  "request_sources",
  "resource_counters",
  "resources",
  "secret_hashes",
  "served_definitions",
  "signing_keys",
  "staged_references",
  "subject_secrets",
  "tenant_documents",
  "tenants",
  "tokens",
  "unique_values",
  "used_assertions",
]);

/** Statements over all tenants, each with the reason that it has. All of them only read. */
const OVER_ALL_TENANTS: readonly (readonly [reason: string, form: RegExp])[] = [
  ["whether the database answers", /^SELECT 1 FROM tenants LIMIT 1$/],
  [
    "operators are shown all tenants, page by page",
    /^SELECT tenant, created, state, display_name, settings, secrets, documents, revision FROM tenants WHERE tenant > \? ORDER BY tenant LIMIT \?$/,
  ],
  ["the purge chooses the tenant that comes next", /^SELECT tenant FROM resources WHERE deleted IS NOT NULL/],
  [
    "the purge chooses the stage that comes next",
    /^SELECT tenant, stage FROM reference_stages WHERE created < \?/,
  ],
  [
    "whoever gives positions chooses the tenant that comes next",
    /^SELECT tenant, transaction_number FROM events WHERE position IS NULL AND tenant > \?/,
  ],
  [
    "the upkeep of events and of the audit log goes through the tenants that have had events",
    /^SELECT tenant FROM event_heads WHERE tenant > \? ORDER BY tenant LIMIT \?/,
  ],
  [
    "the upkeep of the request log goes through the tenants whose requests were logged",
    /^SELECT DISTINCT tenant FROM request_sources WHERE tenant > \? AND connection <> \? ORDER BY tenant LIMIT \?$/,
  ],
  [
    "whoever delivers events goes through the tenants that have receivers",
    /^SELECT DISTINCT tenant FROM event_receivers WHERE tenant > \? ORDER BY tenant LIMIT \?$/,
  ],
  [
    "each process keeps the catalog of indexes, which is small",
    /^SELECT [^()]* FROM attribute_indexes i ORDER BY/,
  ],
  [
    "whoever builds indexes chooses the one that comes next",
    /^SELECT [^()]* FROM attribute_indexes i WHERE i\.state <> 'ready' ORDER BY/,
  ],
  [
    "whoever declares indexes goes through the tenants, page by page",
    /^SELECT tenant, documents FROM tenants WHERE tenant > \? ORDER BY tenant LIMIT \?$/,
  ],
  ["each process looks whether that catalog has changed", /^SELECT [^?]* FROM index_revisions(?: v)?$/],
];

const faults = new Set<string>();

function look(statement: Sql): void {
  const text = statement.text.replaceAll(/\s+/g, " ").trim();
  if (OVER_ALL_TENANTS.some(([, form]) => form.test(text))) return;
  for (const fault of tenantFaults(statement, TABLES)) faults.add(`${fault}: ${text}`);
}

const recorded = recordStatements(look);

function open(lifetime?: Lifetime): Promise<Store> {
  return lendStore({ layout: PARTITIONED }, lifetime);
}

/** Rules of pages next to a place are asked of whole tables, by the same statements, and take long. */
const RULES = RESOURCE_STORE_CONTRACT.filter(({ rule }) => rule !== "query/keyset");

describe("PostgreSQL in partitions by tenant", () => {
  checkResources(RULES, async (lifetime) => (await open(lifetime)).resources);

  test.each(EVENT_FEED_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(() => open())).resolves.toBeUndefined();
  });

  test.each([...TENANCY_STORE_CONTRACT, ...CLIENT_STORE_CONTRACT])("$rule: $name", async ({ run }) => {
    await expect(run(() => open())).resolves.toBeUndefined();
  });

  test.each(ADMIN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(() => open())).resolves.toBeUndefined();
  });

  test.each(ADMIN_ACT_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(() => open())).resolves.toBeUndefined();
  });

  test.each(RECEIVER_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(() => open())).resolves.toBeUndefined();
  });

  test.each(SIGNING_KEY_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(() => open())).resolves.toBeUndefined();
  });

  test.each(ERASURE_CONTRACT)("$rule: $name", async ({ run }) => {
    const openAudited = async (): Promise<Store> =>
      openPostgresAt(await emptyDatabase(PARTITIONED), { audit: SAMPLE_AUDIT });
    await expect(run(openAudited)).resolves.toBeUndefined();
  });

  test.each(TOKEN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => (await open()).tokens)).resolves.toBeUndefined();
  });
});

describe("a database that is distributed by tenant", () => {
  test("every table has its tenant in its primary key and in each unique index", async () => {
    const url = await emptyDatabase(PARTITIONED);
    const keys = await queryOnce(
      url,
      `SELECT c.relname AS name, c.relkind AS kind, i.indisprimary AS primary, EXISTS (
         SELECT 1 FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey) AND a.attname = 'tenant') AS tenant
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       WHERE i.indisunique AND c.relnamespace = CAST('public' AS regnamespace) AND NOT c.relispartition`,
    );
    const others = keys.filter(({ name }) => name !== "migrations");
    expect(new Set(others.map(({ name }) => name))).toEqual(TABLES);
    expect(others.filter(({ primary }) => primary === true)).toHaveLength(TABLES.size);
    expect(others.filter(({ tenant, kind }) => tenant !== true || kind !== "p")).toEqual([]);
  });

  test("every statement holds each of its tables to one tenant, but for a short list", () => {
    expect(recorded.statements.size).toBeGreaterThan(200);
    expect([...faults]).toEqual([]);
  });
});

describe("the check of statements", () => {
  test.each([
    ["SELECT id FROM resources WHERE type = ?", "resources resources is held to no tenant"],
    [
      "SELECT r.id FROM resources r WHERE r.tenant = ? AND EXISTS (SELECT 1 FROM events e WHERE e.id = r.id)",
      "events e",
    ],
    [
      "SELECT (SELECT e.id FROM events e WHERE e.tenant = r.tenant) FROM resources r WHERE r.tenant = ?",
      "events e is held",
    ],
    ["SELECT 1 FROM resources r JOIN events e ON e.id = r.id WHERE r.tenant = ?", "events e is held"],
    ["SELECT 1 FROM resources WHERE tenant = ? UNION SELECT 1 FROM events", "events events is held"],
    ["UPDATE resources SET body = ? WHERE id = ?", "resources resources"],
    ["DELETE FROM events WHERE id = ?", "events events"],
    ["INSERT INTO events (id, tenant) VALUES (?, ?), (?, 'x')", "events is given a row of no tenant"],
    ["INSERT INTO events (tenant, id) SELECT type, id FROM resources WHERE tenant = ?", "a row of no tenant"],
    [
      "INSERT INTO events (tenant, id) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
      "a conflict target without tenant",
    ],
    ["SELECT 1 FROM resources r, events e WHERE r.tenant = ? AND e.tenant = ?", "names several tenants"],
    [
      "INSERT INTO events (tenant, id) VALUES (?, coalesce((SELECT r.id FROM resources r WHERE r.tenant = ?), ''))",
      "a query among values",
    ],
    ["INSERT INTO events (tenant, id) SELECT ?, r.id FROM resources r WHERE r.tenant = ?", "not its tenant"],
  ])("finds the fault of %s", (text, fault) => {
    const params = [...text.matchAll(/\?/g)].map((_, at) => `value ${at}`);
    expect(tenantFaults({ text, params }, TABLES).join("\n")).toContain(fault);
  });

  test.each([
    "SELECT r.id FROM resources r CROSS JOIN events e WHERE e.tenant = r.tenant AND r.tenant = ?",
    "SELECT r.id FROM resources r WHERE r.tenant = ? AND EXISTS (SELECT 1 FROM events e WHERE e.tenant = ?)",
    "INSERT INTO events (id, tenant) VALUES ('a', ?) ON CONFLICT (tenant, id) DO UPDATE SET id = excluded.id",
    "INSERT INTO events (id, tenant) SELECT id, r.tenant FROM resources r WHERE r.tenant = ? FOR UPDATE",
    "INSERT INTO events (id, tenant) SELECT (SELECT r.id FROM resources r WHERE r.tenant = ?), ?",
  ])("finds none in %s", (text) => {
    expect(tenantFaults({ text, params: ["a", "a"] }, TABLES)).toEqual([]);
  });
});
