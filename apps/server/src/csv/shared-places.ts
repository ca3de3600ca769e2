/**
 * Columns that may have the same place in a resource: what one of them holds there would take the place of what another
 * does.
 * @module
 */
import type { AttributeNode } from "@scim/core";
import { named, sameText, type Target, type ValueKey } from "./target.ts";

/** What names a place: a column, or a constant. */
export interface Placed {
  readonly name: string;
  readonly target: Target;
}

/** Tells of columns whose place is that of a column before them; of two with one name others tell. */
export function* sharedColumns(columns: readonly Placed[]): Generator<string, void, undefined> {
  const known = new Map<AttributeNode, Placed[]>();
  for (const column of columns) {
    const node = nodeOf(column);
    const others = known.get(node) ?? [];
    known.set(node, others);
    const other = others.find((each) => overlaps(each.target.key, column.target.key));
    if (other === undefined) others.push(column);
    else if (other.name !== column.name)
      yield `The columns ${named(other.name)} and ${named(column.name)} may hold the same ${node.path}.`;
  }
}

/** Tells of constants that would take the place of what a column holds; those of a list's value give way to it. */
export function* sharedConstants(
  columns: readonly Placed[],
  constants: readonly Placed[],
): Generator<string, void, undefined> {
  const byNode = new Map(columns.map((column) => [nodeOf(column), column]));
  for (const constant of constants) {
    const node = nodeOf(constant);
    const column = byNode.get(node);
    const givesWay = constant.target.sub !== null && constant.target.top.attribute.multiValued;
    if (column !== undefined && !givesWay)
      yield `The column ${named(column.name)} and the constant ${named(constant.name)} hold the same ${node.path}.`;
  }
}

function nodeOf({ target: { top, sub } }: Placed): AttributeNode {
  return sub ?? top;
}

/** Whether all values that one key selects are selected by the other; no key selects every value. */
function overlaps(left: ValueKey | null, right: ValueKey | null): boolean {
  return selectsAll(left, right) || selectsAll(right, left);
}

function selectsAll(wide: ValueKey | null, narrow: ValueKey | null): boolean {
  return [...(wide ?? [])].every(([name, value]) => {
    const other = narrow?.get(name);
    return other !== undefined && sameText(other, value);
  });
}
