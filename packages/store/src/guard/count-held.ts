/**
 * How many changes guards hold that nobody has decided on, by tenant.
 * @module
 */
import { sql } from "../sql.ts";
import { type Answer, countOf, type Executor, type Steps, textOf } from "../steps.ts";

/** Counts them, tenant by tenant: those that have none are passed over by index. */
export async function countHeldChanges(
  executor: Pick<Executor, "read">,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  let tenant = await executor.read(tenantBehind(""));
  while (tenant !== null) {
    counts.set(tenant, await executor.read(heldOf(tenant)));
    tenant = await executor.read(tenantBehind(tenant));
  }
  return counts;
}

function* tenantBehind(last: string): Steps<string | null> {
  const { rows }: Answer = yield sql`SELECT tenant FROM guard_held WHERE tenant > ${last}
    ORDER BY tenant LIMIT 1`;
  const [row] = rows;
  return row === undefined ? null : textOf(row, "tenant");
}

function* heldOf(tenant: string): Steps<number> {
  const answer: Answer = yield sql`SELECT count(*) AS n FROM guard_held
    WHERE tenant = ${tenant} AND released IS NULL`;
  return countOf(answer, "n");
}
