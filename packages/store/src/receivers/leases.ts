/**
 * Work on receivers: one process at a time delivers to each. Every step is right by itself, also where two hold a lease
 * because their clocks differ: who comes second finds another position, and its step counts for nothing. So does one that
 * told an address which was changed meanwhile: what that answered says nothing of the new one.
 * @module
 */
import { nextRevision } from "@scim/core";
import type { DeliveryProgress, Lease, Receiver, ReceiverName } from "@scim/events";
import { joinSql, sql } from "../sql.ts";
import type { Answer, Outcome, Steps } from "../steps.ts";
import { RECEIVER_COLUMNS, receiverOf } from "./rows.ts";

/** Takes or keeps the lease of an active receiver. */
export function* lease(
  { tenant, id }: ReceiverName,
  { holder, now, latest, until }: Lease,
): Steps<Outcome<Receiver | null>> {
  const { changes }: Answer = yield sql`UPDATE event_receivers
    SET lease_holder = ${holder}, lease_until = ${until}
    WHERE tenant = ${tenant} AND id = ${id} AND state = 'active'
      AND (lease_holder IS NULL OR lease_holder = ${holder} OR lease_until <= ${now} OR lease_until > ${latest})`;
  if (changes === 0) return { keep: false, result: null };
  const { rows }: Answer = yield sql`SELECT ${RECEIVER_COLUMNS} FROM event_receivers
    WHERE tenant = ${tenant} AND id = ${id}`;
  const [receiver] = rows.flatMap(receiverOf);
  return { keep: receiver !== undefined, result: receiver ?? null };
}

/** Gives a lease back. */
export function* release({ tenant, id }: ReceiverName, holder: string): Steps<Outcome<void>> {
  const { changes }: Answer = yield sql`UPDATE event_receivers SET lease_holder = NULL, lease_until = NULL
    WHERE tenant = ${tenant} AND id = ${id} AND lease_holder = ${holder}`;
  return { keep: changes > 0, result: undefined };
}

/** Rows of one statement: each has ten parameters. */
const ROWS = 50;

/** Writes how far a worker came. */
export function* advance(
  name: ReceiverName,
  { holder, url, from, to, outcome, disabled, aside, done }: DeliveryProgress,
): Steps<Outcome<boolean>> {
  const { tenant, id } = name;
  const { failingSince, lastDelivery, lastProblem } = outcome;
  const { changes }: Answer = yield sql`UPDATE event_receivers SET position = ${to},
      failing_since = ${failingSince}, last_delivery = ${lastDelivery}, last_problem = ${lastProblem}
    WHERE tenant = ${tenant} AND id = ${id} AND lease_holder = ${holder} AND position = ${from}
      AND url = ${url}`;
  if (changes === 0) return { keep: false, result: false };
  if (disabled !== null) {
    yield sql`UPDATE event_receivers SET state = 'disabled', reason = ${disabled},
        revision = revision + ${nextRevision(0, Math.random())}
      WHERE tenant = ${tenant} AND id = ${id} AND state = 'active'`;
  }
  for (let at = 0; at < aside.length; at += ROWS) {
    const rows = aside.slice(at, at + ROWS).map(
      (row) =>
        sql`(${tenant}, ${id}, ${row.position}, ${row.type}, ${row.resource}, ${row.state}, ${row.attempts},
            ${row.since}, ${row.next}, ${row.problem})`,
    );
    yield sql`INSERT INTO event_deliveries
        (tenant, receiver, position, type, id, state, attempts, since, next, problem)
      VALUES ${joinSql(rows, ", ")}
      ON CONFLICT (tenant, receiver, position) DO UPDATE SET state = excluded.state,
        attempts = excluded.attempts, since = excluded.since, next = excluded.next, problem = excluded.problem`;
  }
  for (let at = 0; at < done.length; at += ROWS) {
    const positions = done.slice(at, at + ROWS).map((position) => sql`${position}`);
    yield sql`DELETE FROM event_deliveries
      WHERE tenant = ${tenant} AND receiver = ${id} AND position IN (${joinSql(positions, ", ")})`;
  }
  return { keep: true, result: true };
}
