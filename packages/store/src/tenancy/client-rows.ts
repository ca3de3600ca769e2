/**
 * Rows of OAuth clients that go together.
 * @module
 */
import type { ClientName } from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import type { Answer, Outcome, Steps } from "../steps.ts";

/**
 * Writes what goes with a client, and holds its row meanwhile: a removal that is under way is waited for, and one that comes
 * later takes along what is written.
 * @returns what `write` comes to; false where the client is gone
 */
export function* whileClientThere(
  { tenant, id }: ClientName,
  { lockedRows }: Dialect,
  write: () => Steps<Outcome<boolean>>,
): Steps<Outcome<boolean>> {
  const { rows }: Answer = yield sql`SELECT id FROM oauth_clients
    WHERE tenant = ${tenant} AND id = ${id} ${lockedRows}`;
  return rows.length === 0 ? { keep: false, result: false } : yield* write();
}

/**
 * Removes clients of a tenant with all that they have. Answers how many there were.
 * @param which a condition on `oauth_clients`
 */
export function* removeClients(tenant: string, which: Sql, { lockedRows }: Dialect): Steps<number> {
  // Held before anything of theirs goes: what is being added to one of them goes as well.
  yield sql`SELECT id FROM oauth_clients WHERE tenant = ${tenant} AND ${which} ORDER BY id ${lockedRows}`;
  const those = sql`(SELECT id FROM oauth_clients WHERE tenant = ${tenant} AND ${which})`;
  yield sql`DELETE FROM access_tokens WHERE tenant = ${tenant} AND client IN ${those}`;
  yield sql`DELETE FROM client_secrets WHERE tenant = ${tenant} AND client IN ${those}`;
  yield sql`DELETE FROM client_trusts WHERE tenant = ${tenant} AND client IN ${those}`;
  yield sql`DELETE FROM used_assertions WHERE tenant = ${tenant} AND client IN ${those}`;
  const { changes } = yield sql`DELETE FROM oauth_clients WHERE tenant = ${tenant} AND ${which}`;
  return changes;
}
