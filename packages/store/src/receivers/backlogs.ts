/**
 * How far the receivers of events are behind, and what was given up for them.
 * @module
 */
import type { ReceiverName, ReceiverStore } from "@scim/events";
import { sql } from "../sql.ts";
import { type Answer, type Executor, numberOf, type Row, type Steps, textOf } from "../steps.ts";

/** What a receiver has not been told. */
export interface ReceiverBacklog extends ReceiverName {
  /** Events behind its position, and those that were set aside and are tried again. */
  readonly events: number;
  /** Events that were given up. */
  readonly dead: number;
}

const TENANTS = 100;

/** Counts the backlogs of all receivers, tenant by tenant. */
export async function countBacklogs(
  executor: Pick<Executor, "read">,
  receivers: Pick<ReceiverStore, "tenants">,
): Promise<readonly ReceiverBacklog[]> {
  const found: ReceiverBacklog[] = [];
  let after: string | undefined = "";
  while (after !== undefined) {
    const tenants: readonly string[] = await receivers.tenants(after, TENANTS);
    for (const tenant of tenants) found.push(...(await executor.read(backlogsOf(tenant))));
    after = tenants.at(-1);
  }
  return found;
}

function* backlogsOf(tenant: string): Steps<readonly ReceiverBacklog[]> {
  const { rows }: Answer = yield sql`SELECT r.id,
      COALESCE((SELECT h.position FROM event_heads h WHERE h.tenant = ${tenant}), 0) - r.position AS behind,
      (SELECT count(*) FROM event_deliveries d
        WHERE d.tenant = ${tenant} AND d.receiver = r.id AND d.state = 'waiting') AS waiting,
      (SELECT count(*) FROM event_deliveries d
        WHERE d.tenant = ${tenant} AND d.receiver = r.id AND d.state = 'dead') AS dead
    FROM event_receivers r WHERE r.tenant = ${tenant} ORDER BY r.id`;
  return rows.map((row) => backlogOf(tenant, row));
}

function backlogOf(tenant: string, row: Row): ReceiverBacklog {
  const behind = Math.max(0, numberOf(row, "behind"));
  return {
    tenant,
    id: textOf(row, "id"),
    events: behind + numberOf(row, "waiting"),
    dead: numberOf(row, "dead"),
  };
}
