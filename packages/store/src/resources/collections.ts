/**
 * Reference collections as rows: what a change costs depends on the change, not on the collection.
 * @module
 */
import type { CollectionDelta, ReferenceSelection, ReferenceValue } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { inStretches } from "../first-rows.ts";
import { joinSql, type Sql, sql, type SqlValue } from "../sql.ts";
import { type Answer, countOf, numberOf, PAUSE, type Row, type Steps, textOf } from "../steps.ts";
import { parseObject } from "./rows.ts";

/** One collection of one resource. */
export interface CollectionOwner {
  readonly tenant: string;
  readonly type: string;
  readonly owner: string;
  readonly path: string;
}

/** Rows in one inserting statement. */
const INSERT_ROWS = 64;

/** Values that are added or removed one by one before others may read. */
const VALUES_AT_ONCE = 512;

/** Applies a change to a collection. A long one pauses between statements. */
export function* applyCollectionDelta(
  collection: CollectionOwner,
  delta: CollectionDelta,
  dialect: Dialect,
): Steps<void> {
  if (delta.remove === "all") yield* removeRows(sql`${ownRows(collection)} AND path = ${collection.path}`);
  else yield* removeValues(collection, delta.remove, dialect);
  if (delta.add.length > 0) yield* addValues(collection, delta.add);
}

const PLACES = [sql`path`, sql`position`];

/**
 * Removes rows of one owner, some at a time.
 * @param condition selects rows of `reference_values` of a single owner
 * @param limit at most so many rows
 */
export function removeRows(condition: Sql, limit?: number): Steps<number> {
  return inStretches(
    { table: sql`reference_values`, of: condition, order: PLACES },
    (of) => sql`DELETE FROM reference_values WHERE ${of}`,
    limit,
  );
}

/** Condition: the rows of a resource, in all its collections. */
export function ownRows(owner: Pick<CollectionOwner, "tenant" | "type" | "owner">): Sql {
  return sql`tenant = ${owner.tenant} AND type = ${owner.type} AND owner = ${owner.owner}`;
}

/**
 * Condition: the row `m`, which is found by its value, is of a collection of a resource type. A database that does not know yet how
 * much there is might otherwise look for the value through all collections of the type.
 */
export function isOfCollection(
  { type, path }: { readonly type: SqlValue | Sql; readonly path: SqlValue | Sql },
  { unindexed }: Pick<Dialect, "unindexed">,
): Sql {
  return sql`${unindexed(sql`m.type`)} = ${type} AND ${unindexed(sql`m.path`)} = ${path}`;
}

/** Condition: the row `m`, which is found by its value, is that of a value in the collection of a resource. */
export function isValueOf(collection: CollectionOwner, value: Sql, dialect: Pick<Dialect, "unindexed">): Sql {
  return sql`m.tenant = ${collection.tenant} AND m.value = ${value} AND ${isOfCollection(collection, dialect)}
    AND ${dialect.unindexed(sql`m.owner`)} = ${collection.owner}`;
}

/** Removes a value from a collection. */
export function removeValue(collection: CollectionOwner, value: string, dialect: Dialect): Sql {
  return sql`DELETE FROM reference_values AS m WHERE ${isValueOf(collection, sql`${value}`, dialect)}`;
}

/**
 * One statement a value: of a list, a database may prefer to look for it through the whole collection. A server is sent
 * many of them at once.
 */
function* removeValues(
  collection: CollectionOwner,
  values: readonly string[],
  dialect: Dialect,
): Steps<void> {
  for (let start = 0; start < values.length; start += VALUES_AT_ONCE) {
    if (start > 0) yield PAUSE;
    yield {
      batch: values
        .slice(start, start + VALUES_AT_ONCE)
        .map((value) => ({ statement: removeValue(collection, value, dialect) })),
    };
  }
}

function* addValues(collection: CollectionOwner, values: readonly ReferenceValue[]): Steps<void> {
  // A value that is named twice has the place of the first and the content of the last.
  const distinct = [...new Map(values.map((value) => [value.value, value])).values()];
  const last = yield sql`SELECT coalesce(max(position), 0) AS position FROM reference_values
    WHERE ${ownRows(collection)} AND path = ${collection.path}`;
  const first = countOf(last, "position") + 1;
  for (let start = 0; start < distinct.length; start += INSERT_ROWS) {
    if (start > 0 && start % VALUES_AT_ONCE === 0) yield PAUSE;
    const rows = distinct
      .slice(start, start + INSERT_ROWS)
      .map((value, index) => rowOf(collection, value, first + start + index));
    yield sql`INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
      VALUES ${joinSql(rows, ", ")}
      ON CONFLICT (tenant, value, type, path, owner) DO UPDATE SET rest = excluded.rest`;
  }
}

function rowOf(collection: CollectionOwner, value: ReferenceValue, position: number): Sql {
  const { tenant, type, owner, path } = collection;
  return sql`(${tenant}, ${type}, ${owner}, ${path}, ${position}, ${value.value}, ${JSON.stringify(value.rest)})`;
}

