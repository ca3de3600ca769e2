/**
 * Rows of OAuth clients that go together.
 * @module
 */
import type { ClientName, ClientTrust } from "@scim/tenancy";
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
 * Removes trusts for the same access tokens as another whose clients are gone: earlier releases left some where a client was
 * removed meanwhile. They lead to nobody, and would keep others out.
 */
export function* removeLeftTrusts({ tenant, issuer, audience, claim, subject }: ClientTrust): Steps<void> {
  yield sql`DELETE FROM client_trusts WHERE tenant = ${tenant} AND purpose = 'access-token' AND issuer = ${issuer}
      AND audience = ${audience} AND claim = ${claim} AND subject = ${subject}
      AND client NOT IN (SELECT id FROM oauth_clients WHERE tenant = ${tenant})`;
}

/**
 * Removes clients of a tenant with all that they have. Answers how many there were.
 * @param which a condition on `oauth_clients`
 */
export function* removeClients(
  tenant: string,
  which: Sql,
  { lockedRows, among }: Pick<Dialect, "lockedRows" | "among">,
): Steps<number> {
  // Held before anything of theirs goes: what is being added to one of them goes as well.
  yield sql`SELECT id FROM oauth_clients WHERE tenant = ${tenant} AND ${which} ORDER BY id ${lockedRows}`;
  const those = among(sql`client`, sql`SELECT id FROM oauth_clients WHERE tenant = ${tenant} AND ${which}`);
  yield sql`DELETE FROM access_tokens WHERE tenant = ${tenant} AND ${those}`;
  yield sql`DELETE FROM client_secrets WHERE tenant = ${tenant} AND ${those}`;
  yield sql`DELETE FROM client_trusts WHERE tenant = ${tenant} AND ${those}`;
  yield sql`DELETE FROM used_assertions WHERE tenant = ${tenant} AND ${those}`;
  const { changes } = yield sql`DELETE FROM oauth_clients WHERE tenant = ${tenant} AND ${which}`;
  return changes;
}
