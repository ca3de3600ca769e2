/**
 * Since when requests are listened to: a row of the service itself, beside those of connections.
 * @module
 */
import { CLOCK_SKEW_MS } from "@scim/events";
import { ADMIN_TENANT } from "@scim/tenancy";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Outcome, type Steps, textOf } from "../steps.ts";

/** No connection has it: in the tenant of the administration it names the service, whose `last` is its last look. */
const SERVICE = "";

/** The rows of connections. */
export const OF_CONNECTIONS: Sql = sql`connection <> ${SERVICE}`;

/**
 * Notes a look. Resolves to the first one behind which there was none that others waited for longer than a pause. What is later than
 * clocks may differ was noted while one was ahead, and counts for nothing.
 */
export function* noteListening(at: string, pause: number): Steps<Outcome<string>> {
  const before = new Date(Date.parse(at) - pause).toISOString();
  const latest = new Date(Date.parse(at) + CLOCK_SKEW_MS).toISOString();
  yield sql`INSERT INTO request_sources (tenant, connection, run, begun, last, intervals)
    VALUES (${ADMIN_TENANT}, ${SERVICE}, '', ${at}, ${at}, '[]')
    ON CONFLICT (tenant, connection) DO UPDATE SET
      begun = CASE WHEN request_sources.last < ${before} OR request_sources.begun > ${latest}
        THEN excluded.begun ELSE request_sources.begun END,
      last = CASE WHEN request_sources.last < excluded.last OR request_sources.last > ${latest}
        THEN excluded.last ELSE request_sources.last END`;
  const { rows }: Answer = yield sql`SELECT begun FROM request_sources
    WHERE tenant = ${ADMIN_TENANT} AND connection = ${SERVICE}`;
  const [row] = rows;
  return { keep: true, result: row === undefined ? at : textOf(row, "begun") };
}
