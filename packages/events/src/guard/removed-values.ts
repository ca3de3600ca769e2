/**
 * Values that held changes would take out of the reference collections of a resource. An identity provider takes members
 * out one request at a time as well as all in one, so that what is held of a resource adds up, and a release of it is used
 * up change by change.
 * @module
 */

/** Ids that are kept of a resource: beyond, a release is for so many, and no longer for these. */
export const MOST_VALUES = 1000;

/** Ids that would go from collections, at most 1000, and how many in all. */
export interface RemovedValues {
  readonly values: readonly string[];
  readonly count: number;
}

/**
 * What is held of a resource with one change more. What is sent again adds nothing.
 *
 * @example
 * addRemoved({ values: ["a", "b"], count: 2 }, { values: ["b", "c"], count: 2 }); // { values: ["a", "b", "c"], count: 3 }
 */
export function addRemoved(held: RemovedValues, change: RemovedValues): RemovedValues {
  const values = [...new Set([...held.values, ...change.values])];
  return areKept(held) && areKept(change)
    ? { values: values.slice(0, MOST_VALUES), count: values.length }
    : soMany(values, Math.max(held.count, change.count));
}

/**
 * What is left of a release when a change has passed by it, with a count of 0 where nothing is; null where the release is
 * not for the change: it takes out other values than those that were released, or, where these are not kept, more of them.
 */
export function takeRemoved(released: RemovedValues, change: RemovedValues): RemovedValues | null {
  const gone = new Set(change.values);
  const values = released.values.filter((value) => !gone.has(value));
  const count = released.count - change.count;
  if (!areKept(released)) return count < 0 ? null : soMany(values, count);
  // Of a change of which not all values are kept, more are left than were to be.
  return values.length === count ? { values, count } : null;
}

/** Whether it is known which values they are. */
function areKept({ values, count }: RemovedValues): boolean {
  return values.length === count;
}

/** So many values, of which not all are known. */
function soMany(values: readonly string[], count: number): RemovedValues {
  return { values: values.slice(0, Math.min(MOST_VALUES, Math.max(0, count - 1))), count };
}
