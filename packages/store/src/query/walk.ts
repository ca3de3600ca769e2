/**
 * Walks along the order of a query from a place on: what comes next is read from an index, wherever the place is.
 * @module
 */
import type { Dialect, ReadKey } from "../dialect.ts";
import type { RowSource } from "../resources/read.ts";
import { liveResources } from "../resources/rows.ts";
import { type Sql, sql, type SqlValue } from "../sql.ts";
import { countOf, type Steps, textOf } from "../steps.ts";
import { liveCount } from "./live-count.ts";
import { missingRows } from "./missing-rows.ts";
import type { RowPlace, SortPlan } from "./sort.ts";

/** A step of a walk. */
export interface WalkStep {
  /** Behind which place, in the direction of the walk; null for the beginning. */
  readonly from: RowPlace | null;
  readonly backward: boolean;
  /** At most so many places: 1 or more. */
  readonly limit: number;
  readonly dialect: Dialect;
}

/** The next places, nearest first. */
export function* nextPlaces(source: RowSource, plan: SortPlan, step: WalkStep): Steps<readonly RowPlace[]> {
  const { from, limit, dialect } = step;
  const keys: Run = { from, limit, dialect, rising: !step.backward, idsRise: !step.backward };
  if (plan.kind === "id")
    return yield* placesWithout({ rows: liveResources(source.tenant, source.type), id: sql`r.id` }, keys);
  const rising = plan.descending === step.backward;
  const run = { ...keys, rising };
  if (plan.kind === "column") return yield* placesWith(columnRows(source, plan.column), run);
  return yield* attributePlaces(source, plan.path, run);
}

/** A part of a walk over rows of one kind. */
interface Run {
  readonly from: RowPlace | null;
  readonly limit: number;
  readonly dialect: Dialect;
  /** Whether keys rise along the walk, and ids among equal keys. */
  readonly rising: boolean;
  readonly idsRise: boolean;
}

/** Rows that have a key. */
interface KeyedRows {
  /** What stands behind FROM, with its condition. */
  readonly rows: Sql;
  readonly key: Sql;
  readonly id: Sql;
  /** A key as the column is compared with. */
  readonly bound: (key: ReadKey) => SqlValue;
  /** A key as it is read, and what it says. */
  readonly readable: Sql;
  readonly read: (value: SqlValue | undefined) => ReadKey;
}

function columnRows({ tenant, type }: RowSource, column: Sql): KeyedRows {
  return {
    rows: liveResources(tenant, type),
    key: column,
    id: sql`r.id`,
    bound: (key) => key,
    readable: column,
    read: String,
  };
}

/** The resources that have the attribute, and before or behind them those that do not. */
function* attributePlaces(source: RowSource, path: string, run: Run): Steps<readonly RowPlace[]> {
  const { tenant, type } = source;
  const { keys } = run.dialect;
  const keyed: KeyedRows = {
    rows: sql`attribute_index x WHERE x.tenant = ${tenant} AND x.type = ${type} AND x.path = ${path}`,
    key: sql`x.key`,
    id: sql`x.id`,
    bound: (key) => keys.ordered(key),
    readable: keys.readable(sql`x.key`),
    read: (value) => keys.read(value),
  };
  const { from, limit, rising } = run;
  const isAmongMissing = from !== null && from.key === null;
  if (rising) {
    const first = isAmongMissing ? [] : yield* placesWith(keyed, run);
    const rest = { ...run, from: isAmongMissing ? from : null, limit: limit - first.length };
    return [...first, ...(yield* missingPlaces(source, path, rest))];
  }
  const isAmongKeyed = from !== null && from.key !== null;
  const first = isAmongKeyed ? [] : yield* missingPlaces(source, path, run);
  const rest = { ...run, from: isAmongKeyed ? from : null, limit: limit - first.length };
  return [...first, ...(yield* placesWith(keyed, rest))];
}

/** Where an index does not hold them, looking for a resource without the attribute may go through them all. */
function* missingPlaces(source: RowSource, path: string, run: Run): Steps<readonly RowPlace[]> {
  if (run.limit === 0) return [];
  const { rows, id, isIndexed } = yield* missingRows(source, path, run.dialect);
  if (!isIndexed && run.from === null && !(yield* someLack(source, path))) return [];
  return yield* placesWithout({ rows, id }, run);
}

