/**
 * New resources as plain rows: what is written with few statements, and handed to another thread.
 * @module
 */
import type { CreatePlan, ImportStep, UniqueEntry, WritePlan } from "@scim/core";
import type { ComparisonKey } from "@scim/filter";
import { originText } from "../resources/outbox.ts";
import { storedEntry } from "../indexes/missing.ts";
import { firstVersion } from "../version.ts";

/** New resources of one type that one sender made, column by column: the same place in every list is the same one. */
export interface BulkGroup {
  readonly type: string;
  /** Whether their ids come from elsewhere: no resource of another type may have one. */
  readonly keepsIds: boolean;
  readonly subject: string | null;
  /** JSON. */
  readonly origin: string | null;
  /** Revision of the tenant's schemas that they were made by. */
  readonly schemas: number | null;
  /** Revision of the catalog of indexes that the entries cover. */
  readonly indexRevision: number | null;
  /** How many resources it has. */
  readonly count: number;
  /** Places among all resources of the bulk. */
  readonly places: readonly number[];
  readonly ids: readonly string[];
  readonly versions: readonly string[];
  readonly ats: readonly string[];
  /** Null: when it is written. */
  readonly created: readonly (string | null)[];
  /** JSON. */
  readonly bodies: readonly string[];
  /** Places in `changes`. */
  readonly changed: readonly number[];
  /** JSON arrays of attribute paths: most resources of a source have the same. */
  readonly changes: readonly string[];
  readonly index: readonly BulkEntries[];
  readonly unique: readonly BulkValues[];
  /** Rules of connections that are kept one by one where they are held. */
  readonly rules: readonly BulkRule[];
  /** Paths of index entries whose keys nobody may hold before. */
  readonly free: readonly string[];
}

/** A rule of a connection that a profile does not have. */
export type BulkRule = Pick<UniqueEntry, "scope" | "path">;

/** Entries of one path. */
export interface BulkEntries {
  readonly path: string;
  /** Which resource of the group each belongs to; of one after the other. */
  readonly owners: readonly number[];
  readonly keys: readonly ComparisonKey[];
}

/** Values of one path that must be unique in a scope. */
export interface BulkValues extends BulkEntries {
  readonly scope: string;
}

/** New resources without references, and the step of a run that they are. */
export interface Bulk {
  readonly groups: readonly BulkGroup[];
  /** How many resources the groups have. */
  readonly count: number;
  readonly step: ImportStep | null;
}

/** Plans that are fewer are written one by one: it costs about the same. */
const FEWEST = 16;

/** Plans as rows; null where others than new resources without references and secrets are among them. */
export function bulkOf(plans: readonly WritePlan[], step: ImportStep | null): Bulk | null {
  if (plans.length < FEWEST) return null;
  const bulk = new OpenBulk();
  for (const plan of plans) {
    if (plan.kind !== "create" || !isPlain(plan)) return null;
    bulk.add(plan, []);
  }
  return bulk.close(step);
}

/** A bulk that is being filled. */
export class OpenBulk {
  readonly #groups: OpenGroup[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Whether it holds so few resources that no other thread need write them. */
  get isSmall(): boolean {
    return this.#count < FEWEST;
  }

