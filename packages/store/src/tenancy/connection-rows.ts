/**
 * What goes with a connection is written while that is there.
 * @module
 */
import type { ConnectionName } from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import type { Outcome, Steps } from "../steps.ts";

/**
 * Writes what goes with a connection, and holds its row meanwhile: a removal that is under way is waited for, and one that
 * comes later takes along what is written.
 * @param of default none has to be there
 * @returns what `write` comes to; false where the connection is gone
 */
export function* whileThere(
  of: ConnectionName | undefined,
  { lockedRows }: Dialect,
  write: () => Steps<Outcome<boolean>>,
): Steps<Outcome<boolean>> {
  if (of !== undefined) {
    const { rows } = yield sql`SELECT connection FROM connections
      WHERE tenant = ${of.tenant} AND connection = ${of.connection} ${lockedRows}`;
    if (rows.length === 0) return { keep: false, result: false };
  }
  return yield* write();
}
