/**
 * Work on many things of which a few are under way at the same time.
 * @module
 */

/** Enough to keep a pool of connections or threads at work, and so few that there is room for who waits beside. */
const AT_ONCE = 8;

/** Works on all of some things, a few at once. Resolves to the results, in the order of the things. */
export async function someAtOnce<Each, Result>(
  all: readonly Each[],
  work: (each: Each) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE)
    results.push(...(await Promise.all(all.slice(start, start + AT_ONCE).map(work))));
  return results;
}
