/**
 * How often others have their turn.
 * @module
 */

/** How often others have their turn until something is done. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(take);
  function take(): void {
    turns += 1;
    next = setImmediate(take);
  }
  await work;
  clearImmediate(next);
  return turns;
}
