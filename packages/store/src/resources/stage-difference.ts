/**
 * How a collection differs from what is staged for it.
 * @module
 */
import {
  EVENT_VALUES,
  SHORT_DIFFERENCE,
  stagedChange,
  type ReferenceValue,
  type SettleReference,
  type StageDifference,
} from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, type Row, type Steps, textOf } from "../steps.ts";
import { isValueOf } from "./collections.ts";
import { parseObject } from "./rows.ts";
import { amendStaged } from "./stage-rows.ts";
import {
  type Comparison,
  differenceOf,
  isEmpty,
  joiningWhole,
  NEXT_REST,
  ofOwner,
  ofStage,
  type Places,
  placesOf,
  RANGE,
  type StagedCollection,
  within,
} from "./staged-collection.ts";

/** Places of a stage whose values are settled at once. */
const SETTLED_PLACES = 1000;

/**
 * Values that one statement compares: none takes as long as a collection may be long, since a database may end one that
 * does (`statementTimeout`). Each goes through the other collection as a whole, so they are many.
 */
const COMPARED_VALUES = 100_000;

/**
 * Settles what stands beside values that stay, and tells how the collections differ then. Of a collection that holds
 * values the difference is staged too, so that the write that takes it over need not compare again: while others wait
 * for it, it touches the rows that differ alone.
 */
export function* compareStaged(
  comparison: Comparison,
  settle: SettleReference,
  dialect: Dialect,
): Steps<StageDifference> {
  yield* forgetComparison(comparison.staged);
  if (yield* isEmpty(comparison.owner)) return yield* wholeStage(comparison);
  yield* settleAll(comparison, settle, dialect);
  return yield* joiningWhole(stageDifference(comparison), dialect);
}

/** Tells how a collection changes that loses what is staged, and stages what leaves as a comparison does. */
export function* leaveStaged(comparison: Comparison, dialect: Dialect): Steps<StageDifference> {
  yield* forgetComparison(comparison.staged);
  return yield* joiningWhole(lostDifference(comparison), dialect);
}

function* lostDifference(comparison: Comparison): Steps<StageDifference> {
  const { leaving } = differenceOf(comparison.staged);
  const removed = yield* insertByPlaces(
    comparison,
    sql`INSERT INTO staged_references (tenant, stage, path, position, value, rest)
    SELECT m.tenant, ${leaving.stage}, ${leaving.path}, m.position, m.value, '' ${alike(comparison)}`,
  );
  return yield* toldDifference(comparison, { removed, added: 0 });
}

/** How an empty collection differs from what is staged. */
function* wholeStage({ staged, owner: { path } }: Comparison): Steps<StageDifference> {
  const counted = yield sql`SELECT count(*) AS n FROM staged_references s WHERE ${ofStage(staged)}`;
  const added = countOf(counted, "n");
  if (added > SHORT_DIFFERENCE) return { kind: "long", change: { path, removed: 0, added } };
  return { kind: "short", delta: { path, remove: [], add: yield* valuesOf(staged) } };
}

function* stageDifference(comparison: Comparison): Steps<StageDifference> {
  const removed = yield* stageLeaving(comparison);
  const added = yield* stageComing(comparison);
  return yield* toldDifference(comparison, { removed, added });
}

/** Stages what leaves, and counts it. Values are taken by their order: places may lie far apart where many came and went. */
function* stageLeaving(comparison: Comparison): Steps<number> {
  const { staged, owner, most = COMPARED_VALUES } = comparison;
  const { leaving } = differenceOf(staged);
  let removed = 0;
  let behind: Sql = sql``;
  for (;;) {
    const last: Answer = yield sql`SELECT m.position FROM reference_values m WHERE ${ofOwner(owner)} ${behind}
      ORDER BY m.position LIMIT 1 OFFSET ${most - 1}`;
    const end = last.rows.length === 0 ? null : countOf(last, "position");
    const { changes }: Answer =
      yield sql`INSERT INTO staged_references (tenant, stage, path, position, value, rest)
    SELECT m.tenant, ${leaving.stage}, ${leaving.path}, m.position, m.value, '' ${others(comparison)}
      ${behind} ${end === null ? sql`` : sql`AND m.position <= ${end}`}`;
    removed += changes;
    if (end === null) return removed;
    behind = sql`AND m.position > ${end}`;
  }
}

