/**
 * Removes stages: when they are closed, or in time those that never were, of processes that died.
 * @module
 */
import { sql } from "../sql.ts";
import { type Answer, type Executor, type Steps, textOf } from "../steps.ts";

/** Milliseconds after which a stage belongs to nobody: no request takes as long. */
const ABANDONED_MS = 24 * 3_600_000;

/** One stage. */
export interface StageName {
  readonly tenant: string;
  readonly stage: string;
}

/** Removes abandoned stages, oldest first. Several processes may do it at once. */
export async function purgeStages(executor: Executor): Promise<void> {
  const before = new Date(Date.now() - ABANDONED_MS).toISOString();
  for (;;) {
    const oldest = await executor.read(oldestStage(before));
    if (oldest === null) return;
    await executor.write(function* () {
      yield* removeStage(oldest);
      return { keep: true, result: null };
    });
  }
}

/** The one statement over all tenants; there are few stages. */
function* oldestStage(before: string): Steps<StageName | null> {
  const { rows }: Answer = yield sql`SELECT tenant, stage FROM reference_stages WHERE created < ${before}
    ORDER BY created LIMIT 1`;
  const [row] = rows;
  return row === undefined ? null : { tenant: textOf(row, "tenant"), stage: textOf(row, "stage") };
}

/** Removes a stage with its values: first what a write holds that takes it over. */
export function* removeStage({ tenant, stage }: StageName): Steps<void> {
  yield sql`DELETE FROM reference_stages WHERE tenant = ${tenant} AND stage = ${stage}`;
  yield sql`DELETE FROM staged_references WHERE tenant = ${tenant} AND stage = ${stage}`;
}
