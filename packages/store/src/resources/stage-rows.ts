/**
 * The rows of a stage: what is brought in, how it differs from what a resource holds, and how it is taken over.
 * @module
 */
import {
  SHORT_DIFFERENCE,
  type ReferenceBatch,
  type ReferenceValue,
  type SettleReference,
  type StageDifference,
} from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, type Row, type Steps, textOf } from "../steps.ts";
import type { CollectionOwner } from "./collections.ts";
import { parseObject } from "./rows.ts";

/** One collection of a stage. */
export interface StagedCollection {
  readonly tenant: string;
  readonly stage: string;
  readonly path: string;
}

/** Places of a stage whose values are settled at once. */
const SETTLED_PLACES = 1000;

/** Places of a stage whose values are taken over by one statement. */
const TAKEN_PLACES = 50_000;

/** Adds values from a position on; answers those that were there before. */
export function* addStaged(
  { tenant, stage, path }: StagedCollection,
  { batch, position }: { readonly batch: ReferenceBatch; readonly position: number },
  dialect: Dialect,
): Steps<readonly ReferenceValue[]> {
  const { changes }: Answer =
    yield sql`INSERT INTO staged_references (tenant, stage, path, position, value, rest)
    SELECT t.tenant, t.stage, ${path}, ${position} + b.n, b.value, b.rest
    ${besideStage({ tenant, stage }, batch, dialect)}
    ON CONFLICT DO NOTHING`;
  if (changes === batch.size) return [];
  const { rows }: Answer =
    yield sql`SELECT s.value, s.rest FROM ${dialect.pairs(batch.text)} b CROSS JOIN staged_references s
    WHERE s.tenant = ${tenant} AND s.stage = ${stage} AND s.path = ${path} AND s.value = b.value
      AND s.position < ${position}
    ORDER BY s.position`;
  return rows.map((row) => ({ value: textOf(row, "value"), rest: parseObject(textOf(row, "rest")) }));
}

/**
 * The rows `b` of a batch beside their stage `t`. A database on several nodes sends them to that of the tenant, and
 * counts what was inserted, only where the tenant is read from a table.
 */
function besideStage(
  { tenant, stage }: Pick<StagedCollection, "tenant" | "stage">,
  { text }: ReferenceBatch,
  dialect: Dialect,
): Sql {
  return sql`FROM reference_stages t CROSS JOIN ${dialect.pairs(text)} b
    WHERE t.tenant = ${tenant} AND t.stage = ${stage}`;
}

/** Puts something else beside staged values: as sent, or as it is settled for those that stay. */
export function amendStaged(
  { tenant, stage, path }: StagedCollection,
  { batch, column }: { readonly batch: ReferenceBatch; readonly column: "rest" | "settled" },
  dialect: Dialect,
): Sql {
  const set = column === "rest" ? sql`rest = excluded.rest` : sql`settled = excluded.rest`;
  // They are all there: so each is looked up, where an UPDATE may go through the whole stage for each of them.
  return sql`INSERT INTO staged_references (tenant, stage, path, position, value, rest)
    SELECT t.tenant, t.stage, ${path}, 0, b.value, b.rest ${besideStage({ tenant, stage }, batch, dialect)}
    ON CONFLICT (tenant, stage, path, value) DO UPDATE SET ${set}`;
}

/** A staged collection, and the one that is to become like it. */
export interface Comparison {
  readonly staged: StagedCollection;
  readonly owner: CollectionOwner;
}

/** Settles what stands beside values that stay, and tells how the collections differ then. */
export function* compareStaged(
  comparison: Comparison,
  settle: SettleReference,
  dialect: Dialect,
): Steps<StageDifference> {
  const { rows }: Answer =
    yield sql`SELECT 1 AS n FROM reference_values m WHERE ${ofOwner(comparison.owner)} LIMIT 1`;
  const isEmpty = rows.length === 0;
  if (!isEmpty) yield* settleAll(comparison, settle, dialect);
  return yield* joiningWhole(compare(comparison, isEmpty), dialect);
}