/** The selected values of a collection of a live resource, in the order of adding. */
export function* readCollection(
  collection: CollectionOwner,
  selection: ReferenceSelection,
  dialect: Dialect,
): Steps<readonly ReferenceValue[]> {
  const { rows } = yield selectValues(collection, selection, dialect);
  return rows.map(referenceOf);
}

function selectValues(collection: CollectionOwner, selection: ReferenceSelection, dialect: Dialect): Sql {
  const { tenant, type, owner, path } = collection;
  const isLive = sql`EXISTS (SELECT 1 FROM resources r
      WHERE r.tenant = ${tenant} AND r.type = ${type} AND r.id = ${owner} AND r.deleted IS NULL)`;
  const all = sql`SELECT m.value, m.rest FROM reference_values m
    WHERE m.tenant = ${tenant} AND m.type = ${type} AND m.owner = ${owner} AND m.path = ${path} AND ${isLive}
    ORDER BY m.position`;
  if (selection === "all") return all;
  if ("first" in selection) return sql`${all} LIMIT ${selection.first}`;
  // The list leads: each value is looked up, however long the collection is.
  const owned = {
    table: sql`reference_values`,
    of: isValueOf(collection, sql`l.value`, dialect),
    order: sql`m.value`,
    most: 1,
  };
  return sql`SELECT m.value, m.rest FROM ${dialect.idList(selection)} l CROSS JOIN ${dialect.ownedRows(owned)}
    WHERE ${isLive} ORDER BY m.position`;
}

/** Collections of one path, and how many values of them may be read at once. */
export interface CollectionsRead {
  readonly collection: Omit<CollectionOwner, "owner">;
  readonly owners: readonly string[];
  readonly most: number | undefined;
}

/** The values of one collection of several resources of a type, by id of the owner; null where they are too many. */
export function* readCollections(
  { collection, owners, most }: CollectionsRead,
  dialect: Dialect,
): Steps<ReadonlyMap<string, readonly ReferenceValue[]> | null> {
  const { tenant, type, path } = collection;
  const selected = sql`SELECT owner, position, value, rest FROM reference_values
    WHERE tenant = ${tenant} AND type = ${type} AND owner IN ${dialect.idList(owners)} AND path = ${path}`;
  const { rows }: Answer = yield most === undefined
    ? sql`${selected} ORDER BY owner, position`
    : sql`${selected} LIMIT ${most + 1}`;
  if (most !== undefined && rows.length > most) return null;
  // Without an order in the statement: a database might put all rows in order to answer the first few.
  const ordered =
    most === undefined
      ? rows
      : rows.toSorted((left, right) => numberOf(left, "position") - numberOf(right, "position"));
  const byOwner = new Map<string, ReferenceValue[]>();
  for (const row of ordered) {
    const owner = textOf(row, "owner");
    const values = byOwner.get(owner);
    if (values === undefined) byOwner.set(owner, [referenceOf(row)]);
    else values.push(referenceOf(row));
  }
  return byOwner;
}

/** The first value of one collection of each of several resources of a type, by id of the owner. */
export function* readFirstValues(
  { collection: { tenant, type, path }, owners }: Omit<CollectionsRead, "most">,
  dialect: Dialect,
): Steps<ReadonlyMap<string, readonly ReferenceValue[]>> {
  const first = sql`SELECT min(f.position) FROM reference_values f
    WHERE f.tenant = ${tenant} AND f.type = ${type} AND f.owner = l.value AND f.path = ${path}`;
  const owned = {
    table: sql`reference_values`,
    of: sql`m.tenant = ${tenant} AND m.type = ${type} AND m.owner = l.value AND m.path = ${path}
      AND m.position = (${first})`,
    order: sql`m.position`,
    most: 1,
  };
  const { rows }: Answer = yield sql`SELECT m.owner, m.value, m.rest
    FROM ${dialect.idList(owners)} l CROSS JOIN ${dialect.ownedRows(owned)}`;
  return new Map(rows.map((row) => [textOf(row, "owner"), [referenceOf(row)]]));
}

/** Values of a collection behind a position, in the order of adding, and the position of the last. */
export interface CollectionPart {
  readonly values: readonly ReferenceValue[];
  readonly last: number;
}

/** The next values of a collection behind a position: no value has position 0. */
export function* readCollectionPart(
  { tenant, type, owner, path }: CollectionOwner,
  { behind, size }: { readonly behind: number; readonly size: number },
): Steps<CollectionPart> {
  const { rows }: Answer = yield sql`SELECT position, value, rest FROM reference_values
    WHERE tenant = ${tenant} AND type = ${type} AND owner = ${owner} AND path = ${path} AND position > ${behind}
    ORDER BY position LIMIT ${size}`;
  const last = rows.at(-1);
  return {
    values: rows.map(referenceOf),
    last: last === undefined ? behind : numberOf(last, "position"),
  };
}

function referenceOf(row: Row): ReferenceValue {
  return { value: textOf(row, "value"), rest: parseObject(textOf(row, "rest")) };
}
