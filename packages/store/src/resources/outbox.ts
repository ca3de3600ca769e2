/**
 * The outbox: every change is told in the transaction that makes it.
 * @module
 */
import {
  type ChangeOrigin,
  collectionChangesOf,
  type StoreScope,
  versionBefore,
  type WritePlan,
} from "@scim/core";
import { type Sql, sql } from "../sql.ts";

/** Where an event stands: the number of its transaction, and its place in it. */
export interface EventPlace {
  readonly number: Sql;
  readonly sequence: number;
}

/** A plan, and what is written of it. */
export interface WrittenPlan {
  readonly plan: WritePlan;
  readonly version: string;
  /** JSON of the body, which row and event hold alike; null where the plan has none. */
  readonly body: string | null;
}

/**
 * The statement that writes the event of a plan. It comes before the change of what exists already, so that it can
 * take the state before from the table.
 */
export function eventStatement(
  { number, sequence }: EventPlace,
  scope: StoreScope,
  { plan, version, body }: WrittenPlan,
): Sql {
  const { event } = plan;
  return sql`INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id,
      version, changed, before, after, collections, origin, version_before)
    VALUES (${scope.tenant}, ${number}, ${sequence}, ${plan.at}, ${scope.connection},
      ${event.subject}, ${event.kind}, ${plan.type}, ${plan.id}, ${version}, ${JSON.stringify(event.changed)},
      ${before(scope.tenant, plan)}, ${body}, ${collections(plan)}, ${originText(event.origin)},
      ${versionBefore(plan)})`;
}

/** What the column of an event holds of its origin. */
export function originText(origin: ChangeOrigin | null | undefined): string | null {
  return origin === null || origin === undefined ? null : JSON.stringify(origin);
}

function before(tenant: string, plan: WritePlan): Sql {
  const unchanged = plan.kind === "create" || (plan.kind === "update" && plan.body === null);
  if (unchanged) return sql`NULL`;
  return sql`(SELECT body FROM resources WHERE tenant = ${tenant} AND type = ${plan.type} AND id = ${plan.id})`;
}

function collections(plan: WritePlan): string | null {
  const changes = collectionChangesOf(plan);
  return changes.length === 0 ? null : JSON.stringify(changes);
}
