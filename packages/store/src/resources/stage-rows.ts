/**
 * The rows of a stage: what is brought in.
 * @module
 */
import type { ReferenceBatch, ReferenceValue } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Steps, textOf } from "../steps.ts";
import { parseObject } from "./rows.ts";
import type { StagedCollection } from "./staged-collection.ts";

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