function* compare(comparison: Comparison, isEmpty: boolean): Steps<StageDifference> {
  const { path } = comparison.owner;
  const removed = isEmpty ? 0 : countOf(yield sql`SELECT count(*) AS n ${others(comparison)}`, "n");
  const added = countOf(yield sql`SELECT count(*) AS n ${coming(comparison)}`, "n");
  if (removed + added > SHORT_DIFFERENCE) return { kind: "long", change: { path, removed, added } };
  const gone: Answer =
    removed === 0 ? NONE : yield sql`SELECT m.value ${others(comparison)} ORDER BY m.position`;
  const come: Answer =
    added === 0
      ? NONE
      : yield sql`SELECT s.value, ${NEXT_REST} AS rest ${coming(comparison)} ORDER BY s.position`;
  return {
    kind: "short",
    delta: {
      path,
      remove: gone.rows.map((row) => textOf(row, "value")),
      add: come.rows.map((row) => ({ value: textOf(row, "value"), rest: parseObject(textOf(row, "rest")) })),
    },
  };
}

/** Runs steps whose statements compare two collections that may both be long. */
function* joiningWhole<Result>(steps: Steps<Result>, { wholeJoins }: Dialect): Steps<Result> {
  for (const statement of wholeJoins.begin) yield statement;
  const result = yield* steps;
  for (const statement of wholeJoins.end) yield statement;
  return result;
}

const NONE: Answer = { rows: [], changes: 0 };

/** What stands beside a staged value `s` once it is taken over. */
const NEXT_REST: Sql = sql`coalesce(s.settled, s.rest)`;

function* settleAll(comparison: Comparison, settle: SettleReference, dialect: Dialect): Steps<void> {
  const { staged, owner } = comparison;
  const { tenant, stage, path } = staged;
  yield sql`UPDATE staged_references SET settled = NULL
    WHERE tenant = ${tenant} AND stage = ${stage} AND path = ${path} AND settled IS NOT NULL`;
  const range = yield* joiningWhole(placesToSettle(comparison), dialect);
  for (const places of placesOf(range, SETTLED_PLACES)) {
    const { rows }: Answer = yield sql`SELECT p.value, p.rest, p.held FROM
      (SELECT s.value, s.rest, (SELECT m.rest FROM reference_values m WHERE ${isHeld(owner, dialect)}) AS held
        FROM staged_references s WHERE ${ofStage(staged)} AND ${within(places)}) p
      WHERE p.held <> p.rest`;
    if (rows.length === 0) continue;
    const batch = { text: JSON.stringify(rows.map((row) => settled(row, settle))), size: rows.length };
    yield amendStaged(staged, { batch, column: "settled" }, dialect);
  }
}

/** The places of staged values that are held with something else beside them than was sent. */
function* placesToSettle(comparison: Comparison): Steps<Answer> {
  return yield sql`SELECT ${RANGE} ${alike(comparison)} AND m.rest <> s.rest`;
}

/** Positions of a stage, from `first` up to before `end`. */
interface Places {
  readonly first: number;
  readonly end: number;
}

/** The first and the last position of staged values `s`. */
const RANGE: Sql = sql`coalesce(min(s.position), 0) AS first, coalesce(max(s.position), -1) AS last`;

/** The positions of a {@link RANGE}, so many at once. */
function* placesOf(range: Answer, most: number): Generator<Places, void> {
  const last = countOf(range, "last");
  for (let first = countOf(range, "first"); first <= last; first += most) yield { first, end: first + most };
}

function within({ first, end }: Places): Sql {
  return sql`s.position >= ${first} AND s.position < ${end}`;
}

function settled(row: Row, settle: SettleReference): readonly [string, string] {
  const value = textOf(row, "value");
  const held = { value, rest: parseObject(textOf(row, "held")) };
  return [value, JSON.stringify(settle(held, parseObject(textOf(row, "rest"))))];
}

/** The values `m` that a resource holds, and that are not staged. */
function others({ staged, owner }: Comparison): Sql {
  return sql`FROM reference_values m WHERE ${ofOwner(owner)} AND ${isNotStaged(staged)}`;
}

