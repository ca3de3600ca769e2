/**
 * The known word that somebody may have meant.
 * @module
 */

/**
 * The nearest of some words to one that is not among them; null where none is near: about every third letter may be
 * wrong, or the word may be the beginning of one alone.
 */
export function nearest(word: string, known: readonly string[]): string | null {
  const [longer, ...others] = known.filter((each) => word.length >= 2 && each.startsWith(word));
  if (longer !== undefined && others.length === 0) return longer;
  const most = Math.max(1, Math.floor(word.length / 3));
  const [best] = known
    .map((each) => ({ each, changes: distance(word, each) }))
    .filter(({ changes }) => changes <= most)
    .toSorted((a, b) => a.changes - b.changes);
  return best?.each ?? null;
}

/** `; did you mean 'x'?`, or nothing. */
export function didYouMean(word: string, known: readonly string[], shown = (each: string) => each): string {
  const found = nearest(word, known);
  return found === null ? "" : `; did you mean '${shown(found)}'?`;
}

/** Letters to add, take away, change or swap with their neighbour until one word is the other. */
function distance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= to.length; at += 1) {
      const changed = (last[at - 1] ?? 0) + (from[row - 1] === to[at - 1] ? 0 : 1);
      const swaps = row > 1 && at > 1 && from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      current.push(
        Math.min(
          changed,
          (last[at] ?? 0) + 1,
          (current[at - 1] ?? 0) + 1,
          swaps ? (beforeLast[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
