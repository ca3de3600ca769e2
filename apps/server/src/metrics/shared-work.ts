/**
 * Work that several figures of one reading need.
 * @module
 */

/** Does the work once for all who ask while it is under way. */
export function sharedWhileUnderWay<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let underWay: Promise<Result> | null = null;
  return () =>
    (underWay ??= work().finally(() => {
      underWay = null;
    }));
}
