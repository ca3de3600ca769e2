/**
 * What a guard knows before a change: what the present window counts, and what is held.
 * @module
 */
import type { GuardPlace, GuardState } from "@scim/events";
import { type Sql, sql } from "../sql.ts";
import { type Answer, numberOf, type Steps, textOf, textOrNullOf } from "../steps.ts";
import { removedOf } from "./held-changes.ts";

/** The condition that rows are of a place. */
export function at({ tenant, connection, measure, type }: GuardPlace): Sql {
  return sql`tenant = ${tenant} AND connection = ${connection} AND measure = ${measure} AND type = ${type}`;
}

/** The state of a place, and what of a resource is held there: each is one look into an index, however much is held. */
export function* readState(place: GuardPlace, resource: string): Steps<GuardState> {
  const window: Answer = yield sql`SELECT started, count, told FROM guard_windows WHERE ${at(place)}`;
  const [row] = window.rows;
  const { rows }: Answer = yield sql`SELECT released, removed FROM guard_held
    WHERE ${at(place)} AND resource = ${resource}`;
  const [own] = rows;
  // The order makes any planner take the index that has these alone.
  const undecided: Answer = yield sql`SELECT first_at FROM guard_held WHERE ${at(place)} AND released IS NULL
    ORDER BY first_at LIMIT 1`;
  const removed = own === undefined ? null : removedOf(own);
  const isReleased = own !== undefined && textOrNullOf(own, "released") !== null;
  return {
    started: row === undefined ? null : textOf(row, "started"),
    count: row === undefined ? 0 : numberOf(row, "count"),
    isTold: row !== undefined && numberOf(row, "told") === 1,
    holds: undecided.rows.length > 0,
    held: isReleased ? null : removed,
    released: isReleased ? removed : null,
  };
}