function* someLack(source: RowSource, path: string): Steps<boolean> {
  const total = yield* liveCount(source);
  const counted = yield sql`SELECT count(*) AS n FROM attribute_index
    WHERE tenant = ${source.tenant} AND type = ${source.type} AND path = ${path}`;
  return countOf(counted, "n") < total;
}

/** Places in order of id alone. */
function* placesWithout(
  { rows, id }: { readonly rows: Sql; readonly id: Sql },
  { from, limit, idsRise }: Run,
): Steps<readonly RowPlace[]> {
  const answer = yield sql`SELECT ${id} AS id FROM ${rows}${beyond(id, from?.id ?? null, idsRise)}
    ORDER BY ${ordered(id, idsRise)} LIMIT ${limit}`;
  return answer.rows.map((row) => ({ key: null, id: textOf(row, "id") }));
}

/** Places in order of key: first what has the key of the place, then what lies beyond it. */
function* placesWith(keyed: KeyedRows, run: Run): Steps<readonly RowPlace[]> {
  const { from, limit } = run;
  if (limit === 0) return [];
  const key = from?.key ?? null;
  const ties =
    from === null || key === null ? [] : yield* equalPlaces(keyed, { ...run, from: { ...from, key } });
  if (ties.length === limit) return ties;
  return [...ties, ...(yield* beyondPlaces(keyed, { ...run, limit: limit - ties.length }))];
}

/** A place that has a key. */
interface KeyedPlace extends RowPlace {
  readonly key: ReadKey;
}

/** Places of one key, in order of id. */
function* equalPlaces(
  { rows, key, id, bound }: KeyedRows,
  { from, limit, idsRise }: Run & { readonly from: KeyedPlace },
): Steps<readonly RowPlace[]> {
  const answer =
    yield sql`SELECT ${id} AS id FROM ${rows} AND ${key} = ${bound(from.key)}${beyond(id, from.id, idsRise)}
    ORDER BY ${ordered(id, idsRise)} LIMIT ${limit}`;
  return answer.rows.map((row) => ({ key: from.key, id: textOf(row, "id") }));
}

/**
 * Places beyond a key. An index that is read against its order gives equal keys against theirs too: these are
 * turned round, and of the last key, which the limit may have cut, the right ones are read.
 */
function* beyondPlaces(keyed: KeyedRows, run: Run): Steps<readonly RowPlace[]> {
  const { rows, key, id, bound, readable, read } = keyed;
  const { from, limit, rising, idsRise } = run;
  const start = from === null || from.key === null ? null : bound(from.key);
  const answer = yield sql`SELECT ${readable} AS key, ${id} AS id FROM ${rows}${beyond(key, start, rising)}
    ORDER BY ${ordered(key, rising)}, ${ordered(id, rising)} LIMIT ${limit}`;
  const places = answer.rows.map((row) => ({ key: read(row["key"]), id: textOf(row, "id") }));
  const last = places.at(-1);
  if (rising === idsRise || last === undefined) return places;
  const whole = places.filter((place) => place.key !== last.key);
  const cut = { key: last.key, id: idsRise ? FIRST_ID : LAST_ID };
  const ties = yield* equalPlaces(keyed, { ...run, from: cut, limit: places.length - whole.length });
  return [...turned(whole), ...ties];
}

/** Ids before and behind all others. */
const FIRST_ID = "";
const LAST_ID = "\u{10ffff}";

/** The same keys in the same order, those that are equal the other way round. */
function turned(places: readonly RowPlace[]): readonly RowPlace[] {
  const result: RowPlace[] = [];
  let block: RowPlace[] = [];
  for (const place of places) {
    if (block[0]?.key !== place.key) {
      result.push(...block.toReversed());
      block = [];
    }
    block.push(place);
  }
  return [...result, ...block.toReversed()];
}

function beyond(column: Sql, key: SqlValue, rising: boolean): Sql {
  if (key === null) return sql``;
  return rising ? sql` AND ${column} > ${key}` : sql` AND ${column} < ${key}`;
}

function ordered(column: Sql, rising: boolean): Sql {
  return rising ? column : sql`${column} DESC`;
}
