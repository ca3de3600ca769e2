/**
 * Receivers of events in SQL, for any database that an executor runs statements on.
 * @module
 */
import {
  type AdminDecision,
  type AsideDelivery,
  type AsidePage,
  familyOf,
  type Present,
  type Receiver,
  type ReceiverName,
  type ReceiverStore,
} from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { inStretches, type OrderedRows } from "../first-rows.ts";
import { joinSql, type Sql, sql } from "../sql.ts";
import { type Answer, type Executor, type Outcome, type Steps, textOf } from "../steps.ts";
import { isFull, NOT_ADDED } from "../tenancy/room.ts";
import { advance, lease, release } from "./leases.ts";
import {
  DELIVERY_COLUMNS,
  deliveryOf,
  optionsText,
  RECEIVER_COLUMNS,
  receiverOf,
  receiverValues,
} from "./rows.ts";
import { type Decided, tellDeliveries, tellReceiver } from "./told-receivers.ts";

/** Makes the store of receivers of a database. */
export function createReceiverStore(
  executor: Pick<Executor, "read" | "write">,
  dialect: Pick<Dialect, "administratorLock">,
): ReceiverStore {
  return {
    tenants: (after, limit) => executor.read(readTenants(after, limit)),
    list: (tenant) => executor.read(select(tenant, sql``)),
    find: async ({ tenant, id }) => {
      const [found] = await executor.read(select(tenant, sql` AND id = ${id}`));
      return found ?? null;
    },
    add: (receiver, decision, most) =>
      executor.write((transaction) => insert(receiver, { transaction, decision, most, dialect })),
    replace: (receiver, replaced, decision) =>
      executor.write((transaction) => update(receiver, replaced, { transaction, decision })),
    remove: (receiver, decision) =>
      executor.write((transaction) => remove(receiver, { transaction, decision })),
    due: (tenant, present) => executor.read(readDue(tenant, present)),
    lease: (name, wanted) => executor.write(() => lease(name, wanted)),
    release: (name, holder) => executor.write(() => release(name, holder)),
    advance: (name, progress) => executor.write(() => advance(name, progress)),
    aside: (name, page) => executor.read(readAside(name, page)),
    rewind: (name, position, decision) =>
      executor.write((transaction) => rewind(name, position, { transaction, decision })),
    revive: async (name, positions, decision) =>
      positions?.length === 0
        ? 0
        : executor.write((transaction) => revive({ ...name, positions }, { transaction, decision })),
    drop: async (name, positions, decision) =>
      positions?.length === 0
        ? 0
        : executor.write((transaction) => drop({ ...name, positions }, { transaction, decision })),
  };
}

/** Tenants that have receivers: the one statement over all tenants. */
function* readTenants(after: string, limit: number): Steps<readonly string[]> {
  const { rows }: Answer = yield sql`SELECT DISTINCT tenant FROM event_receivers WHERE tenant > ${after}
    ORDER BY tenant LIMIT ${limit}`;
  return rows.map((row) => textOf(row, "tenant"));
}

function* select(tenant: string, more: Sql): Steps<readonly Receiver[]> {
  const { rows }: Answer =
    yield sql`SELECT ${RECEIVER_COLUMNS} FROM event_receivers WHERE tenant = ${tenant}${more} ORDER BY id`;
  return rows.flatMap(receiverOf);
}

/** The row as it is; null where nobody has to be told what it was. */
function* toldBefore({ tenant, id }: ReceiverName, { decision }: Decided): Steps<Receiver | null> {
  if (decision === undefined) return null;
  const [found] = yield* select(tenant, sql` AND id = ${id}`);
  return found ?? null;
}

interface Adding extends Decided {
  readonly most: number | undefined;
  readonly dialect: Pick<Dialect, "administratorLock">;
}

function* insert(receiver: Receiver, { most, dialect, ...decided }: Adding): Steps<Outcome<boolean>> {
  const { tenant, kind } = receiver;
  // Whoever counts waits for those who add at this moment.
  if (most !== undefined && dialect.administratorLock !== null) yield dialect.administratorLock;
  const family = familyOf(kind) === "webhook" ? sql`kind = 'webhook'` : sql`kind <> 'webhook'`;
  if (yield* isFull(sql`event_receivers WHERE tenant = ${tenant} AND ${family}`, most)) return NOT_ADDED;
  const { changes }: Answer = yield sql`INSERT INTO event_receivers (${RECEIVER_COLUMNS})
    VALUES (${receiverValues(receiver)}) ON CONFLICT DO NOTHING`;
  if (changes > 0) yield* tellReceiver(decided, null, receiver);
  return { keep: true, result: changes > 0 };
}

