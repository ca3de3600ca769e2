/**
 * Looks at rows of a reference collection: what each list of a report says of them.
 * @module
 */
import type { ReferenceRow } from "../store/reference-rows.ts";
import type { ResourceSnapshot } from "../store/resource-snapshot.ts";
import { TRANSITIVE_DEPTH } from "../projection/read-selection.ts";
import { findAbove, keyOf, readHolders, type Above, type Holder } from "./nesting.ts";
import type { CyclicGroupMember, Finding, FindingList } from "./report.ts";
import type { WalkedCollection } from "./walked-collection.ts";

/** Rows to look at. */
export interface Rows {
  readonly snapshot: ResourceSnapshot;
  readonly collection: WalkedCollection;
  readonly rows: readonly ReferenceRow[];
}

/** What is said of a row. */
export interface FoundAtRow {
  readonly row: ReferenceRow;
  readonly finding: Finding;
}

/** Looks at rows for one list; what it finds is in the order of the rows, at most one finding for each. */
export type Examine = (rows: Rows) => Promise<readonly FoundAtRow[]>;

/** What each list is made by. */
export const EXAMINERS: Readonly<Record<FindingList, Examine>> = {
  orphanedGroupMembers: findOrphans,
  inconsistentUserGroups: findInconsistent,
  cyclicGroupMembers: findCircles,
};

/** Values that name nothing. */
async function findOrphans({ snapshot, collection, rows }: Rows): Promise<readonly FoundAtRow[]> {
  if (!collection.isClosed) return [];
  const names = await readTargets({ snapshot, collection, rows });
  return rows.flatMap((row) => {
    if (names(row) !== null) return [];
    const type = typeOf(row);
    const wanted = type === null ? collection.targets.join(" or ") : type;
    const issue = `No ${wanted} has the id that '${collection.path}' of this ${collection.type} names.`;
    return { row, finding: { groupId: row.owner, memberId: row.value, issue } };
  });
}

/** Values whose `type` is not that of what they name, and members who are in groups by roundabout or endless ways. */
async function findInconsistent(looked: Rows): Promise<readonly FoundAtRow[]> {
  const names = await readTargets(looked);
  const strange = await findStrangeWays(looked, names);
  return looked.rows.flatMap((row) => {
    const issue = contradiction(row, looked.collection, names(row)) ?? strange.get(row);
    return issue === undefined ? [] : { row, finding: { userId: row.value, issue } };
  });
}

function contradiction(
  row: ReferenceRow,
  { type: ownerType }: WalkedCollection,
  named: string | null,
): string | undefined {
  const stated = typeOf(row);
  if (stated === null || named === null || stated === named) return undefined;
  return `${ownerType} '${row.owner}' names it with the type '${stated}', but it is a ${named}.`;
}

/** Values that close a circle. One of more than the levels that are followed is not seen. */
async function findCircles({ snapshot, collection, rows }: Rows): Promise<readonly FoundAtRow[]> {
  if (!isNested(collection)) return [];
  const nested = await nestedRows({ snapshot, collection, rows });
  const above = await findAbove(snapshot, collection, ownersOf(nested.keys(), collection));
  return [...nested].flatMap(([row, type]) => {
    const own = row.value === row.owner && type === collection.type;
    const holders = above.get(keyOf({ type: collection.type, id: row.owner }))?.all;
    if (!own && holders?.has(keyOf({ type, id: row.value })) !== true) return [];
    return { row, finding: circleOf(row, collection, { type, own }) };
  });
}

function circleOf(
  row: ReferenceRow,
  { type: ownerType }: WalkedCollection,
  { type, own }: { readonly type: string; readonly own: boolean },
): CyclicGroupMember {
  const issue = own
    ? `This ${ownerType} holds itself.`
    : `${type} '${row.value}' holds ${ownerType} '${row.owner}' in turn, itself or through others.`;
  return { groupId: row.owner, memberId: row.value, issue };
}

/** Whether what the collection names may hold something in turn. */
function isNested({ targets, holders }: WalkedCollection): boolean {
  return holders.sources.some(({ type }) => targets.includes(type));
}

/** The rows whose target may hold something in turn, with its type. */
async function nestedRows({ snapshot, collection, rows }: Rows): Promise<ReadonlyMap<ReferenceRow, string>> {
  const types = collection.targets.filter((target) =>
    collection.holders.sources.some(({ type }) => type === target),
  );
  const names = await readTargets({ snapshot, collection: { ...collection, targets: types }, rows });
  const nested = new Map<ReferenceRow, string>();
  for (const row of rows) {
    const type = names(row);
    if (type !== null) nested.set(row, type);
  }
  return nested;
}

