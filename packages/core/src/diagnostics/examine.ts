/**
 * Looks at rows of a reference collection: what each list of a report says of them.
 * @module
 */
import { pause } from "../pause.ts";
import type { ReferenceRow } from "../store/reference-rows.ts";
import type { ResourceSnapshot } from "../store/resource-snapshot.ts";
import { NO_SELECTION, TRANSITIVE_DEPTH } from "../projection/read-selection.ts";
import {
  BETWEEN_PAUSES,
  keyOf,
  readHolders,
  readNesting,
  type Holder,
  type Nesting,
  type Ways,
} from "./nesting.ts";
import type { CyclicGroupMember, Finding, FindingList } from "./report.ts";
import type { WalkedCollection } from "./walked-collection.ts";

/** Rows to look at. */
export interface Rows {
  readonly snapshot: ResourceSnapshot;
  readonly collection: WalkedCollection;
  readonly rows: readonly ReferenceRow[];
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal | undefined;
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
async function findOrphans(looked: Rows): Promise<readonly FoundAtRow[]> {
  const { collection, rows } = looked;
  if (!collection.isClosed) return [];
  const names = await readTargets(looked);
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
async function findCircles(looked: Rows): Promise<readonly FoundAtRow[]> {
  const { collection } = looked;
  if (!isNested(collection)) return [];
  const nested = await nestedRows(looked);
  const nesting = await readNesting(looked, ownersOf(nested.keys(), collection));
  const found: FoundAtRow[] = [];
  for (const [id, rows] of Map.groupBy(nested, ([row]) => row.owner)) {
    const owner = { type: collection.type, id };
    const above = await nesting.above(owner);
    for (const [row, type] of rows) {
      const own = row.value === id && type === collection.type;
      if (own || above.has({ type, id: row.value }))
        found.push({ row, finding: circleOf(row, collection, { type, own }) });
    }
  }
  return found;
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
async function nestedRows(looked: Rows): Promise<ReadonlyMap<ReferenceRow, string>> {
  const { collection, rows } = looked;
  const types = collection.targets.filter((target) =>
    collection.holders.sources.some(({ type }) => type === target),
  );
  const names = await readTargets({ ...looked, collection: { ...collection, targets: types } });
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
    const found = await snapshot.readMany({ type, ids: [...asked] }, NO_SELECTION);
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
async function findStrangeWays(looked: Rows, names: TargetOf): Promise<ReadonlyMap<ReferenceRow, string>> {
  const issues = new Map<ReferenceRow, string>();
  const { collection } = looked;
  if (!isNested(collection)) return issues;
  const shown = looked.rows.filter((row) => collection.shown.includes(names(row) ?? ""));
  const ways = await waysOf(looked, ownersOf(shown, collection));
  const roundabout = shown.filter(({ owner }) => (ways.get(owner)?.roundabout.length ?? 0) > 0);
  const straightTo = await readStraightWays({ ...looked, rows: roundabout }, names);
  let passed = 0;
  for (const row of shown) {
    const found = ways.get(row.owner);
    const straight = found === undefined || found.roundabout.length === 0 ? NONE : await straightTo(row);
    const only = (found?.roundabout ?? []).filter((holder) => !straight.has(keyOf(holder)));
    const [first] = only;
    if (first !== undefined) issues.set(row, roundaboutIssue(row, collection, { ...first, of: only.length }));
    else if (found?.isCut === true) issues.set(row, cutIssue(row, collection));
    passed += found?.roundabout.length ?? 0;
    if (passed < BETWEEN_PAUSES) continue;
    passed = 0;
    await pause(looked);
  }
  return issues;
}

/** By which ways each owner is held, by its id. */
async function waysOf(looked: Rows, owners: readonly Holder[]): Promise<ReadonlyMap<string, Ways>> {
  const nesting = await readNesting(looked, owners);
  const ways = new Map<string, Ways>();
  for (const owner of owners) ways.set(owner.id, await nesting.ways(owner));
  return ways;
}

/** Where a member is without going in a circle: keys of the holders. */
type StraightTo = (row: ReferenceRow) => Promise<ReadonlySet<string>>;

const NONE: ReadonlySet<string> = new Set();

async function readStraightWays(looked: Rows, names: TargetOf): Promise<StraightTo> {
  const ways = new Map<string, (id: string) => Promise<ReadonlySet<string>>>();
  for (const [type, named] of Map.groupBy(looked.rows, (row) => names(row) ?? "")) {
    const ids = [...new Set(named.map(({ value }) => value))];
    const direct = await readHolders(looked, { type, ids });
    const straightTo = remembering(await readNesting(looked, [...direct.values()].flat()));
    ways.set(type, async (id) => {
      const keys = new Set<string>();
      for (const holder of direct.get(id) ?? []) for (const key of await straightTo(holder)) keys.add(key);
      return keys;
    });
  }
  return async (row) => (await ways.get(names(row) ?? "")?.(row.value)) ?? NONE;
}

/** Members of a batch are in the same groups as a rule. */
function remembering(nesting: Nesting): (holder: Holder) => Promise<readonly string[]> {
  const known = new Map<string, readonly string[]>();
  return async (holder) => {
    const key = keyOf(holder);
    const found = known.get(key) ?? (await nesting.straightTo(holder));
    known.set(key, found);
    return found;
  };
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
