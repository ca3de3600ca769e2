/**
 * Index entries and unique values of a resource.
 * @module
 */
import type { IndexEntry, UniqueEntry } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { insertText } from "../imports/many-rows.ts";
import { storedEntry } from "../indexes/missing.ts";
import { type Sql, sql, type SqlValue } from "../sql.ts";

/** The resource that entries belong to. */
export interface EntryOwner {
  readonly tenant: string;
  readonly type: string;
  readonly id: string;
}

/** Entries that one statement adds. */
const INSERT_ENTRIES = 16;

/** Statements that add index entries; one that is there already stays. */
export function addIndexEntries(
  { tenant, type, id }: EntryOwner,
  entries: readonly IndexEntry[],
  { keys, insertMissing }: Dialect,
): readonly Sql[] {
  const into = `${insertMissing.begin} attribute_index (tenant, type, path, ${keys.entryColumns.text}, id)`;
  const statements: Sql[] = [];
  for (let start = 0; start < entries.length; start += INSERT_ENTRIES) {
    const params: SqlValue[] = [];
    const rows = entries.slice(start, start + INSERT_ENTRIES).map((entry) => {
      const { path, key } = storedEntry(entry);
      const stored = keys.entry(key);
      params.push(tenant, type, path, ...stored.params, id);
      return `(?, ?, ?, ${stored.text}, ?)`;
    });
    statements.push({ text: insertText(into, rows, insertMissing.end), params });
  }
  return statements;
}

/** Statements that remove index entries. */
export function removeIndexEntries(
  owner: EntryOwner,
  entries: readonly IndexEntry[],
  { keys }: Dialect,
): readonly Sql[] {
  return entries.map(storedEntry).map(
    ({ path, key }) => sql`DELETE FROM attribute_index WHERE tenant = ${owner.tenant} AND type = ${owner.type}
      AND path = ${path} AND key = ${keys.bounded(key)} AND id = ${owner.id}`,
  );
}

/** A statement that takes a unique value, and changes no row where another resource holds it: the database decides. */
export function takeUniqueEntry(owner: EntryOwner, entry: UniqueEntry, { keys }: Dialect): Sql {
  return sql`INSERT INTO unique_values (tenant, scope, path, key, type, id)
    VALUES (${owner.tenant}, ${entry.scope}, ${entry.path}, ${keys.bounded(entry.key)}, ${owner.type}, ${owner.id})
    ON CONFLICT (tenant, scope, path, key) DO UPDATE SET id = excluded.id
      WHERE unique_values.type = excluded.type AND unique_values.id = excluded.id`;
}

/** A query that answers a row where a resource holds a unique value. */
export function holdsUniqueEntry(
  { tenant, type, id }: EntryOwner,
  { scope, path, key }: UniqueEntry,
  { keys }: Dialect,
): Sql {
  return sql`SELECT 1 FROM unique_values WHERE tenant = ${tenant} AND scope = ${scope} AND path = ${path}
    AND key = ${keys.bounded(key)} AND type = ${type} AND id = ${id}`;
}

/** The path of the row that says that a rule of a connection is held. No attribute path has its last character. */
export function rulePath(path: string): string {
  return `${path}!`;
}

/** The row that says that the rule of a scope is held, as a table `h` with its condition. */
export function heldRule(
  tenant: string,
  { scope, path }: Pick<UniqueEntry, "scope" | "path">,
  { keys }: Dialect,
): Sql {
  return sql`FROM unique_values h WHERE h.tenant = ${tenant} AND h.scope = ${scope}
    AND h.path = ${rulePath(path)} AND h.key = ${keys.bounded("")}`;
}

/** A statement that takes a value where the rule of its scope is held and no other resource has it. */
export function takeHeldEntry(owner: EntryOwner, entry: UniqueEntry, dialect: Dialect): Sql {
  return sql`INSERT INTO unique_values (tenant, scope, path, key, type, id)
    SELECT ${owner.tenant}, ${entry.scope}, ${entry.path}, ${dialect.keys.bounded(entry.key)}, ${owner.type}, ${owner.id}
      WHERE EXISTS (SELECT 1 ${heldRule(owner.tenant, entry, dialect)})
    ON CONFLICT DO NOTHING`;
}

/**
 * A query that answers a row unless the rule of a scope is held and another resource has the value. Where the rule was
 * begun since the value was not taken, and nobody has it, whoever began takes it.
 */
export function breaksNoRule({ tenant, type, id }: EntryOwner, entry: UniqueEntry, dialect: Dialect): Sql {
  return sql`SELECT 1 AS kept WHERE NOT EXISTS (SELECT 1 ${heldRule(tenant, entry, dialect)})
    OR NOT EXISTS (SELECT 1 FROM unique_values u WHERE u.tenant = ${tenant} AND u.scope = ${entry.scope}
      AND u.path = ${entry.path} AND u.key = ${dialect.keys.bounded(entry.key)}
      AND NOT (u.type = ${type} AND u.id = ${id}))`;
}

/** Statements that give unique values up; those of others stay. */
export function removeUniqueEntries(
  owner: EntryOwner,
  entries: readonly UniqueEntry[],
  { keys }: Dialect,
): readonly Sql[] {
  return entries.map(
    ({
      scope,
      path,
      key,
    }) => sql`DELETE FROM unique_values WHERE tenant = ${owner.tenant} AND scope = ${scope}
      AND path = ${path} AND key = ${keys.bounded(key)} AND type = ${owner.type} AND id = ${owner.id}`,
  );
}

/** Statements that remove every entry of a resource. */
export function removeAllEntries({ tenant, type, id }: EntryOwner): readonly Sql[] {
  return [
    sql`DELETE FROM unique_values WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}`,
    sql`DELETE FROM attribute_index WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}`,
  ];
}
