/**
 * The outbox: every change is told in the transaction that makes it.
 * @module
 */
import type { CollectionDelta, StoreScope, WritePlan } from "@scim/core";
import type { JsonObject } from "@scim/schemas";
import { type Sql, sql } from "../sql.ts";
import type { Steps, WriteTransaction } from "../steps.ts";

/** Values of one collection that an event names; of a longer change it says how many there were. */
export const EVENT_VALUES = 1000;

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
  return JSON.stringify(plan.collections.map(deltaOf));
}

/** What is told of a change to a collection: `added` and `removed` are values, or how many there were. */
function deltaOf(delta: CollectionDelta): JsonObject {
  return {
    path: delta.path,
    removed: delta.remove === "all" ? "all" : shortened(delta.remove),
    added: shortened(delta.add.map((value) => value.value)),
  };
}

function shortened(values: readonly string[]): readonly string[] | number {
  return values.length > EVENT_VALUES ? values.length : values;
}
