/**
 * Rows of a reference collection over all its owners, a page at a time: each page is found by index, from the
 * place where the one before ended.
 * @module
 */
import type { ReferenceRow, ReferenceRowFilter, ReferenceRowQuery, RowPlace } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, numberOf, type Row, type Steps, textOf } from "../steps.ts";
import { parseObject } from "./rows.ts";

/** A page of rows. */
export function* readReferenceRows(
  tenant: string,
  query: ReferenceRowQuery,
  dialect: Dialect,
): Steps<readonly ReferenceRow[]> {
  const { after, offset, limit } = query;
  const page: PageSetting = { tenant, query, dialect };
  if (query.value !== null)
    return yield* readRows(page, referringTo(page, query.value, after), { offset, limit });
  if (query.owner !== null)
    return yield* readRows(page, ofOwner(page, query.owner, after), { offset, limit });
  // An index finds what is behind one place in two ranges: the rest of an owner, and the owners behind it.
  const rest =
    after === null ? [] : yield* readRows(page, ofOwner(page, after.owner, after), { offset: 0, limit });
  if (rest.length === limit) return rest;
  const others = ofOwnersBehind(page, after);
  return [...rest, ...(yield* readRows(page, others, { offset, limit: limit - rest.length }))];
}

/** How many rows there are. */
export function* countReferenceRows(
  tenant: string,
  { type, path, owner, value }: ReferenceRowFilter,
): Steps<number> {
  return countOf(
    yield sql`SELECT count(*) AS n FROM ${value === null ? BY_OWNER : BY_VALUE}
      WHERE ${liveOwners(tenant, type)} AND ${rowsOfOwners(tenant, { type, path })}
      ${owner === null ? sql`` : sql`AND m.owner = ${owner} AND r.id = ${owner}`}
      ${value === null ? sql`` : sql`AND m.value = ${value}`}`,
    "n",
  );
}

interface PageSetting {
  readonly tenant: string;
  readonly query: ReferenceRowQuery;
  readonly dialect: Dialect;
}

/** Which rows, and in which order. */
interface RowRange {
  readonly from: Sql;
  readonly where: Sql;
  readonly order: Sql;
}

// The table that is named first is gone through first.
const BY_OWNER: Sql = sql`resources r CROSS JOIN reference_values m`;
const BY_VALUE: Sql = sql`reference_values m CROSS JOIN resources r`;

/** The rows that refer to an id: there is at most one of each owner. */
function referringTo({ query }: PageSetting, value: string, after: RowPlace | null): RowRange {
  const { owner, descending } = query;
  // Every id is greater than the empty text: said, so that SQLite takes the index of values in the order of owners.
  const whose = owner === null ? sql`m.owner > ''` : sql`m.owner = ${owner}`;
  return {
    from: BY_VALUE,
    where: sql`m.value = ${value} AND ${whose}${behind(sql`m.owner`, after?.owner, descending)}`,
    order: descending ? sql`m.owner DESC` : sql`m.owner`,
  };
}

function ofOwner({ query: { descending } }: PageSetting, owner: string, after: RowPlace | null): RowRange {
  return {
    from: BY_OWNER,
    where: sql`r.id = ${owner} AND m.owner = ${owner}${behind(sql`m.position`, after?.position, descending)}`,
    order: descending ? sql`m.position DESC` : sql`m.position`,
  };
}

function ofOwnersBehind({ query: { descending } }: PageSetting, after: RowPlace | null): RowRange {
  return {
    from: BY_OWNER,
    where: sql`1 = 1${behind(sql`r.id`, after?.owner, descending)}`,
    order: descending ? sql`r.id DESC, m.position DESC` : sql`r.id, m.position`,
  };
}

function behind(column: Sql, place: string | number | undefined, descending: boolean): Sql {
  if (place === undefined) return sql``;
  return descending ? sql` AND ${column} < ${place}` : sql` AND ${column} > ${place}`;
}

function* readRows(
  { tenant, query, dialect }: PageSetting,
  { from, where, order }: RowRange,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Steps<readonly ReferenceRow[]> {
  const { displayKey } = query;
  const display = displayKey === null ? sql`NULL` : dialect.jsonMember(sql`r.body`, sql`${displayKey}`);
  const { rows }: Answer =
    yield sql`SELECT m.owner, m.position, m.value, m.rest, ${display} AS display FROM ${from}
    WHERE ${liveOwners(tenant, query.type)} AND ${rowsOfOwners(tenant, query)} AND ${where}
    ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
  return rows.map(rowOf);
}

function liveOwners(tenant: string, type: string): Sql {
  return sql`r.tenant = ${tenant} AND r.type = ${type} AND r.deleted IS NULL`;
}

function rowsOfOwners(tenant: string, { type, path }: Pick<ReferenceRowFilter, "type" | "path">): Sql {
  return sql`m.tenant = ${tenant} AND m.type = ${type} AND m.path = ${path} AND m.owner = r.id`;
}

function rowOf(row: Row): ReferenceRow {
  const display = row["display"];
  return {
    owner: textOf(row, "owner"),
    position: numberOf(row, "position"),
    display: typeof display === "string" ? display : null,
    value: textOf(row, "value"),
    rest: parseObject(textOf(row, "rest")),
  };
}
