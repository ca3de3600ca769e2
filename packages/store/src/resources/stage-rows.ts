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
import { type Answer, countOf, numberOf, type Row, type Steps, textOf } from "../steps.ts";
import type { CollectionOwner } from "./collections.ts";
import { parseObject } from "./rows.ts";

/** One collection of a stage. */
export interface StagedCollection {
  readonly tenant: string;
  readonly stage: string;
  readonly path: string;
}

/** Rows that are settled at once. */
const SETTLED_ROWS = 500;

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
  const { path } = comparison.owner;
  const { rows }: Answer =
    yield sql`SELECT 1 AS n FROM reference_values m WHERE ${ofOwner(comparison.owner)} LIMIT 1`;
  if (rows.length > 0) yield* settleAll(comparison, settle, dialect);
  const removed =
    rows.length === 0 ? 0 : countOf(yield sql`SELECT count(*) AS n ${others(comparison, dialect)}`, "n");
  const added = countOf(yield sql`SELECT count(*) AS n ${coming(comparison, dialect)}`, "n");
  if (removed + added > SHORT_DIFFERENCE) return { kind: "long", change: { path, removed, added } };
  const gone: Answer =
    removed === 0 ? NONE : yield sql`SELECT m.value ${others(comparison, dialect)} ORDER BY m.position`;
  const come: Answer =
    added === 0
      ? NONE
      : yield sql`SELECT s.value, ${NEXT_REST} AS rest ${coming(comparison, dialect)} ORDER BY s.position`;
  return {
    kind: "short",
    delta: {
      path,
      remove: gone.rows.map((row) => textOf(row, "value")),
      add: come.rows.map((row) => ({ value: textOf(row, "value"), rest: parseObject(textOf(row, "rest")) })),
    },
  };
}

const NONE: Answer = { rows: [], changes: 0 };

/** What stands beside a staged value `s` once it is taken over. */
const NEXT_REST: Sql = sql`coalesce(s.settled, s.rest)`;

function* settleAll(comparison: Comparison, settle: SettleReference, dialect: Dialect): Steps<void> {
  const { staged, owner } = comparison;
  const { tenant, stage, path } = staged;
  yield sql`UPDATE staged_references SET settled = NULL
    WHERE tenant = ${tenant} AND stage = ${stage} AND path = ${path} AND settled IS NOT NULL`;
  let behind = 0;
  for (;;) {
    const { rows }: Answer = yield sql`SELECT p.position, p.value, p.rest, p.held FROM
      (SELECT s.position, s.value, s.rest, ${heldRest(owner, dialect)} AS held
        FROM staged_references s WHERE ${ofStage(staged)} AND s.position > ${behind}) p
      WHERE p.held <> p.rest ORDER BY p.position LIMIT ${SETTLED_ROWS}`;
    const last = rows.at(-1);
    if (last === undefined) return;
    const batch = { text: JSON.stringify(rows.map((row) => settled(row, settle))), size: rows.length };
    yield amendStaged(staged, { batch, column: "settled" }, dialect);
    behind = numberOf(last, "position");
  }
}

function settled(row: Row, settle: SettleReference): readonly [string, string] {
  const value = textOf(row, "value");
  const held = { value, rest: parseObject(textOf(row, "held")) };
  return [value, JSON.stringify(settle(held, parseObject(textOf(row, "rest"))))];
}

/** The values `m` that a resource holds, and that are not staged. */
function others({ staged, owner }: Comparison, dialect: Dialect): Sql {
  return sql`FROM reference_values m WHERE ${ofOwner(owner)} AND ${nextRest(staged, dialect)} IS NULL`;
}

/** The staged values `s` that a resource does not hold, or holds with something else beside them. */
function coming({ staged, owner }: Comparison, dialect: Dialect): Sql {
  return sql`FROM staged_references s WHERE ${ofStage(staged)}
    AND ${heldRest(owner, dialect)} IS DISTINCT FROM ${NEXT_REST}`;
}

/** The staged rows that a write takes over, and whether the resource may hold values already. */
export interface TakeOver extends Comparison {
  readonly isNew: boolean;
}

/** Makes a collection hold what is staged, as the last comparison settled it. */
export function* takeOverStaged({ staged, owner, isNew }: TakeOver, dialect: Dialect): Steps<void> {
  const { type, path } = owner;
  const first = isNew ? 0 : yield* removeOthers({ staged, owner }, dialect);
  const missing = isNew ? sql`` : sql`AND ${heldRest(owner, dialect)} IS NULL`;
  yield sql`INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
    SELECT s.tenant, ${type}, ${owner.owner}, ${path}, ${first} + s.position, s.value, ${NEXT_REST}
    FROM staged_references s WHERE ${ofStage(staged)} ${missing}
    ORDER BY s.position`;
}

/** Removes what is not staged, and changes what stays; answers the last position that is taken. */
function* removeOthers({ staged, owner }: Comparison, dialect: Dialect): Steps<number> {
  const next = nextRest(staged, dialect);
  yield sql`DELETE FROM reference_values AS m WHERE ${ofOwner(owner)} AND ${next} IS NULL`;
  yield sql`UPDATE reference_values AS m SET rest = ${next} WHERE ${ofOwner(owner)} AND ${next} <> m.rest`;
  const last = yield sql`SELECT coalesce(max(m.position), 0) AS position FROM reference_values m
    WHERE ${ofOwner(owner)}`;
  return countOf(last, "position");
}

function ofStage({ tenant, stage, path }: StagedCollection): Sql {
  return sql`s.tenant = ${tenant} AND s.stage = ${stage} AND s.path = ${path}`;
}

function ofOwner({ tenant, type, owner, path }: CollectionOwner): Sql {
  return sql`m.tenant = ${tenant} AND m.type = ${type} AND m.owner = ${owner} AND m.path = ${path}`;
}

/**
 * What stands beside the value of the staged row `s` in a collection; null where that does not hold it. Found by
 * value: a database that does not know yet how long the collection is might go through all of it each time.
 */
function heldRest({ tenant, type, owner, path }: CollectionOwner, { unindexed }: Dialect): Sql {
  return sql`(SELECT m.rest FROM reference_values m WHERE m.tenant = ${tenant} AND m.value = s.value
    AND ${unindexed(sql`m.type`)} = ${type} AND ${unindexed(sql`m.path`)} = ${path}
    AND ${unindexed(sql`m.owner`)} = ${owner})`;
}

/** What comes to stand beside the value `m` of a collection; null where it is not staged. Found by value, too. */
function nextRest({ tenant, stage, path }: StagedCollection, { unindexed }: Dialect): Sql {
  return sql`(SELECT ${NEXT_REST} FROM staged_references s WHERE s.tenant = ${tenant} AND s.value = m.value
    AND ${unindexed(sql`s.stage`)} = ${stage} AND ${unindexed(sql`s.path`)} = ${path})`;
}
