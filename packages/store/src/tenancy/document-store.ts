/**
 * Schema and ResourceType documents of tenants in SQL.
 * @module
 */
import type { DocumentChange, DocumentStore, TenantDocument } from "@scim/tenancy";
import { parseObject } from "../resources/rows.ts";
import { joinSql, sql } from "../sql.ts";
import {
  type Answer,
  type Executor,
  type Outcome,
  type Row,
  type Steps,
  textOf,
  type WriteTransaction,
} from "../steps.ts";
import { tellAct } from "./admin-acts.ts";
import { updateTenant } from "./tenant-store.ts";

/** Makes the store of documents of a database. */
export function createDocumentStore(executor: Executor): DocumentStore {
  return {
    list: (tenant) => executor.read(list(tenant)),
    change: (change) => executor.write((transaction) => write(change, transaction)),
    hasResources: (tenant, type) => executor.read(hasResources(tenant, type)),
  };
}

function* list(tenant: string): Steps<readonly TenantDocument[]> {
  const { rows }: Answer = yield sql`SELECT name, kind, document, changed FROM tenant_documents
    WHERE tenant = ${tenant} ORDER BY name`;
  return rows.map(documentOf);
}

function documentOf(row: Row): TenantDocument {
  return {
    kind: textOf(row, "kind") === "Schema" ? "Schema" : "ResourceType",
    name: textOf(row, "name"),
    document: parseObject(textOf(row, "document")),
    changed: textOf(row, "changed"),
  };
}

function* write(
  { tenant: row, put, remove, acts }: DocumentChange,
  transaction: WriteTransaction,
): Steps<Outcome<boolean>> {
  // First: the row of the tenant lets changes of its documents come one after another.
  if (!(yield* updateTenant(row))) return { keep: false, result: false };
  const { tenant } = row;
  const names = [...remove, ...put.map(({ name }) => name)].map((name) => sql`${name}`);
  if (names.length > 0)
    yield sql`DELETE FROM tenant_documents WHERE tenant = ${tenant} AND name IN (${joinSql(names, ", ")})`;
  for (const { name, kind, document, changed } of put) {
    yield sql`INSERT INTO tenant_documents (tenant, name, kind, document, changed)
      VALUES (${tenant}, ${name}, ${kind}, ${JSON.stringify(document)}, ${changed})`;
  }
  for (const act of acts) yield* tellAct(transaction, act);
  return { keep: true, result: true };
}

/** Tombstones count: what was deleted can be restored. */
function* hasResources(tenant: string, type: string): Steps<boolean> {
  const { rows }: Answer = yield sql`SELECT id FROM resources
    WHERE tenant = ${tenant} AND type = ${type} LIMIT 1`;
  return rows.length > 0;
}
