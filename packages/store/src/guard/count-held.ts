/**
 * How many changes guards hold that nobody has decided on, by tenant.
 * @module
 */
import { sql } from "../sql.ts";
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
  let place = await executor.read(
    firstBehind({ tenant, connection: "", measure: "", type: "", resource: "" }),
  );
  while (place !== null) {
    const { undecided, last }: Counted = await executor.read(countFrom(place));
    count += undecided;
    await executor.pause();
    place = await executor.read(firstBehind({ ...place, resource: last }));
  }
  return count;
}

/** Where a row stands among those of a tenant. */
interface HeldPlace {
  readonly tenant: string;
  readonly connection: string;
  readonly measure: string;
  readonly type: string;
  readonly resource: string;
}

/** The first row behind a place; null where there is none. */
function* firstBehind({ tenant, connection, measure, type, resource }: HeldPlace): Steps<HeldPlace | null> {
  const { rows }: Answer = yield sql`SELECT connection, measure, type, resource FROM guard_held
    WHERE tenant = ${tenant}
      AND (connection, measure, type, resource) > (${connection}, ${measure}, ${type}, ${resource})
    ORDER BY connection, measure, type, resource LIMIT 1`;
  const [row] = rows;
  if (row === undefined) return null;
  return {
    tenant,
    connection: textOf(row, "connection"),
    measure: textOf(row, "measure"),
    type: textOf(row, "type"),
    resource: textOf(row, "resource"),
  };
}

/** Behind all that a text may be. */
const LAST = "\u{10ffff}";

interface Counted {
  readonly undecided: number;
  /** The resource up to which was counted. */
  readonly last: string;
}

/** Counts some rows from a place on, of the same connection, measure and type: a database finds both ends of them at once. */
function* countFrom({ tenant, connection, measure, type, resource }: HeldPlace): Steps<Counted> {
  const of = sql`guard_held WHERE tenant = ${tenant} AND connection = ${connection} AND measure = ${measure}
    AND type = ${type} AND resource >= ${resource}`;
  const { rows }: Answer =
    yield sql`SELECT resource FROM ${of} ORDER BY resource LIMIT 1 OFFSET ${COUNTED - 1}`;
  const last = rows[0] === undefined ? LAST : textOf(rows[0], "resource");
  // Not by the index of those that nobody has decided on: a database would go through all that it has, each time.
  const answer: Answer = yield sql`SELECT count(*) AS n FROM ${of} AND resource <= ${last}
    AND coalesce(released, '') = ''`;
  return { undecided: countOf(answer, "n"), last };
}
