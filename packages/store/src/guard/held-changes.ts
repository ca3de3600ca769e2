/**
 * Changes that guards hold: listed, released, dismissed. What an administrator decides is told in the trail of
 * administration, in the same transaction.
 * @module
 */
import type {
  AdminDecision,
  GuardMeasure,
  HeldChange,
  HeldChoice,
  HeldPage,
  HeldResource,
  RemovedValues,
} from "@scim/events";
import { inStretches, removeFirst } from "../first-rows.ts";
import { type Sql, sql } from "../sql.ts";
import {
  type Answer,
  numberOf,
  type Outcome,
  type Row,
  type Steps,
  textOf,
  textOrNullOf,
  type WriteTransaction,
} from "../steps.ts";
import { toldWith } from "../tenancy/admin-acts.ts";

/** Held changes of a tenant, the oldest first. */
export function* heldChanges(
  tenant: string,
  { id, connection, after, limit }: HeldPage,
): Steps<readonly HeldChange[]> {
  const of = connection === undefined ? sql`` : sql` AND connection = ${connection}`;
  const named = id === undefined ? sql`` : sql` AND id = ${id}`;
  const behind = after === undefined || after === null ? sql`` : sql` AND id > ${after}`;
  // Their ids first: those of a connection are told by an index, and the rows of others, of which there may be many, are not read.
  const { rows }: Answer =
    yield sql`SELECT tenant, connection, measure, type, resource, id, first_at, last_at,
      tries, changes, removed, released
    FROM guard_held WHERE tenant = ${tenant} AND id IN (
      SELECT id FROM guard_held WHERE tenant = ${tenant}${of}${named}${behind} ORDER BY id LIMIT ${limit})
    ORDER BY id`;
  return rows.map(heldOf);
}

function heldOf(row: Row): HeldChange {
  return {
    tenant: textOf(row, "tenant"),
    connection: textOf(row, "connection"),
    measure: measureOf(textOf(row, "measure")),
    type: textOf(row, "type"),
    resource: textOf(row, "resource"),
    id: textOf(row, "id"),
    first: textOf(row, "first_at"),
    last: textOf(row, "last_at"),
    tries: numberOf(row, "tries"),
    // The column holds what `hold` wrote.
    changes: JSON.parse(textOf(row, "changes")) as HeldChange["changes"],
    removed: shown(removedOf(row)),
    released: textOrNullOf(row, "released"),
  };
}

/** Ids that are listed of a resource. */
const SHOWN_VALUES = 100;

function shown({ values, count }: RemovedValues): RemovedValues {
  return { values: values.slice(0, SHOWN_VALUES), count };
}

/** What the changes of a row would take out of collections. */
export function removedOf(row: Row): RemovedValues {
  // The column holds what `hold` wrote.
  return JSON.parse(textOf(row, "removed")) as RemovedValues;
}

const MEASURES: readonly GuardMeasure[] = ["deactivations", "deletions", "removals"];

function measureOf(text: string): GuardMeasure {
  const measure = MEASURES.find((each) => each === text);
  if (measure === undefined) throw new TypeError(`${text} is nothing that guards count`);
  return measure;
}

/** A decision over held changes. */
interface Deciding {
  readonly tenant: string;
  readonly which: HeldChoice;
  readonly decision: AdminDecision;
  /** Whether they pass when they are sent again, or are forgotten. */
  readonly passes: boolean;
}

/** Releases or dismisses. Resolves to how many. */
export function* decideHeld(
  transaction: WriteTransaction,
  { tenant, which, decision, passes }: Deciding,
): Steps<Outcome<number>> {
  const decide = (of: Sql): Sql =>
    passes
      ? sql`UPDATE guard_held SET released = ${decision.at} WHERE ${of}`
      : sql`DELETE FROM guard_held WHERE ${of}`;
  const changes = yield* "id" in which
    ? decideOne(sql`tenant = ${tenant} AND id = ${which.id}`, { decide, passes })
    : decideAll(sql`tenant = ${tenant} AND connection = ${which.connection}`, decide);
  const act = {
    at: decision.at,
    origin: decision.actor,
    kind: "replaced",
    type: "GuardHold",
    id: `${tenant}/${"id" in which ? which.id : which.connection}`,
    before: { held: changes },
    after: passes ? { released: changes } : { dismissed: changes },
    revision: 1,
  } as const;
  yield* toldWith({ transaction, act }, changes > 0);
  return { keep: true, result: changes };
}

/** What is dismissed by its id may be released: that is taken back. */
function* decideOne(
  one: Sql,
  { decide, passes }: { readonly decide: (of: Sql) => Sql; readonly passes: boolean },
): Steps<number> {
  const { changes }: Answer = yield decide(passes ? sql`${one} AND released IS NULL` : one);
  return changes;
}

const OF_CONNECTION = [sql`measure`, sql`type`, sql`resource`];

/** Of a connection there may be as many as it has resources. Who dismisses the rest leaves what is released. */
function decideAll(of: Sql, decide: (of: Sql) => Sql): Steps<number> {
  const held = { table: sql`guard_held`, of, order: OF_CONNECTION };
  // Not by the index of those: a database would go through all that it had of them before, each time.
  return inStretches(held, (some) => decide(sql`${some} AND coalesce(released, '') = ''`));
}

/** Forgets what is held of a resource: found by the connections that have anything held, of which there are few. */
export function forgetting({ tenant, type, id }: HeldResource): Sql {
  return sql`WITH RECURSIVE holding(connection) AS (
      SELECT MIN(connection) FROM guard_held WHERE tenant = ${tenant}
      UNION ALL SELECT (SELECT MIN(h.connection) FROM guard_held h
        WHERE h.tenant = ${tenant} AND h.connection > holding.connection)
        FROM holding WHERE holding.connection IS NOT NULL
    ) DELETE FROM guard_held WHERE tenant = ${tenant} AND connection IN (SELECT connection FROM holding)
    AND measure IN ('deactivations', 'deletions', 'removals') AND type = ${type} AND resource = ${id}`;
}

/** As the index has them whose changes were not sent again for the longest time. */
const HELD = [sql`last_at`, sql`connection`, sql`measure`, sql`type`, sql`resource`];

/** Forgets what was not sent again since an instant. */
export function* purgeHeld(tenant: string, before: string, limit: number): Steps<Outcome<number>> {
  const held = { table: sql`guard_held`, of: sql`tenant = ${tenant} AND last_at < ${before}`, order: HELD };
  return { keep: true, result: yield* removeFirst(held, limit) };
}