/** The staged values `s` that a resource does not hold, or holds with something else beside them. */
function coming({ staged, owner }: Comparison): Sql {
  return sql`FROM staged_references s LEFT JOIN reference_values m ON ${ofOwner(owner)} AND m.value = s.value
    WHERE ${ofStage(staged)} AND m.rest IS DISTINCT FROM ${NEXT_REST}`;
}

/** The staged values `s` that a resource holds, as `m`; a condition may follow. */
function alike({ staged, owner }: Comparison): Sql {
  return sql`FROM staged_references s JOIN reference_values m ON ${ofOwner(owner)} AND m.value = s.value
    WHERE ${ofStage(staged)}`;
}

/** The condition that the value of `m` is not staged. */
function isNotStaged(staged: StagedCollection): Sql {
  return sql`NOT EXISTS (SELECT 1 FROM staged_references s WHERE ${ofStage(staged)} AND s.value = m.value)`;
}

/** The staged rows that a write takes over, and whether the resource may hold values already. */
export interface TakeOver extends Comparison {
  readonly isNew: boolean;
}

/**
 * Makes a collection hold what is staged, as the last comparison settled it. No statement writes more than
 * {@link TAKEN_PLACES} rows but one that deletes: none takes as long as a collection may be long.
 */
export function* takeOverStaged({ staged, owner, isNew }: TakeOver, dialect: Dialect): Steps<void> {
  const { type, path } = owner;
  if (!isNew) yield* changeHeld({ staged, owner }, dialect);
  const taken = isNew
    ? NONE
    : yield sql`SELECT coalesce(max(m.position), 0) AS position FROM reference_values m
    WHERE ${ofOwner(owner)}`;
  const end = countOf(taken, "position");
  const range = yield sql`SELECT ${RANGE} FROM staged_references s WHERE ${ofStage(staged)}`;
  for (const places of placesOf(range, TAKEN_PLACES)) {
    yield sql`INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
      SELECT s.tenant, ${type}, ${owner.owner}, ${path}, ${end} + s.position, s.value, ${NEXT_REST}
      FROM staged_references s WHERE ${ofStage(staged)} AND ${within(places)}
      ORDER BY s.position
      ON CONFLICT (tenant, value, type, path, owner) DO NOTHING`;
  }
}

/** Removes what is not staged, and changes what stays. */
function* changeHeld(comparison: Comparison, dialect: Dialect): Steps<void> {
  const { staged, owner } = comparison;
  const range = yield* joiningWhole(removeOthers(comparison), dialect);
  for (const places of placesOf(range, TAKEN_PLACES)) {
    yield sql`UPDATE reference_values AS m SET rest = ${NEXT_REST} FROM staged_references s
      WHERE ${ofStage(staged)} AND ${within(places)} AND ${isHeld(owner, dialect)} AND ${NEXT_REST} <> m.rest`;
  }
}

/** Removes what is not staged; answers the places of staged values that are held with something else beside them. */
function* removeOthers({ staged, owner }: Comparison): Steps<Answer> {
  yield sql`DELETE FROM reference_values AS m WHERE ${ofOwner(owner)} AND ${isNotStaged(staged)}`;
  return yield sql`SELECT ${RANGE} ${alike({ staged, owner })} AND m.rest <> ${NEXT_REST}`;
}

function ofStage({ tenant, stage, path }: StagedCollection): Sql {
  return sql`s.tenant = ${tenant} AND s.stage = ${stage} AND s.path = ${path}`;
}

function ofOwner({ tenant, type, owner, path }: CollectionOwner): Sql {
  return sql`m.tenant = ${tenant} AND m.type = ${type} AND m.owner = ${owner} AND m.path = ${path}`;
}

/**
 * The condition that `m` is the staged value `s` in a collection. Found by value: a database that does not know yet how
 * long the collection is might go through all of it each time.
 */
function isHeld({ tenant, type, owner, path }: CollectionOwner, { unindexed }: Dialect): Sql {
  return sql`m.tenant = ${tenant} AND m.value = s.value AND ${unindexed(sql`m.type`)} = ${type}
    AND ${unindexed(sql`m.path`)} = ${path} AND ${unindexed(sql`m.owner`)} = ${owner}`;
}
