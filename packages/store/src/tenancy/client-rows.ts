/**
 * Rows of OAuth clients that go together.
 * @module
 */
import { type Sql, sql } from "../sql.ts";
import type { Steps } from "../steps.ts";

/**
 * Removes clients of a tenant with all that they have. Answers how many there were.
 * @param which a condition on `oauth_clients`
 */
export function* removeClients(tenant: string, which: Sql): Steps<number> {
  const those = sql`(SELECT id FROM oauth_clients WHERE tenant = ${tenant} AND ${which})`;
  yield sql`DELETE FROM access_tokens WHERE tenant = ${tenant} AND client IN ${those}`;
  yield sql`DELETE FROM client_secrets WHERE tenant = ${tenant} AND client IN ${those}`;
  yield sql`DELETE FROM client_trusts WHERE tenant = ${tenant} AND client IN ${those}`;
  yield sql`DELETE FROM used_assertions WHERE tenant = ${tenant} AND client IN ${those}`;
  const { changes } = yield sql`DELETE FROM oauth_clients WHERE tenant = ${tenant} AND ${which}`;
  return changes;
}
