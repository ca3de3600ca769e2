/**
 * Counts and holds of guards in SQL.
 * @module
 */
import {
  addRemoved,
  type GuardCount,
  type GuardPlace,
  type GuardStore,
  type HeldChange,
  type OwnedCollection,
  type RemovedValues,
  takeRemoved,
} from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { liveCount } from "../query/live-count.ts";
import { findHolders } from "../resources/holders.ts";
import { countCollectionRows } from "../resources/reference-rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, type Executor, type Outcome, type Steps, textOrNullOf } from "../steps.ts";
import { decideHeld, forgetting, heldChanges, purgeHeld, removedOf } from "./held-changes.ts";
import { at, readState } from "./read-state.ts";

/** Makes the store of guards of a database. */
export function createGuardStore(executor: Executor, dialect: Dialect): GuardStore {
  return {
    state: (place, resource) => executor.read(readState(place, resource)),
    population: (tenant, type) => executor.read(liveCount({ tenant, type })),
    values: (tenant, collection, most) =>
      countCollectionRows(executor, { tenant, dialect }, { ...collection, most }),
    references: (tenant, collection) => executor.read(countReferences(tenant, collection, dialect)),
    holders: (tenant, lookup) => executor.read(findHolders(tenant, lookup, dialect)),
    counting: counting,
    taking: (place, resource, left) =>
      leaving(sql`${at(place)} AND resource = ${resource} AND released IS NOT NULL`, left),
    passing: (place, resource, left) =>
      leaving(sql`${at(place)} AND resource = ${resource} AND released IS NULL`, left),
    forgetting,
    tell: (place, started) => executor.write(() => tell(place, started)),
    hold: (change) => executor.write(() => hold(dialect, change)),
    held: (tenant, page) => executor.read(heldChanges(tenant, page)),
    release: (tenant, which, decision) =>
      executor.write((transaction) => decideHeld(transaction, { tenant, which, decision, passes: true })),
    dismiss: (tenant, which, decision) =>
      executor.write((transaction) => decideHeld(transaction, { tenant, which, decision, passes: false })),
    purge: (tenant, before, limit) => executor.write(() => purgeHeld(tenant, before, limit)),
  };
}

/** Leaves so much of held changes; where that is nothing, they go. */
function leaving(changes: Sql, left: RemovedValues): Sql {
  return left.count > 0
    ? sql`UPDATE guard_held SET removed = ${JSON.stringify(left)} WHERE ${changes}`
    : sql`DELETE FROM guard_held WHERE ${changes}`;
}

function* countReferences(
  tenant: string,
  { type, id, path, among }: OwnedCollection,
  dialect: Dialect,
): Steps<number> {
  const of = sql`tenant = ${tenant} AND type = ${type} AND owner = ${id} AND path = ${path}`;
  const answer: Answer =
    among === undefined
      ? yield sql`SELECT COUNT(*) AS n FROM reference_values WHERE ${of}`
      : yield sql`SELECT COUNT(*) AS n FROM reference_values
          WHERE ${of} AND value IN ${dialect.idList(among)}`;
  return countOf(answer, "n");
}

/** A bound that is none. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

function counting(count: GuardCount): Sql {
  const { tenant, connection, measure, type, by, endsBefore, latest, most, isTold } = count;
  const isOver = sql`(guard_windows.started <= ${endsBefore} OR guard_windows.started > ${latest})`;
  return sql`INSERT INTO guard_windows (tenant, connection, measure, type, started, count, most, told)
    VALUES (${tenant}, ${connection}, ${measure}, ${type}, ${count.at}, ${by}, ${most ?? UNBOUNDED}, ${isTold ? 1 : 0})
    ON CONFLICT (tenant, connection, measure, type) DO UPDATE SET
      count = CASE WHEN ${isOver} THEN excluded.count ELSE guard_windows.count + excluded.count END,
      told = CASE WHEN ${isOver} OR excluded.told = 1 THEN excluded.told ELSE guard_windows.told END,
      started = CASE WHEN ${isOver} THEN excluded.started ELSE guard_windows.started END,
      most = excluded.most`;
}

function* tell(place: GuardPlace, started: string): Steps<Outcome<boolean>> {
  const { changes }: Answer =
    yield sql`UPDATE guard_windows SET told = 1 WHERE ${at(place)} AND started = ${started} AND told = 0`;
  return { keep: true, result: changes > 0 };
}

/** What is written before it is known what is held of a resource already. */
const NOTHING_REMOVED: RemovedValues = { values: [], count: 0 };

function* hold(
  dialect: Dialect,
  change: Omit<HeldChange, "first" | "tries" | "released">,
): Steps<Outcome<void>> {
  const { tenant, connection, measure, type, resource, id, last } = change;
  const of = sql`${at(change)} AND resource = ${resource}`;
  // Added first, so that there is a row to lock: others may hold the first change of the resource at the same moment.
  yield sql`INSERT INTO guard_held
      (tenant, connection, measure, type, resource, id, first_at, last_at, tries, changes, removed, released)
    VALUES (${tenant}, ${connection}, ${measure}, ${type}, ${resource}, ${id}, ${last}, ${last}, ${0}, '[]',
      ${JSON.stringify(NOTHING_REMOVED)}, NULL)
    ON CONFLICT DO NOTHING`;
  const { rows }: Answer =
    yield sql`SELECT removed, released FROM guard_held WHERE ${of} ${dialect.lockedRows}`;
  const [row] = rows;
  // Somebody dismissed it since: it is held when it is sent again.
  if (row === undefined) return { keep: false, result: undefined };
  const held = removedOf(row);
  const removed = addRemoved(held, change.removed);
  // It may have been released since it was looked at.
  const released = takeRemoved(held, change.removed) === null ? null : textOrNullOf(row, "released");
  yield sql`UPDATE guard_held SET last_at = ${last}, tries = tries + 1, changes = ${JSON.stringify(change.changes)},
      removed = ${JSON.stringify(removed)}, released = ${released}
    WHERE ${of}`;
  return { keep: true, result: undefined };
}