type TargetOf = (row: ReferenceRow) => string | null;

/** Reads which type of resource each row names: the stated one where there is such a resource, else the first. */
async function readTargets({ snapshot, collection, rows }: Rows): Promise<TargetOf> {
  const ids = [...new Set(rows.map(({ value }) => value))];
  const byType = new Map<string, ReadonlySet<string>>();
  let missing = new Set(ids);
  const stated = Map.groupBy(rows, typeOf);
  for (const type of collection.targets) {
    // Most rows tell their type, and are right.
    const asked = new Set([...missing, ...(stated.get(type) ?? []).map(({ value }) => value)]);
    const found = await snapshot.readMany({ type, ids: [...asked] }, { collections: [], inverses: [] });
    byType.set(type, new Set(found.map(({ id }) => id)));
    missing = new Set([...missing].filter((id) => byType.get(type)?.has(id) !== true));
  }
  return (row) => {
    const type = typeOf(row);
    if (type !== null && byType.get(type)?.has(row.value) === true) return type;
    return collection.targets.find((target) => byType.get(target)?.has(row.value) === true) ?? null;
  };
}

function typeOf({ rest }: ReferenceRow): string | null {
  const type = rest["type"];
  return typeof type === "string" ? type : null;
}

function ownersOf(rows: Iterable<ReferenceRow>, { type }: WalkedCollection): readonly Holder[] {
  return [...new Set([...rows].map(({ owner }) => owner))].map((id) => ({ type, id }));
}

/** What is wrong with the ways by which members who show their groups are in groups. */
async function findStrangeWays(
  { snapshot, collection, rows }: Rows,
  names: TargetOf,
): Promise<ReadonlyMap<ReferenceRow, string>> {
  const issues = new Map<ReferenceRow, string>();
  if (!isNested(collection)) return issues;
  const shown = rows.filter((row) => collection.shown.includes(names(row) ?? ""));
  const above = await findAbove(snapshot, collection, ownersOf(shown, collection));
  const aboveOf = (row: ReferenceRow): Above | undefined =>
    above.get(keyOf({ type: collection.type, id: row.owner }));
  const roundabout = shown.filter((row) => (aboveOf(row)?.roundabout.size ?? 0) > 0);
  const straight = await readStraightWays({ snapshot, collection, rows: roundabout }, names);
  for (const row of shown) {
    const found = aboveOf(row);
    const only = [...(found?.roundabout ?? [])].filter(([key]) => straight.get(row.value)?.has(key) !== true);
    const [first] = only;
    if (first !== undefined)
      issues.set(row, roundaboutIssue(row, collection, { ...first[1], of: only.length }));
    else if (found?.isCut === true) issues.set(row, cutIssue(row, collection));
  }
  return issues;
}

/** Where each member is without going in a circle, by its id: keys of the holders. */
async function readStraightWays(
  { snapshot, collection, rows }: Rows,
  names: TargetOf,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const ways = new Map<string, ReadonlySet<string>>();
  for (const [type, named] of Map.groupBy(rows, (row) => names(row) ?? "")) {
    const ids = [...new Set(named.map(({ value }) => value))];
    const direct = await readHolders(snapshot, collection, { type, ids });
    const above = await findAbove(snapshot, collection, distinct([...direct.values()].flat()));
    for (const [id, holders] of direct)
      ways.set(id, new Set(holders.flatMap((each) => straightTo(each, above))));
  }
  return ways;
}

function distinct(holders: readonly Holder[]): readonly Holder[] {
  return [...new Map(holders.map((holder) => [keyOf(holder), holder])).values()];
}

function straightTo(holder: Holder, above: ReadonlyMap<string, Above>): readonly string[] {
  const key = keyOf(holder);
  const found = above.get(key);
  if (found === undefined) return [key];
  return [key, ...[...found.all.keys()].filter((each) => each !== key && !found.roundabout.has(each))];
}

function roundaboutIssue(
  row: ReferenceRow,
  { type }: WalkedCollection,
  group: Holder & { readonly of: number },
): string {
  const others = group.of === 1 ? "" : ` and ${group.of - 1} more`;
  return `By ${type} '${row.owner}' it is in ${group.type} '${group.id}'${others} only because of a circle.`;
}

function cutIssue(row: ReferenceRow, { type }: WalkedCollection): string {
  return `Above ${type} '${row.owner}' lie more than the ${TRANSITIVE_DEPTH} levels that are followed.`;
}
