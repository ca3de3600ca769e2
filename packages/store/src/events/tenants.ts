/**
 * The tenants that have had events, by name.
 * @module
 */
import { sql } from "../sql.ts";
import { type Answer, type Executor, type Steps, textOf } from "../steps.ts";

/** Tenants that are read at once. */
const PAGE = 100;

/** Tenants that have had events behind one, by name: the one statement over all tenants. */
export function* readTenants(after: string, limit: number): Steps<readonly string[]> {
  const { rows }: Answer = yield sql`SELECT tenant FROM event_heads WHERE tenant > ${after}
    ORDER BY tenant LIMIT ${limit}`;
  return rows.map((row) => textOf(row, "tenant"));
}

/** Every tenant that has had events. */
export async function* eachTenant(executor: Pick<Executor, "read">): AsyncGenerator<string, void, undefined> {
  let after = "";
  for (;;) {
    const tenants = await executor.read(readTenants(after, PAGE));
    yield* tenants;
    if (tenants.length < PAGE) return;
    after = tenants.at(-1) ?? after;
  }
}