/** Stages what comes, and counts it. */
function stageComing(comparison: Comparison): Steps<number> {
  const { coming } = differenceOf(comparison.staged);
  return insertByPlaces(
    comparison,
    sql`INSERT INTO staged_references (tenant, stage, path, position, value, rest)
    SELECT s.tenant, s.stage, ${coming.path}, s.position, s.value, ${NEXT_REST} ${different(comparison)}`,
  );
}

/** Inserts rows made of what is staged, as many at once as one statement may compare, and counts them. */
function* insertByPlaces(comparison: Comparison, insertion: Sql): Steps<number> {
  let inserted = 0;
  for (const places of yield* stagedPlaces(comparison)) {
    const { changes }: Answer = yield sql`${insertion} AND ${within(places)}`;
    inserted += changes;
  }
  return inserted;
}

/** The places of what is staged, as many at once as one statement may compare. */
function* stagedPlaces({ staged, most = COMPARED_VALUES }: Comparison): Steps<Iterable<Places>> {
  const range: Answer = yield sql`SELECT ${RANGE} FROM staged_references s WHERE ${ofStage(staged)}`;
  return placesOf(range, most);
}

/** Tells a difference that is staged. */
function* toldDifference(
  { staged, owner: { path } }: Comparison,
  { removed, added }: { readonly removed: number; readonly added: number },
): Steps<StageDifference> {
  const { leaving, coming } = differenceOf(staged);
  const removedValues = removed === 0 || removed > EVENT_VALUES ? [] : yield* namesOf(leaving);
  if (removed + added <= SHORT_DIFFERENCE)
    return {
      kind: "short",
      delta: { path, remove: removedValues, add: added === 0 ? [] : yield* valuesOf(coming) },
    };
  const addedValues = added === 0 || added > EVENT_VALUES ? [] : yield* namesOf(coming);
  return { kind: "long", change: stagedChange(path, { removed, added, removedValues, addedValues }) };
}

function* forgetComparison(staged: StagedCollection): Steps<void> {
  const { tenant, stage, path } = staged;
  const { leaving, coming } = differenceOf(staged);
  yield sql`DELETE FROM staged_references WHERE tenant = ${tenant} AND stage = ${stage}
    AND path IN (${leaving.path}, ${coming.path})`;
  yield sql`UPDATE staged_references SET settled = NULL
    WHERE tenant = ${tenant} AND stage = ${stage} AND path = ${path} AND settled IS NOT NULL`;
}

function* namesOf(staged: StagedCollection): Steps<readonly string[]> {
  const { rows }: Answer = yield sql`SELECT s.value FROM staged_references s WHERE ${ofStage(staged)}
    ORDER BY s.position`;
  return rows.map((row) => textOf(row, "value"));
}

function* valuesOf(staged: StagedCollection): Steps<readonly ReferenceValue[]> {
  const { rows }: Answer = yield sql`SELECT s.value, s.rest FROM staged_references s WHERE ${ofStage(staged)}
    ORDER BY s.position`;
  return rows.map((row) => ({ value: textOf(row, "value"), rest: parseObject(textOf(row, "rest")) }));
}

function* settleAll(comparison: Comparison, settle: SettleReference, dialect: Dialect): Steps<void> {
  const { staged, owner } = comparison;
  const range = yield* joiningWhole(placesToSettle(comparison), dialect);
  for (const places of placesOf(range, SETTLED_PLACES)) {
    const { rows }: Answer = yield sql`SELECT p.value, p.rest, p.held FROM
      (SELECT s.value, s.rest, (SELECT m.rest FROM reference_values m WHERE ${isValueOf(owner, sql`s.value`, dialect)}) AS held
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
function different({ staged, owner }: Comparison): Sql {
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
