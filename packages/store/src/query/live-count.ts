/**
 * How many resources there are: read from counters, whatever their number.
 * @module
 */
import type { RowSource } from "../resources/read.ts";
import { sql } from "../sql.ts";
import { countOf, type Steps } from "../steps.ts";

/** The number of live resources of a type. */
export function* liveCount({ tenant, type }: RowSource): Steps<number> {
  const answer = yield sql`SELECT coalesce(sum(n), 0) AS n FROM resource_counters
    WHERE tenant = ${tenant} AND type = ${type}`;
  return countOf(answer, "n");
}
