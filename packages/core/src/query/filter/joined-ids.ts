/**
 * The ids that a filter on references names, of those that its operands name.
 * @module
 */

/**
 * The ids one of which has every reference that meets an `and` or `or`; null where it does not tell them. One operand of an `and` is
 * enough, since a reference meets them all; of an `or` each has to tell its own.
 * @param ids of each operand; null where it names none
 */
export function joinedIds(
  kind: "and" | "or",
  ids: readonly (readonly string[] | null)[],
): readonly string[] | null {
  if (kind === "and") return ids.find((each) => each !== null) ?? null;
  return ids.every((each) => each !== null) ? ids.flat() : null;
}
