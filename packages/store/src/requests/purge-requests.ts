/**
 * Removes what the request log of a tenant keeps no longer: what is too old, and the oldest of what is too much.
 * @module
 */
import type { RequestPurge } from "@scim/events";
import { sql } from "../sql.ts";
import { type Answer, countOf, type Executor, numberOf, type Outcome, type Steps, textOf } from "../steps.ts";

/** Removes entries, at most `limit`, and runs of which none is left. Resolves to how many entries it removed. */
export async function purgeRequests(
  executor: Pick<Executor, "read" | "write">,
  tenant: string,
  purge: RequestPurge,
): Promise<number> {
  if (!(await executor.read(hasToGo(tenant, purge)))) return 0;
  return executor.write(() => remove(tenant, purge));
}

function* hasToGo(tenant: string, { before, characters }: RequestPurge): Steps<boolean> {
  const { rows }: Answer = yield sql`SELECT run FROM request_runs
    WHERE tenant = ${tenant} AND begun < ${before} LIMIT 1`;
  return rows.length > 0 || (yield* sizeOf(tenant)) > characters;
}

function* sizeOf(tenant: string): Steps<number> {
  const answer: Answer =
    yield sql`SELECT CAST(COALESCE(SUM(size), 0) AS bigint) AS size FROM request_runs WHERE tenant = ${tenant}`;
  return countOf(answer, "size");
}

function* remove(tenant: string, { before, characters, limit }: RequestPurge): Steps<Outcome<number>> {
  let excess = (yield* sizeOf(tenant)) - characters;
  const { rows }: Answer = yield sql`SELECT id, run, at, size FROM request_log
    WHERE tenant = ${tenant} ORDER BY id LIMIT ${limit}`;
  const sizes = new Map<string, number>();
  let last: string | null = null;
  for (const row of rows) {
    if (textOf(row, "at") >= before && excess <= 0) break;
    const [run, size] = [textOf(row, "run"), numberOf(row, "size")];
    excess -= size;
    last = textOf(row, "id");
    sizes.set(run, (sizes.get(run) ?? 0) + size);
  }
  let removed = 0;
  if (last !== null) {
    const { changes }: Answer = yield sql`DELETE FROM request_log WHERE tenant = ${tenant} AND id <= ${last}`;
    removed = changes;
  }
  for (const [run, size] of sizes) {
    yield sql`UPDATE request_runs SET size = size - ${size} WHERE tenant = ${tenant} AND run = ${run}`;
  }
  yield sql`DELETE FROM request_runs WHERE tenant = ${tenant} AND ended < ${before} AND NOT EXISTS (
    SELECT 1 FROM request_log l WHERE l.tenant = ${tenant} AND l.run = request_runs.run)`;
  return { keep: true, result: removed };
}
