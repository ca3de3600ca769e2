/**
 * A collection that is staged beside the one that is to become like it: what their statements have in common.
 * @module
 */
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, countOf, type Steps } from "../steps.ts";
import type { CollectionOwner } from "./collections.ts";

/** One collection of a stage. */
export interface StagedCollection {
  readonly tenant: string;
  readonly stage: string;
  readonly path: string;
}

/** A staged collection, and the one that is to become like it. */
export interface Comparison {
  readonly staged: StagedCollection;
  readonly owner: CollectionOwner;
  /** Values that one statement compares at most; by default 100,000. */
  readonly most?: number;
}

/**
 * Where the difference of a collection is staged: beside its values, below names that no attribute has. What leaves
 * stands at the position that it is held at.
 */
export function differenceOf(staged: StagedCollection): {
  readonly leaving: StagedCollection;
  readonly coming: StagedCollection;
} {
  return {
    leaving: { ...staged, path: `-${staged.path}` },
    coming: { ...staged, path: `+${staged.path}` },
  };
}

/** Whether a resource holds no value of a collection. */
export function* isEmpty(owner: CollectionOwner): Steps<boolean> {
  const { rows }: Answer = yield sql`SELECT 1 AS n FROM reference_values m WHERE ${ofOwner(owner)} LIMIT 1`;
  return rows.length === 0;
}

/** Runs steps whose statements compare two collections that may both be long. */
export function* joiningWhole<Result>(steps: Steps<Result>, { wholeJoins }: Dialect): Steps<Result> {
  for (const statement of wholeJoins.begin) yield statement;
  const result = yield* steps;
  for (const statement of wholeJoins.end) yield statement;
  return result;
}

/** What stands beside a staged value `s` once it is taken over. */
export const NEXT_REST: Sql = sql`coalesce(s.settled, s.rest)`;

/** Positions of a stage, from `first` up to before `end`. */
export interface Places {
  readonly first: number;
  readonly end: number;
}

/** The first and the last position of staged values `s`. */
export const RANGE: Sql = sql`coalesce(min(s.position), 0) AS first, coalesce(max(s.position), -1) AS last`;

/** The positions of a {@link RANGE}, so many at once. */
export function* placesOf(range: Answer, most: number): Generator<Places, void> {
  const last = countOf(range, "last");
  for (let first = countOf(range, "first"); first <= last; first += most) yield { first, end: first + most };
}

/** The condition that the position of `s` is one of some. */
export function within({ first, end }: Places): Sql {
  return sql`s.position >= ${first} AND s.position < ${end}`;
}

/** The condition that `s` is staged for a collection. */
export function ofStage({ tenant, stage, path }: StagedCollection): Sql {
  return sql`s.tenant = ${tenant} AND s.stage = ${stage} AND s.path = ${path}`;
}

/** The condition that `m` is a value of a collection of a resource. */
export function ofOwner({ tenant, type, owner, path }: CollectionOwner): Sql {
  return sql`m.tenant = ${tenant} AND m.type = ${type} AND m.owner = ${owner} AND m.path = ${path}`;
}
