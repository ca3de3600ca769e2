/**
 * Schema and ResourceType documents of tenants in SQL.
 * @module
 */
import type { DocumentChange, DocumentOutcome, DocumentStore, TenantDocument } from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import { demandSchemas, type TypeChange } from "../resources/counters.ts";
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
import { recordServed, served } from "./served-definitions.ts";
import { updateTenant } from "./tenant-store.ts";

/** Makes the store of documents of a database. */
export function createDocumentStore(executor: Executor, dialect: Dialect): DocumentStore {
  return {
    list: (tenant) => executor.read(list(tenant)),
    change: (change) => executor.write((transaction) => write(change, { dialect, transaction })),
    served: (tenant) => executor.read(served(tenant)),
    filled: (tenant, types) => executor.read(filled(tenant, types)),
    recordServed: (definitions) => executor.write(() => recordServed(definitions)),
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
  { tenant: row, before, put, remove, broken, acts }: DocumentChange,
  { dialect, transaction }: { readonly dialect: Dialect; readonly transaction: WriteTransaction },
): Steps<Outcome<DocumentOutcome>> {
  // First: the row of the tenant lets changes of its documents come one after another.
  if (!(yield* updateTenant(row, before))) return { keep: false, result: { kind: "changed" } };
  const { tenant, documents: schemas } = row;
  for (const type of broken.toSorted()) {
    if (yield* breaksResources({ tenant, type, schemas }, dialect))
      return { keep: false, result: { kind: "filled", type } };
  }
  const names = [...remove, ...put.map(({ name }) => name)].map((name) => sql`${name}`);
  if (names.length > 0)
    yield sql`DELETE FROM tenant_documents WHERE tenant = ${tenant} AND name IN (${joinSql(names, ", ")})`;
  for (const { name, kind, document, changed } of put) {
    yield sql`INSERT INTO tenant_documents (tenant, name, kind, document, changed)
      VALUES (${tenant}, ${name}, ${kind}, ${JSON.stringify(document)}, ${changed})`;
  }
  for (const act of acts) yield* tellAct(transaction, act);
  return { keep: true, result: { kind: "written" } };
}

/**
 * Whether there are resources of a type that changes its meaning. Where there are none, none comes any more that was made
 * by the former schemas: those that were counted are waited for, and those that count behind this find it.
 */
function* breaksResources(change: TypeChange, dialect: Dialect): Steps<boolean> {
  const { tenant, type } = change;
  // Where there are some, nobody need wait.
  if (yield* hasResources(tenant, type)) return true;
  for (const shard of dialect.counterShards) yield demandSchemas(change, shard);
  return yield* hasResources(tenant, type);
}

function* filled(tenant: string, types: readonly string[]): Steps<readonly string[]> {
  const found: string[] = [];
  for (const type of types) if (yield* hasResources(tenant, type)) found.push(type);
  return found;
}

/** Tombstones count: what was deleted can be restored. */
function* hasResources(tenant: string, type: string): Steps<boolean> {
  const { rows }: Answer = yield sql`SELECT id FROM resources
    WHERE tenant = ${tenant} AND type = ${type} LIMIT 1`;
  return rows.length > 0;
}
