/**
 * Index entries and unique values of a resource.
 * @module
 */
import type { IndexEntry, UniqueEntry } from "@scim/core";
import type { ComparisonKey } from "@scim/filter";
import { joinSql, sql } from "../sql.ts";
import type { Steps } from "../steps.ts";

/** The resource that entries belong to. */
export interface EntryOwner {
  readonly tenant: string;
  readonly type: string;
  readonly id: string;
}

/** A comparison key as the database holds it. The path tells booleans and numbers apart. */
export function keyValue(key: ComparisonKey): string | number {
  return typeof key === "boolean" ? Number(key) : key;
}

/** Entries that one statement adds. */
const INSERT_ENTRIES = 16;

/** Adds index entries; one that is there already stays. */
export function* addIndexEntries(
  { tenant, type, id }: EntryOwner,
  entries: readonly IndexEntry[],
): Steps<void> {
  for (let start = 0; start < entries.length; start += INSERT_ENTRIES) {
    const rows = entries
      .slice(start, start + INSERT_ENTRIES)
      .map(({ path, key }) => sql`(${tenant}, ${type}, ${path}, ${keyValue(key)}, ${id})`);
    yield sql`INSERT INTO attribute_index (tenant, type, path, key, id) VALUES ${joinSql(rows, ", ")}
      ON CONFLICT DO NOTHING`;
  }
}

/** Removes index entries. */
export function* removeIndexEntries(owner: EntryOwner, entries: readonly IndexEntry[]): Steps<void> {
  for (const { path, key } of entries) {
    yield sql`DELETE FROM attribute_index WHERE tenant = ${owner.tenant} AND type = ${owner.type}
      AND path = ${path} AND key = ${keyValue(key)} AND id = ${owner.id}`;
  }
}

/**
 * Takes unique values, and stops at the first that another resource holds: the database decides.
 * @returns the entry that is taken, or null
 */
export function* addUniqueEntries(
  owner: EntryOwner,
  entries: readonly UniqueEntry[],
): Steps<UniqueEntry | null> {
  for (const entry of entries) {
    const { changes } = yield sql`INSERT INTO unique_values (tenant, scope, path, key, type, id)
      VALUES (${owner.tenant}, ${entry.scope}, ${entry.path}, ${keyValue(entry.key)}, ${owner.type}, ${owner.id})
      ON CONFLICT (tenant, scope, path, key) DO UPDATE SET id = excluded.id
        WHERE unique_values.type = excluded.type AND unique_values.id = excluded.id`;
    if (changes === 0) return entry;
  }
  return null;
}

/** Gives unique values up; those of others stay. */
export function* removeUniqueEntries(owner: EntryOwner, entries: readonly UniqueEntry[]): Steps<void> {
  for (const { scope, path, key } of entries) {
    yield sql`DELETE FROM unique_values WHERE tenant = ${owner.tenant} AND scope = ${scope} AND path = ${path}
      AND key = ${keyValue(key)} AND type = ${owner.type} AND id = ${owner.id}`;
  }
}

/** Removes every entry of a resource. */
export function* removeAllEntries({ tenant, type, id }: EntryOwner): Steps<void> {
  yield sql`DELETE FROM unique_values WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}`;
  yield sql`DELETE FROM attribute_index WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}`;
}
