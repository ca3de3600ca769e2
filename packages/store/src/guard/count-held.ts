/**
 * How many changes guards hold that nobody has decided on, by tenant.
 * @module
 */
import { placeOf } from "../first-rows.ts";
import { joinSql, type Sql, sql } from "../sql.ts";
import { type Answer, countOf, type Executor, type Steps, textOf } from "../steps.ts";

type Counting = Pick<Executor, "read" | "pause">;

/** Held changes that one look goes through: others have their turn after some milliseconds, however many are held. */
const COUNTED = 5000;

/** Counts them, tenant by tenant: those that have none are passed over by index. */
export async function countHeldChanges(executor: Counting): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  let tenant = await executor.read(tenantBehind(""));
  while (tenant !== null) {
    counts.set(tenant, await heldOf(executor, tenant));
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

async function heldOf(executor: Counting, tenant: string): Promise<number> {
  let count = 0;
  for (let after: Sql | null = sql`('', '', '', '')`; after !== null;) {
    const { undecided, place }: Counted = await executor.read(countBehind(tenant, after));
    count += undecided;
    after = place;
    if (place !== null) await executor.pause();
  }
  return count;
}

interface Counted {
  readonly undecided: number;
  /** Where counting goes on; null at the end. */
  readonly place: Sql | null;
}

const ORDER = [sql`connection`, sql`measure`, sql`type`, sql`resource`];

function* countBehind(tenant: string, after: Sql): Steps<Counted> {
  const columns = joinSql(ORDER, ", ");
  const of = sql`tenant = ${tenant} AND (${columns}) > ${after}`;
  const place = yield* placeOf({ table: sql`guard_held`, of, order: ORDER }, COUNTED);
  const upTo = place === null ? sql`` : sql` AND (${columns}) <= ${place}`;
  // Not by the index of those that nobody has decided on: a database would go through all that it has, each time.
  const answer: Answer = yield sql`SELECT count(*) AS n FROM guard_held
    WHERE ${of}${upTo} AND coalesce(released, '') = ''`;
  return { undecided: countOf(answer, "n"), place };
}
