/**
 * How far imports have come.
 * @module
 */
import type { ImportProgress, ImportStep } from "@scim/core";
import { type Sql, sql } from "../sql.ts";
import { type Answer, numberOf, type Outcome, type Steps } from "../steps.ts";

/** A statement that moves a run on by a step. */
export function moveOn(tenant: string, { run, position, adds }: ImportStep): Sql {
  return sql`INSERT INTO import_runs (tenant, run, position, created, replaced, unchanged)
    VALUES (${tenant}, ${run}, ${position}, ${adds.created}, ${adds.replaced}, ${adds.unchanged})
    ON CONFLICT (tenant, run) DO UPDATE SET position = excluded.position,
      created = import_runs.created + excluded.created, replaced = import_runs.replaced + excluded.replaced,
      unchanged = import_runs.unchanged + excluded.unchanged`;
}

/** How far a run has come; null where it has not begun. */
export function* readProgress(tenant: string, run: string): Steps<ImportProgress | null> {
  const { rows }: Answer = yield sql`SELECT position, created, replaced, unchanged FROM import_runs
    WHERE tenant = ${tenant} AND run = ${run}`;
  const [row] = rows;
  if (row === undefined) return null;
  return {
    position: numberOf(row, "position"),
    created: numberOf(row, "created"),
    replaced: numberOf(row, "replaced"),
    unchanged: numberOf(row, "unchanged"),
  };
}

/** Behind all that a text can go on with. */
const LAST_CHARACTER = "\u{10ffff}";

/** How many runs have names that begin with a text. */
export function* countRuns(tenant: string, beginning: string): Steps<number> {
  const { rows }: Answer = yield sql`SELECT count(*) AS n FROM import_runs
    WHERE tenant = ${tenant} AND run >= ${beginning} AND run < ${beginning + LAST_CHARACTER}`;
  const [row] = rows;
  return row === undefined ? 0 : numberOf(row, "n");
}

/** Forgets a run. */
export function* forgetRun(tenant: string, run: string): Steps<Outcome<void>> {
  yield sql`DELETE FROM import_runs WHERE tenant = ${tenant} AND run = ${run}`;
  return { keep: true, result: undefined };
}
