/**
 * Rows of resources that are not there: found by going from id to id in an index of each table, and removed while nobody can
 * make a resource of that id.
 * @module
 */
import { removeRows, ownRows } from "../resources/collections.ts";
import { namesRule } from "../resources/connection-rules.ts";
import type { RowSource } from "../resources/read.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Outcome, type Steps, textOf } from "../steps.ts";
import type { Dialect } from "../dialect.ts";
import type { OrphanFinding } from "./finding.ts";

/** Ids that one statement goes through. */
const LOOKED_AT = 500;

/** Rows of one collection owner that one transaction removes. */
const REMOVED = 5000;

/** A table of rows that belong to resources. */
export interface OwnedTable {
  readonly rows: OrphanFinding["rows"];
  readonly table: Sql;
  /** The column of the id. */
  readonly id: Sql;
  /** The condition that a resource `r` may have rows: those of collections stay while it can be restored. */
  readonly owner: Sql;
}

/** Every such table. */
export const OWNED_TABLES: readonly OwnedTable[] = [
  { rows: "index", table: sql`attribute_index`, id: sql`id`, owner: sql` AND r.deleted IS NULL` },
  { rows: "unique", table: sql`unique_values`, id: sql`id`, owner: sql` AND r.deleted IS NULL` },
  { rows: "references", table: sql`reference_values`, id: sql`owner`, owner: sql`` },
];

/** The next type in order that a table has rows of; null where there is none. */
export function* nextType(tenant: string, after: string, table: Sql): Steps<string | null> {
  const { rows }: Answer = yield sql`SELECT x.type FROM ${table} x WHERE x.tenant = ${tenant}
    AND x.type > ${after} ORDER BY x.type LIMIT 1`;
  const [row] = rows;
  return row === undefined ? null : textOf(row, "type");
}

/** What a step through the ids of a table found. */
export interface OrphanStep {
  /** Ids of which there are rows and no resource. */
  readonly orphans: readonly string[];
  /** The id that the next step begins behind; null behind the last. */
  readonly next: string | null;
}

/** Looks at the next ids that a table has rows of: each is one look into an index, however many rows it has. */
export function* orphansBehind(of: RowSource, after: string, owned: OwnedTable): Steps<OrphanStep> {
  const behind = (place: Sql): Sql => sql`(SELECT x.${owned.id} FROM ${owned.table} x
      WHERE x.tenant = ${of.tenant} AND x.type = ${of.type} AND x.${owned.id} > ${place}
      ORDER BY x.${owned.id} LIMIT 1)`;
  const { rows }: Answer = yield sql`WITH RECURSIVE held (id, n) AS (
      SELECT ${behind(sql`${after}`)}, 1
      UNION ALL
      SELECT ${behind(sql`held.id`)}, held.n + 1 FROM held WHERE held.id IS NOT NULL AND held.n < ${LOOKED_AT}
    )
    SELECT held.id, CASE WHEN EXISTS (SELECT 1 FROM resources r WHERE r.tenant = ${of.tenant}
      AND r.type = ${of.type} AND r.id = held.id${owned.owner}) THEN 1 ELSE 0 END AS owned
    FROM held WHERE held.id IS NOT NULL ORDER BY held.id`;
  const last = rows.at(-1);
  return {
    orphans: rows
      .filter(({ owned: isOwned }) => Number(isOwned) === 0)
      .map((row) => textOf(row, "id"))
      .filter((id) => !namesRule(id)),
    next: last === undefined || rows.length < LOOKED_AT ? null : textOf(last, "id"),
  };
}

/** Rows of an id that has no resource. */
export interface Orphan {
  readonly id: string;
  readonly owned: OwnedTable;
}

/**
 * Removes the rows of an id that has no resource. A row of that id is held meanwhile, so that none comes into being, and none
 * comes back: whoever makes one waits, and finds no rows.
 * @returns whether nothing is left to do
 */
export function* removeOrphan(of: RowSource, orphan: Orphan, dialect: Dialect): Steps<Outcome<boolean>> {
  const row = sql`tenant = ${of.tenant} AND type = ${of.type} AND id = ${orphan.id}`;
  const { changes: placed } = yield sql`INSERT INTO resources
      (tenant, type, id, connection, revision, version, created, last_modified, deleted, body)
    VALUES (${of.tenant}, ${of.type}, ${orphan.id}, '', 0, '', '', '', '', '') ON CONFLICT DO NOTHING`;
  if (placed === 0) {
    const { rows }: Answer = yield sql`SELECT deleted FROM resources WHERE ${row} ${dialect.lockedRows}`;
    const [resource] = rows;
    // A purge has taken it since.
    if (resource === undefined) return { keep: false, result: false };
    const isOwner = orphan.owned.rows === "references" || resource["deleted"] === null;
    if (isOwner) return { keep: false, result: true };
  }
  const isDone = yield* removeOwned(of, orphan);
  if (placed > 0) yield sql`DELETE FROM resources WHERE ${row}`;
  return { keep: true, result: isDone };
}

function* removeOwned(of: RowSource, { id, owned }: Orphan): Steps<boolean> {
  if (owned.rows === "references")
    return (yield* removeRows(ownRows({ ...of, owner: id }), REMOVED)) < REMOVED;
  yield sql`DELETE FROM ${owned.table} WHERE tenant = ${of.tenant} AND type = ${of.type} AND id = ${id}`;
  return true;
}
