/**
 * The tenants that have had events, by name.
 * @module
 */
import { sql } from "../sql.ts";
import { type Answer, type Executor, type Steps, textOf } from "../steps.ts";
import type { TenantRound } from "../tenant-round.ts";

/** Tenants that are read at once. */
const PAGE = 100;

/** Tenants that have had events behind one, by name: the one statement over all tenants. */
export function* readTenants(after: string, limit: number): Steps<readonly string[]> {
  const { rows }: Answer = yield sql`SELECT tenant FROM event_heads WHERE tenant > ${after}
    ORDER BY tenant LIMIT ${limit}`;
  return rows.map((row) => textOf(row, "tenant"));
}

/** Every tenant that has had events, from where a round is. */
export function eachTenant(
  executor: Pick<Executor, "read">,
  round: TenantRound,
): AsyncGenerator<string, void, undefined> {
  return round.each((after) => executor.read(readTenants(after, PAGE)));
}
