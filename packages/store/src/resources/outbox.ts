/**
 * The outbox: every change is told in the transaction that makes it.
 * @module
 */
import { collectionChangeOf, type StoreScope, type WritePlan } from "@scim/core";
import { type Sql, sql } from "../sql.ts";
import type { Steps, WriteTransaction } from "../steps.ts";

/**
 * Writes the event of a plan. It comes before the change itself, so that the statement can take the state
 * before from the table.
 */
export function* writeEvent(
  transaction: WriteTransaction,
  scope: StoreScope,
  { plan, version }: { readonly plan: WritePlan; readonly version: string },
): Steps<void> {
  const { event } = plan;
  const number = yield* transaction.number(scope.tenant);
  yield sql`INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id,
      version, changed, before, after, collections)
    VALUES (${scope.tenant}, ${number}, ${transaction.nextSequence()}, ${plan.at}, ${scope.connection},
      ${event.subject}, ${event.kind}, ${plan.type}, ${plan.id}, ${version}, ${JSON.stringify(event.changed)},
      ${before(scope.tenant, plan)}, ${after(plan)}, ${collections(plan)})`;
}

function before(tenant: string, plan: WritePlan): Sql {
  const unchanged = plan.kind === "create" || (plan.kind === "update" && plan.body === null);
  if (unchanged) return sql`NULL`;
  return sql`(SELECT body FROM resources WHERE tenant = ${tenant} AND type = ${plan.type} AND id = ${plan.id})`;
}

function after(plan: WritePlan): string | null {
  return plan.kind === "delete" || plan.body === null ? null : JSON.stringify(plan.body);
}

function collections(plan: WritePlan): string | null {
  if (plan.kind === "delete" || plan.collections.length === 0) return null;
  return JSON.stringify(plan.collections.map(collectionChangeOf));
}
