/**
 * The derived rows that a database holds of resources.
 * @module
 */
import type { ComparisonKey } from "@scim/filter";
import { boundedKey } from "../bounded-key.ts";
import type { Dialect, KeyForm, ReadKey } from "../dialect.ts";
import { sql } from "../sql.ts";
import { type Answer, type Row, type Steps, textOf } from "../steps.ts";

/** A row of the index, or of the unique values. */
export interface StoredRow {
  /** Equal for rows that say the same. */
  readonly name: string;
  /** As the table has it. */
  readonly path: string;
}

/** The rows of one resource. */
export interface StoredRows {
  readonly index: readonly StoredRow[];
  readonly unique: readonly StoredRow[];
}

/** The name of a row of the index. */
export function indexRowName(keys: KeyForm, path: string, key: ComparisonKey): string {
  const whole = asStored(key);
  return nameOf([path, boundedKey(keys, whole), whole]);
}

/** The name of a row of the unique values. */
export function uniqueRowName(
  keys: KeyForm,
  { scope, path, key }: { readonly scope: string; readonly path: string; readonly key: ComparisonKey },
): string {
  return nameOf([scope, path, boundedKey(keys, asStored(key))]);
}

/** What comes back of a key: booleans as numbers, zero without its sign, and text as UTF-8 can tell it. */
function asStored(key: ComparisonKey): ReadKey {
  if (typeof key === "string") return key.toWellFormed();
  return Number(key) === 0 ? 0 : Number(key);
}

function nameOf(parts: readonly ReadKey[]): string {
  return JSON.stringify(parts);
}

/** Resources of one type. */
export interface ResourceNames {
  readonly tenant: string;
  readonly type: string;
  readonly ids: readonly string[];
}

/** The derived rows of resources, by id. */
export function* readStoredRows(
  { tenant, type, ids }: ResourceNames,
  dialect: Dialect,
): Steps<ReadonlyMap<string, StoredRows>> {
  const { keys } = dialect;
  const ofThese = sql`x.tenant = ${tenant} AND x.type = ${type}
    AND ${dialect.among(sql`x.id`, sql`SELECT l.value FROM ${dialect.idList(ids)} l`)}`;
  const index: Answer = yield sql`SELECT x.id, x.path, ${keys.readable(sql`x.key`)} AS found,
      ${keys.readable(keys.whole)} AS whole FROM attribute_index x
    WHERE ${ofThese}`;
  const unique: Answer = yield sql`SELECT x.id, x.scope, x.path, ${keys.readable(sql`x.key`)} AS found
    FROM unique_values x WHERE ${ofThese}`;
  const entries = Map.groupBy(index.rows, idOf);
  const values = Map.groupBy(unique.rows, idOf);
  return new Map(
    ids.map((id) => [
      id,
      {
        index: (entries.get(id) ?? []).map((row) => indexRowOf(row, keys)),
        unique: (values.get(id) ?? []).map((row) => uniqueRowOf(row, keys)),
      },
    ]),
  );
}

function idOf(row: Row): string {
  return textOf(row, "id");
}

function indexRowOf(row: Row, keys: KeyForm): StoredRow {
  const path = textOf(row, "path");
  return { path, name: nameOf([path, keys.read(row["found"]), keys.read(row["whole"])]) };
}

function uniqueRowOf(row: Row, keys: KeyForm): StoredRow {
  const path = textOf(row, "path");
  return { path, name: nameOf([textOf(row, "scope"), path, keys.read(row["found"])]) };
}
