/**
 * Removes the rows of stages that were never closed: those of processes that died.
 * @module
 */
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Executor, type Outcome, PAUSE, type Steps, textOf } from "../steps.ts";

/** Milliseconds after which a stage belongs to nobody: no request takes as long. */
const ABANDONED_MS = 24 * 3_600_000;

/** Rows that a statement removes before others may go first. */
const DELETE_ROWS = 512;

/** The rows of one stage. */
export interface StageName {
  readonly tenant: string;
  readonly stage: string;
}

/**
 * Removes rows of abandoned stages, oldest first. Several processes may do it at once.
 * @returns the rows removed: at most `limit`
 */
export async function purgeStages(executor: Executor, limit: number): Promise<number> {
  const before = new Date(Date.now() - ABANDONED_MS).toISOString();
  let removed = 0;
  while (removed < limit) {
    const oldest = await executor.read(oldestStage(before));
    if (oldest === null) break;
    removed += await executor.write(() => removal(oldest, limit - removed));
  }
  return removed;
}

/** The one statement over all tenants; there are few stages. */
function* oldestStage(before: string): Steps<StageName | null> {
  const { rows }: Answer = yield sql`SELECT tenant, stage FROM reference_stages WHERE created < ${before}
    ORDER BY created LIMIT 1`;
  const [row] = rows;
  return row === undefined ? null : { tenant: textOf(row, "tenant"), stage: textOf(row, "stage") };
}

function* removal(name: StageName, limit: number): Steps<Outcome<number>> {
  const removed = yield* removeStagedRows(name, limit);
  if (removed < limit) yield stageRemoval(name);
  return { keep: true, result: removed };
}

/** Removes the values of a stage, some at a time; answers how many. */
export function* removeStagedRows(
  { tenant, stage }: StageName,
  limit = Number.POSITIVE_INFINITY,
): Steps<number> {
  let removed = 0;
  while (removed < limit) {
    const size = Math.min(DELETE_ROWS, limit - removed);
    const { changes }: Answer = yield sql`DELETE FROM staged_references
      WHERE tenant = ${tenant} AND stage = ${stage} AND (path, position) IN
        (SELECT path, position FROM staged_references WHERE tenant = ${tenant} AND stage = ${stage} LIMIT ${size})`;
    removed += changes;
    if (changes < size) break;
    yield PAUSE;
  }
  return removed;
}

/** Removes a stage whose values are gone. */
export function stageRemoval({ tenant, stage }: StageName): Sql {
  return sql`DELETE FROM reference_stages WHERE tenant = ${tenant} AND stage = ${stage}`;
}
