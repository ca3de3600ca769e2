/**
 * The outbox: every change is told in the transaction that makes it.
 * @module
 */
import type { ChangeOrigin, StoreScope, UpdatePlan, WritePlan } from "@scim/core";
import { collectionChangesOf, versionBefore } from "@scim/core/changes";
import type { JsonObject } from "@scim/schemas";
import type { Dialect } from "../dialect.ts";
import type { FreshContent, UnplacedEvent } from "../events/fresh-events.ts";
import { knownOrigin } from "../events/read-events.ts";
import { type Sql, sql } from "../sql.ts";

/** Where an event stands: the number of its transaction, and its place in it. */
export interface EventPlace {
  readonly number: Sql;
  readonly sequence: number;
}

/** Whose event it is, and where it is written. */
export interface EventSetting {
  readonly scope: StoreScope;
  readonly dialect: Pick<Dialect, "orRollBack">;
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
  { scope, dialect }: EventSetting,
  { plan, version, body }: WrittenPlan,
): Sql {
  const { tenant, connection } = scope;
  const { subject, kind, changed, origin } = plan.event;
  const columns = sql`(tenant, transaction_number, sequence, at, connection, subject, kind, type, id,
      version, changed, after, collections, origin, version_before, before)`;
  const values = sql`${number}, ${sequence}, ${plan.at}, ${connection}, ${subject}, ${kind}, ${plan.type}, ${plan.id},
      ${version}, ${JSON.stringify(changed)}, ${body}, ${collections(plan)}, ${originText(origin)}, ${versionBefore(plan)}`;
  if (!changesBody(plan)) return sql`INSERT INTO events ${columns} VALUES (${tenant}, ${values}, NULL)`;
  // With the tenant from the table: of several nodes, that of the tenant does it alone.
  return sql`INSERT${{ text: dialect.orRollBack, params: [] }} INTO events ${columns}
    SELECT r.tenant, ${values}, r.body FROM resources r
    WHERE r.tenant = ${tenant} AND r.type = ${plan.type} AND r.id = ${plan.id}`;
}

/** What an event tells, where plan and body say all of it; null where the database has to be asked, or collections change. */
export function freshContent(
  { connection }: StoreScope,
  { plan, version, body }: WrittenPlan,
): FreshContent | null {
  if ((plan.kind !== "create" && plan.kind !== "update") || body === null) return null;
  if (plan.collections.length > 0 || plan.staged !== undefined || plan.event.changed.length === 0)
    return null;
  const { subject, origin, kind, changed } = plan.event;
  const images =
    plan.kind === "create" ? { before: null, after: plan.body, stateText: body } : differingImages(plan);
  if (images === null) return null;
  const event: UnplacedEvent = {
    at: plan.at,
    connection,
    subject,
    origin: origin === null || origin === undefined ? null : knownOrigin({ ...origin }),
    kind,
    type: plan.type,
    id: plan.id,
    version,
    versionBefore: versionBefore(plan),
    changed,
    ...images,
    collections: [],
  };
  return { event, size: images.before === null ? body.length : 2 * body.length };
}

/**
 * The states before and after without what they share: a PATCH shares what it does not touch. What was told to have
 * changed stays in, so that it is found there. Null where the state before is not known.
 */
function differingImages({
  bodyBefore,
  body,
  event,
}: UpdatePlan): Pick<UnplacedEvent, "before" | "after"> | null {
  if (bodyBefore === undefined || body === null) return null;
  return {
    before: unsharedMembers(bodyBefore, body, event.changed),
    after: unsharedMembers(body, bodyBefore, event.changed),
  };
}

function unsharedMembers(object: JsonObject, other: JsonObject, changed: readonly string[]): JsonObject {
  const isShared = (name: string): boolean => Object.hasOwn(other, name) && other[name] === object[name];
  const names = Object.keys(object).filter((name) => !isShared(name) || changed.includes(name));
  return Object.fromEntries(names.map((name) => [name, object[name] ?? null]));
}

/** What the column of an event holds of its origin. */
export function originText(origin: ChangeOrigin | null | undefined): string | null {
  return origin === null || origin === undefined ? null : JSON.stringify(origin);
}

/** Whether the event tells the JSON from before: what is created, or restored, was not there. */
function changesBody(plan: WritePlan): boolean {
  switch (plan.kind) {
    case "create":
    case "restore":
      return false;
    case "update":
      return plan.body !== null;
    case "delete":
      return true;
  }
}

function collections(plan: WritePlan): string | null {
  const changes = collectionChangesOf(plan);
  return changes.length === 0 ? null : JSON.stringify(changes);
}
