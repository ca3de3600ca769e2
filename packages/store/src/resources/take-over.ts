/**
 * A collection takes over what is staged for it.
 * @module
 */
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import { countOf, type Steps } from "../steps.ts";
import type { CollectionOwner } from "./collections.ts";
import {
  type Comparison,
  differenceOf,
  isEmpty,
  joiningWhole,
  NEXT_REST,
  ofOwner,
  ofStage,
  placesOf,
  RANGE,
  type StagedCollection,
  within,
} from "./staged-collection.ts";

/** Places of a stage whose values are taken over by one statement. */
const TAKEN_PLACES = 50_000;

/** What is taken over, and whether the resource is new: such a one was compared with nothing. */
export interface TakeOver extends Comparison {
  readonly isNew: boolean;
}

/**
 * Makes a collection hold what is staged, as the last comparison settled it: a collection that was empty takes all of
 * it, any other the difference. No statement writes more than {@link TAKEN_PLACES} rows but one that deletes: none takes
 * as long as a collection may be long.
 */
export function* takeOverStaged({ staged, owner, isNew }: TakeOver, dialect: Dialect): Steps<void> {
  if (isNew || (yield* isEmpty(owner)))
    return yield* insertStaged(staged, { owner, end: 0, held: false }, dialect);
  const { leaving, coming } = differenceOf(staged);
  if (yield* leavesWhole(owner, leaving)) {
    yield sql`DELETE FROM reference_values AS m WHERE ${ofOwner(owner)}`;
    return yield* insertStaged(coming, { owner, end: 0, held: false }, dialect);
  }
  yield* joiningWhole(removeHeld(owner, leaving), dialect);
  const taken = yield sql`SELECT coalesce(max(m.position), 0) AS position FROM reference_values m
    WHERE ${ofOwner(owner)}`;
  return yield* insertStaged(coming, { owner, end: countOf(taken, "position"), held: true }, dialect);
}

/** Whether no value stays: to count both takes far less than to look up each that leaves. */
function* leavesWhole(owner: CollectionOwner, leaving: StagedCollection): Steps<boolean> {
  const left = yield sql`SELECT count(*) AS n FROM staged_references s WHERE ${ofStage(leaving)}`;
  if (countOf(left, "n") === 0) return false;
  const held = yield sql`SELECT count(*) AS n FROM reference_values m WHERE ${ofOwner(owner)}`;
  return countOf(left, "n") === countOf(held, "n");
}

function* removeHeld(owner: CollectionOwner, leaving: StagedCollection): Steps<void> {
  yield sql`DELETE FROM reference_values AS m WHERE ${ofOwner(owner)}
    AND m.position IN (SELECT s.position FROM staged_references s WHERE ${ofStage(leaving)})`;
}

/** Where staged values go: behind a position, and whether some of them may be held already. */
interface Place {
  readonly owner: CollectionOwner;
  readonly end: number;
  readonly held: boolean;
}

/** Puts staged values behind a position; one that is held keeps its place. */
function* insertStaged(
  staged: StagedCollection,
  { owner: of, end, held }: Place,
  dialect: Dialect,
): Steps<void> {
  const { type, owner, path } = of;
  // To look whether a value is held costs a quarter of what it costs to insert it.
  const amended = held
    ? sql`ON CONFLICT (tenant, value, type, path, owner) DO UPDATE SET rest = excluded.rest`
    : sql``;
  const range = yield sql`SELECT ${RANGE} FROM staged_references s WHERE ${ofStage(staged)}`;
  for (const places of placesOf(range, TAKEN_PLACES)) {
    yield sql`INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
      SELECT s.tenant, ${type}, ${owner}, ${path}, ${end} + s.position, s.value, ${NEXT_REST}
      FROM staged_references s WHERE ${ofStage(staged)} AND ${within(places)} ${dialect.paced(sql`s.position`)}
      ORDER BY s.position ${amended}`;
  }
}
