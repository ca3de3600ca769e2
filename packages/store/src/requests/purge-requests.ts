/**
 * Removes what the request log of a tenant keeps no longer: what is too old, and the oldest of what is too much.
 * @module
 */
import type { RequestPurge } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import { type Answer, countOf, type Executor, numberOf, type Outcome, type Steps, textOf } from "../steps.ts";

/** Removes entries, at most `limit`, and runs of which none is left. Resolves to how many entries it removed. */
export async function purgeRequests(
  { executor, dialect }: { readonly executor: Pick<Executor, "read" | "write">; readonly dialect: Dialect },
  tenant: string,
  purge: RequestPurge,
): Promise<number> {
  if (!(await executor.read(hasToGo(tenant, purge)))) return 0;
  return executor.write(() => remove(dialect, tenant, purge));
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

/**
 * Removes entries of a tenant, and takes them out of what their runs hold. Others may remove the same ones at that time: each
 * counts what it removed itself. Answers how many.
 */
export function* removeRequests(
  dialect: Pick<Dialect, "idList">,
  tenant: string,
  ids: readonly string[],
): Steps<number> {
  if (ids.length === 0) return 0;
  const { rows }: Answer = yield sql`DELETE FROM request_log
    WHERE tenant = ${tenant} AND id IN ${dialect.idList(ids)} RETURNING run, size`;
  const sizes = new Map<string, number>();
  for (const row of rows) {
    const run = textOf(row, "run");
    sizes.set(run, (sizes.get(run) ?? 0) + numberOf(row, "size"));
  }
  for (const [run, size] of [...sizes].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    yield sql`UPDATE request_runs SET size = size - ${size} WHERE tenant = ${tenant} AND run = ${run}`;
  return rows.length;
}

function* remove(
  dialect: Dialect,
  tenant: string,
  { before, characters, limit }: RequestPurge,
): Steps<Outcome<number>> {
  let excess = (yield* sizeOf(tenant)) - characters;
  const { rows }: Answer = yield sql`SELECT id, at, size FROM request_log
    WHERE tenant = ${tenant} ORDER BY id LIMIT ${limit}`;
  const going: string[] = [];
  for (const row of rows) {
    if (textOf(row, "at") >= before && excess <= 0) break;
    excess -= numberOf(row, "size");
    going.push(textOf(row, "id"));
  }
  const removed = yield* removeRequests(dialect, tenant, going);
  // Of each run the first entry of it or of a later one is looked up: only one index has them in this order.
  yield sql`DELETE FROM request_runs WHERE tenant = ${tenant} AND ended < ${before} AND run IS DISTINCT FROM (
    SELECT l.run FROM request_log l WHERE l.tenant = ${tenant} AND l.run >= request_runs.run
    ORDER BY l.run LIMIT 1)`;
  return { keep: true, result: removed };
}