function* update(receiver: Receiver, replaced: number, decided: Decided): Steps<Outcome<boolean>> {
  const before = yield* toldBefore(receiver, decided);
  const { tenant, id, url, state, reason, types, payload, secrets, revision } = receiver;
  const { changes }: Answer = yield sql`UPDATE event_receivers SET url = ${url}, reason = ${reason},
      types = ${JSON.stringify(types)}, payload = ${payload}, secrets = ${JSON.stringify(secrets)}, options = ${optionsText(receiver)},
      revision = ${revision}, state = ${state},
      failing_since = CASE WHEN state <> 'active' AND ${state} = 'active' THEN NULL ELSE failing_since END
    WHERE tenant = ${tenant} AND id = ${id} AND revision = ${replaced}`;
  if (changes > 0 && before !== null) yield* tellReceiver(decided, before, receiver);
  return { keep: true, result: changes > 0 };
}

function* remove(
  { tenant, id, revision }: ReceiverName & Pick<Receiver, "revision">,
  decided: Decided,
): Steps<Outcome<boolean>> {
  const before = yield* toldBefore({ tenant, id }, decided);
  const { changes }: Answer = yield sql`DELETE FROM event_receivers
    WHERE tenant = ${tenant} AND id = ${id} AND revision = ${revision}`;
  if (changes === 0) return { keep: false, result: false };
  yield* forget(deliveriesOf({ tenant, id }));
  if (before !== null) yield* tellReceiver(decided, before, null);
  return { keep: true, result: true };
}

function* readDue(tenant: string, { now, latest }: Present): Steps<readonly string[]> {
  const { rows }: Answer = yield sql`SELECT r.id FROM event_receivers r
    WHERE r.tenant = ${tenant} AND r.state = 'active' AND r.kind <> 'poll' AND (
      r.position <> COALESCE((SELECT h.position FROM event_heads h WHERE h.tenant = ${tenant}), 0)
      OR EXISTS (SELECT 1 FROM event_deliveries d
        WHERE d.tenant = ${tenant} AND d.receiver = r.id AND d.state = 'waiting'
          AND (d.next <= ${now} OR d.next > ${latest})))
    ORDER BY r.id`;
  return rows.map((row) => textOf(row, "id"));
}

function* readAside(
  { tenant, id }: ReceiverName,
  { state, after, limit }: AsidePage,
): Steps<readonly AsideDelivery[]> {
  const { rows }: Answer = yield sql`SELECT ${DELIVERY_COLUMNS} FROM event_deliveries
    WHERE tenant = ${tenant} AND receiver = ${id} AND state = ${state} AND position > ${after}
    ORDER BY position LIMIT ${limit}`;
  return rows.map(deliveryOf);
}

/** Who holds the lease loses it, so that what it is about to write does not undo this. */
function* rewind({ tenant, id }: ReceiverName, position: number, decided: Decided): Steps<Outcome<boolean>> {
  const before = yield* toldBefore({ tenant, id }, decided);
  const { changes }: Answer = yield sql`UPDATE event_receivers
    SET position = ${position}, lease_holder = NULL, lease_until = NULL
    WHERE tenant = ${tenant} AND id = ${id}`;
  if (changes === 0) return { keep: false, result: false };
  yield* forget(deliveriesOf({ tenant, id }, sql` AND position > ${position}`));
  if (before !== null) yield* tellDeliveries(decided, before, { position });
  return { keep: true, result: true };
}

/** Deliveries that were given up: those of the positions, or all. */
interface GivenUp extends ReceiverName {
  readonly positions: readonly number[] | null;
}

/** A write that an administrator decides on. */
interface Deciding extends Decided {
  readonly decision: AdminDecision;
}

function* revive(given: GivenUp, decided: Deciding): Steps<Outcome<number>> {
  const { at } = decided.decision;
  const before = yield* toldBefore(given, decided);
  const revived = yield* inStretches(
    givenUp(given),
    (of) => sql`UPDATE event_deliveries
      SET state = 'waiting', attempts = 0, since = ${at}, next = ${at} WHERE ${of}`,
  );
  if (revived > 0 && before !== null)
    yield* tellDeliveries(decided, before, { position: before.position, revived });
  return { keep: true, result: revived };
}

function* drop(given: GivenUp, decided: Deciding): Steps<Outcome<number>> {
  const before = yield* toldBefore(given, decided);
  const dropped = yield* forget(givenUp(given));
  if (dropped > 0 && before !== null)
    yield* tellDeliveries(decided, before, { position: before.position, dropped });
  return { keep: true, result: dropped };
}

function givenUp({ positions, ...name }: GivenUp): OrderedRows {
  if (positions === null) return deliveriesOf(name, sql` AND state = 'dead'`);
  const listed = joinSql(
    positions.map((position) => sql`${position}`),
    ", ",
  );
  return deliveriesOf(name, sql` AND state = 'dead' AND position IN (${listed})`);
}

/** Deliveries that were set aside for a receiver: there may be as many as events are kept. */
function deliveriesOf({ tenant, id }: ReceiverName, which: Sql = sql``): OrderedRows {
  const of = sql`tenant = ${tenant} AND receiver = ${id}${which}`;
  return { table: sql`event_deliveries`, of, order: [sql`position`] };
}

function forget(deliveries: OrderedRows): Steps<number> {
  return inStretches(deliveries, (of) => sql`DELETE FROM event_deliveries WHERE ${of}`);
}