  /** Adds a new resource without references; nobody may hold its keys of the paths in `free`. */
  add(plan: CreatePlan, free: readonly string[]): void {
    const group = groupOf(this.#groups, plan);
    addPlan(group, plan, this.#count);
    for (const path of free) group.free.add(path);
    this.#count += 1;
  }

  close(step: ImportStep | null): Bulk {
    return { groups: this.#groups.map(closed), count: this.#count, step };
  }
}

function isPlain({ collections, staged, statements = [], secrets = [] }: CreatePlan): boolean {
  const beside = collections.length + statements.length + secrets.length;
  return beside === 0 && staged === undefined;
}

/** A list of entries that is being filled. */
interface OpenEntries<Name> {
  readonly name: Name;
  readonly path: string;
  readonly owners: number[];
  readonly keys: ComparisonKey[];
}

/** A group that is being filled. */
interface OpenGroup {
  /** What all of its plans have in common. */
  readonly first: CreatePlan;
  readonly places: number[];
  readonly ids: string[];
  readonly versions: string[];
  readonly ats: string[];
  readonly created: (string | null)[];
  readonly bodies: string[];
  readonly changed: number[];
  /** By their texts. */
  readonly changes: Map<string, number>;
  readonly index: OpenEntries<null>[];
  readonly unique: OpenEntries<string>[];
  readonly free: Set<string>;
  readonly rules: BulkRule[];
}

/** There are as many groups as types, so that the right one is found by looking at each. */
function groupOf(groups: OpenGroup[], plan: CreatePlan): OpenGroup {
  for (const group of groups) if (isAlike(group.first, plan)) return group;
  const made: OpenGroup = {
    first: plan,
    places: [],
    ids: [],
    versions: [],
    ats: [],
    created: [],
    bodies: [],
    changed: [],
    changes: new Map(),
    index: [],
    unique: [],
    free: new Set(),
    rules: [],
  };
  groups.push(made);
  return made;
}

function isAlike(one: CreatePlan, other: CreatePlan): boolean {
  return (
    one.type === other.type &&
    one.keepsId === other.keepsId &&
    one.schemas === other.schemas &&
    one.indexRevision === other.indexRevision &&
    one.event.subject === other.event.subject &&
    one.event.origin === other.event.origin
  );
}

function addPlan(group: OpenGroup, plan: CreatePlan, place: number): void {
  const owner = group.ids.length;
  group.places.push(place);
  group.ids.push(plan.id);
  group.versions.push(firstVersion(plan.nonce));
  group.ats.push(plan.at);
  group.created.push(plan.created ?? null);
  group.bodies.push(JSON.stringify(plan.body));
  group.changed.push(changeOf(group, JSON.stringify(plan.event.changed)));
  for (const entry of plan.index) {
    const { path, key } = storedEntry(entry);
    addEntry(entriesOf(group.index, null, path), owner, key);
  }
  for (const { scope, path, key } of plan.unique) addEntry(entriesOf(group.unique, scope, path), owner, key);
  addRules(group.rules, plan.whereHeld ?? []);
}

function changeOf({ changes }: OpenGroup, text: string): number {
  const known = changes.get(text);
  if (known !== undefined) return known;
  changes.set(text, changes.size);
  return changes.size - 1;
}

/** Adds rules that are not there yet. */
export function addRules(rules: BulkRule[], more: readonly BulkRule[]): void {
  for (const { scope, path } of more)
    if (!rules.some((rule) => rule.scope === scope && rule.path === path)) rules.push({ scope, path });
}

function entriesOf<Name>(lists: OpenEntries<Name>[], name: Name, path: string): OpenEntries<Name> {
  for (const list of lists) if (list.path === path && list.name === name) return list;
  const made = { name, path, owners: [], keys: [] };
  lists.push(made);
  return made;
}

function addEntry<Name>({ owners, keys }: OpenEntries<Name>, owner: number, key: ComparisonKey): void {
  owners.push(owner);
  keys.push(key);
}

function closed({ first, index, unique, free, changes, ...columns }: OpenGroup): BulkGroup {
  return {
    ...columns,
    changes: [...changes.keys()],
    type: first.type,
    keepsIds: first.keepsId === true,
    count: columns.ids.length,
    subject: first.event.subject,
    origin: originText(first.event.origin),
    schemas: first.schemas ?? null,
    indexRevision: first.indexRevision ?? null,
    index: index.map(({ path, owners, keys }) => ({ path, owners, keys })),
    unique: unique.map(({ name, path, owners, keys }) => ({ scope: name, path, owners, keys })),
    free: [...free],
  };
}
