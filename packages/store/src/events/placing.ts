/**
 * The statements that give positions to events of a tenant, and the right to do so. A thread loads them: what knows of schemas
 * stays out.
 * @module
 */
import type { FeedPage } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { joinSql, type Sql, sql } from "../sql.ts";
import { countOf, type Steps } from "../steps.ts";

/** Events of a tenant that are given positions: at most `limit`, behind one. */
export interface Placing extends FeedPage {
  readonly tenant: string;
}

/** The statement that gives positions to the first events of a tenant that may have one. */
export function placing(
  { tenant, after, limit }: Placing,
  dialect: Pick<Dialect, "openTransactions" | "orRollBack">,
): Sql {
  const settled = settledEvents(tenant, dialect, limit);
  return sql`UPDATE${{ text: dialect.orRollBack, params: [] }} events SET position = ${after} + next.place
    FROM (SELECT transaction_number, sequence,
        row_number() OVER (ORDER BY transaction_number, sequence) AS place
      FROM (${settled}) AS settled
      ORDER BY transaction_number, sequence LIMIT ${limit}) AS next
    WHERE events.tenant = ${tenant} AND events.transaction_number = next.transaction_number
      AND events.sequence = next.sequence${dialect.openTransactions === null ? sql`` : upToLast(settled)}`;
}

/** The condition that an event waits, and is not behind the last of those: a server may go through all that it leaves. */
function upToLast(settled: Sql): Sql {
  return sql` AND events.position IS NULL AND (events.transaction_number, events.sequence) <= (
        SELECT transaction_number, sequence FROM (${settled}) AS settled
        ORDER BY transaction_number DESC, sequence DESC LIMIT 1)`;
}

/** The statement that notes the last position of a tenant. */
export function headMoved(tenant: string, position: number): Sql {
  return sql`UPDATE event_heads SET position = ${position} WHERE tenant = ${tenant}`;
}

/** Takes the right to give a tenant's positions. Answers the last one; null where another has the right. */
export function* holdHead(tenant: string, { heldRow }: Pick<Dialect, "heldRow">): Steps<number | null> {
  const held = yield sql`SELECT position FROM event_heads WHERE tenant = ${tenant} ${heldRow}`;
  if (held.rows.length > 0) return countOf(held, "position");
  const { changes } = yield sql`INSERT INTO event_heads (tenant, position) VALUES (${tenant}, 0)
    ON CONFLICT DO NOTHING`;
  return changes === 0 ? null : 0;
}

/** The first events without position that are settled: whatever is still to be committed comes behind them. */
function settledEvents(
  tenant: string,
  { openTransactions: open }: Pick<Dialect, "openTransactions">,
  limit: number,
): Sql {
  const number = sql`transaction_number`;
  // A number that this database has not come to yet was brought from another one, whose transactions are over.
  const ranges =
    open === null ? [sql`1 = 1`] : [sql`${number} < ${open.first}`, sql`${number} >= ${open.end}`];
  const parts = ranges.map(
    (range) => sql`SELECT ${number}, sequence FROM (SELECT ${number}, sequence FROM events
      WHERE tenant = ${tenant} AND position IS NULL AND ${range} ORDER BY ${number}, sequence
      LIMIT ${limit}) AS part`,
  );
  return joinSql(parts, " UNION ALL ");
}
