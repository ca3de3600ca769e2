/**
 * What must be made before what, and what can only be made together: the strongly connected components of a
 * graph (Tarjan), without recursion, since a client decides how long a chain of references is.
 * @module
 */

/** A node that was reached. */
interface Visit {
  readonly node: number;
  readonly order: number;
  readonly targets: readonly number[];
  /** Targets that were looked at. */
  seen: number;
  /** The least order that can be reached from here, among nodes whose component is not known yet. */
  low: number;
  isOpen: boolean;
}

/**
 * The components that can be reached from a node: each after those that it points to, the node's own last. The
 * nodes of a component point to each other, directly or through others.
 *
 * @example
 * componentsFrom(0, (node) => [[1], [2], [1]][node] ?? []); // [[1, 2], [0]]
 */
export function componentsFrom(
  root: number,
  targetsOf: (node: number) => readonly number[],
): readonly (readonly number[])[] {
  const visits = new Map<number, Visit>();
  const open: Visit[] = [];
  const path: Visit[] = [];
  const components: (readonly number[])[] = [];
  const enter = (node: number): void => {
    const order = visits.size;
    const visit: Visit = { node, order, targets: targetsOf(node), seen: 0, low: order, isOpen: true };
    visits.set(node, visit);
    open.push(visit);
    path.push(visit);
  };
  enter(root);
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    const target = visit.targets[visit.seen];
    if (target === undefined) {
      leave(visit, path);
      if (visit.low === visit.order) components.push(closeComponent(visit, open));
      continue;
    }
    visit.seen += 1;
    const known = visits.get(target);
    if (known === undefined) enter(target);
    else if (known.isOpen) visit.low = Math.min(visit.low, known.order);
  }
  return components;
}

function leave(visit: Visit, path: Visit[]): void {
  path.pop();
  const before = path.at(-1);
  if (before !== undefined) before.low = Math.min(before.low, visit.low);
}

/** Takes the nodes that were reached since the first of a component; in ascending order. */
function closeComponent(first: Visit, open: Visit[]): readonly number[] {
  const members = open.splice(open.lastIndexOf(first));
  for (const member of members) member.isOpen = false;
  return members.map(({ node }) => node).toSorted((a, b) => a - b);
}
