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
    SELECT ${tenant}, ${stage}, ${path}, ${position} + b.n, b.value, b.rest
    FROM ${dialect.pairs(batch.text)} b WHERE 1 = 1
    ON CONFLICT DO NOTHING`;
  if (changes === batch.size) return [];
  const { rows }: Answer =
    yield sql`SELECT s.value, s.rest FROM ${dialect.pairs(batch.text)} b CROSS JOIN staged_references s
    WHERE s.tenant = ${tenant} AND s.stage = ${stage} AND s.path = ${path} AND s.value = b.value
      AND s.position < ${position}
    ORDER BY s.position`;
  return rows.map((row) => ({ value: textOf(row, "value"), rest: parseObject(textOf(row, "rest")) }));
}

/** Puts something else beside staged values: as sent, or as it is settled for those that stay. */
export function amendStaged(
  { tenant, stage, path }: StagedCollection,
  { batch, column }: { readonly batch: ReferenceBatch; readonly column: "rest" | "settled" },
  dialect: Dialect,
): Sql {
  const set = column === "rest" ? sql`rest = b.rest` : sql`settled = b.rest`;
  return sql`UPDATE staged_references SET ${set} FROM ${dialect.pairs(batch.text)} b
    WHERE staged_references.tenant = ${tenant} AND staged_references.stage = ${stage}
      AND staged_references.path = ${path} AND staged_references.value = b.value`;
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
  const { owner } = comparison;
  const { path } = owner;
  const { rows }: Answer =
    yield sql`SELECT 1 AS n FROM reference_values WHERE ${ofOwner(owner, sql``)} LIMIT 1`;
  if (rows.length > 0) yield* settleAll(comparison, settle, dialect);
  const removed = rows.length === 0 ? 0 : countOf(yield sql`SELECT count(*) AS n ${others(comparison)}`, "n");
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
    const { rows }: Answer = yield sql`SELECT s.position, s.value, s.rest, m.rest AS held
      FROM staged_references s CROSS JOIN reference_values m
      WHERE ${ofStage(staged)} AND s.position > ${behind} AND ${sameValue(owner)} AND m.rest <> s.rest
      ORDER BY s.position LIMIT ${SETTLED_ROWS}`;
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
function others({ staged, owner }: Comparison): Sql {
  return sql`FROM reference_values m WHERE ${ofOwner(owner, sql`m.`)} AND NOT EXISTS
    (SELECT 1 FROM staged_references s WHERE ${ofStage(staged)} AND s.value = m.value)`;
}

/** The staged values `s` that a resource does not hold, or holds with something else beside them. */
function coming({ staged, owner }: Comparison): Sql {
  return sql`FROM staged_references s WHERE ${ofStage(staged)} AND NOT EXISTS
    (SELECT 1 FROM reference_values m WHERE ${sameValue(owner)} AND m.rest = ${NEXT_REST})`;
}

/** Makes a collection hold what is staged, as the last comparison settled it. */
export function* takeOverStaged({ staged, owner }: Comparison): Steps<void> {
  const { tenant, type, path } = owner;
  yield sql`DELETE FROM reference_values WHERE ${ofOwner(owner, sql``)} AND NOT EXISTS
    (SELECT 1 FROM staged_references s WHERE ${ofStage(staged)} AND s.value = reference_values.value)`;
  yield sql`UPDATE reference_values SET rest = ${NEXT_REST} FROM staged_references s
    WHERE ${ofOwner(owner, sql`reference_values.`)} AND ${ofStage(staged)} AND s.value = reference_values.value
      AND reference_values.rest <> ${NEXT_REST}`;
  const last = yield sql`SELECT coalesce(max(position), 0) AS position FROM reference_values
    WHERE ${ofOwner(owner, sql``)}`;
  yield sql`INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
    SELECT ${tenant}, ${type}, ${owner.owner}, ${path}, ${countOf(last, "position")} + s.position, s.value, ${NEXT_REST}
    FROM staged_references s WHERE ${ofStage(staged)} AND NOT EXISTS
      (SELECT 1 FROM reference_values m WHERE ${sameValue(owner)})
    ORDER BY s.position`;
}

function ofStage({ tenant, stage, path }: StagedCollection): Sql {
  return sql`s.tenant = ${tenant} AND s.stage = ${stage} AND s.path = ${path}`;
}

function ofOwner({ tenant, type, owner, path }: CollectionOwner, table: Sql): Sql {
  return sql`${table}tenant = ${tenant} AND ${table}type = ${type} AND ${table}owner = ${owner}
    AND ${table}path = ${path}`;
}

/** Condition: the row `m` of an owner has the value of the staged row `s`. */
function sameValue({ tenant, type, owner, path }: CollectionOwner): Sql {
  return sql`m.tenant = ${tenant} AND m.value = s.value AND m.type = ${type} AND m.path = ${path}
    AND m.owner = ${owner}`;
}
