/**
 * Reads the target as far as a plan needs it: everything, or what changed since the last run and what belongs to
 * records that did.
 * @module
 */
import {
  ServiceError,
  type DynamicResource,
  type DynamicShape,
  type ResourceClient,
  type ScimClient,
} from "@scim/client";
import { isJsonObject } from "@scim/schemas";
import { inParallel } from "../apply/in-parallel.ts";
import { comparable, valueAt } from "../plan/assign.ts";
import { isSame, type BoundSection } from "../mapping/bind.ts";
import type { SpillFile } from "../spill/spill-file.ts";
import type { ReadonlySpilledMap } from "../spill/spilled-map.ts";
import { SpilledSet } from "../spill/spilled-set.ts";
import type { KnownResource } from "../state/known-resource.ts";
import type { FinishedRun, SyncState } from "../state/state-file.ts";
import { appliedText, keysDigestOf, readApplied, type Desired } from "./desired.ts";
import type { Reading } from "./plan.ts";
import { leadElsewhere } from "./references.ts";
import type { Matched, TypePlan } from "./type-plan.ts";

/** How the target is read. */
export interface ReadOptions {
  readonly client: ScimClient;
  readonly state: SyncState;
  /** The run whose changes are known; null to read everything. */
  readonly last: FinishedRun | null;
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  readonly onResource?: (() => void) | undefined;
  /** Keeps what is found out. */
  readonly file: SpillFile;
}

/** Greatest page that is asked for: the client asks for less where the service says so. */
const PAGE_SIZE = 500;
/** The same, of resources that may hold thousands of references each. */
const SMALL_PAGE_SIZE = 50;

type Resources = ResourceClient<DynamicShape>;

/** Reads the resources of a type into its plan. Resolves to how they were read. */
export async function readTarget(plan: TypePlan, options: ReadOptions): Promise<Reading> {
  const { client, last } = options;
  const [section] = plan.sections;
  if (section === undefined) return "everything";
  const resources = client.resource(section.type);
  const isTold = last !== null && (await readChanges(plan, resources, { ...options, last }));
  if (isTold) plan.forgetTried();
  // A source that tells its changes alone can do without: what others changed in the target is found another time.
  if (isTold || (last !== null && plan.asked.changesOnly)) {
    plan.isAlone = isTold && last.alone?.includes(plan.type) === true && !plan.hasStrangers;
    await readAsked(plan, resources, options);
    return "changes";
  }
  for await (const resource of resources.list({ ...pagesOf(plan.sections), signal: options.signal })) {
    options.onResource?.();
    plan.meet(resource, resources.versionOf(resource));
  }
  for (const [key] of plan.missing()) plan.forgotten.add(key);
  plan.forgetTried();
  plan.isAlone = !plan.hasStrangers;
  return "everything";
}

/** How the resources of a type are listed: without what the service works out, which costs it much and is not compared. */
export function pagesOf(sections: readonly BoundSection[]): {
  readonly excludedAttributes?: readonly string[];
  readonly pageSize: number;
} {
  const [section] = sections;
  const isLong = sections.some(({ references }) => references.length > 0);
  const pageSize = isLong ? SMALL_PAGE_SIZE : PAGE_SIZE;
  const derived = (section?.type.schema.attributes ?? []).filter(
    ({ mutability, multiValued, type }) =>
      mutability === "readOnly" && multiValued === true && type === "complex",
  );
  return derived.length === 0
    ? { pageSize }
    : { pageSize, excludedAttributes: derived.map(({ name }) => name) };
}

/**
 * Reads what changed in the target since the last run. Resolves to false where the target cannot be asked, or
 * resources went that nobody can name.
 */
async function readChanges(
  plan: TypePlan,
  resources: Resources,
  { last, state, signal, onResource }: ReadOptions & { readonly last: FinishedRun },
): Promise<boolean> {
  if (last.since === null || last.until === null) return false;
  const [since, until] = [Date.parse(last.since), Date.parse(last.until)];
  let created = 0;
  try {
    const filter = `meta.lastModified ge "${last.since}"`;
    for await (const resource of resources.list({ ...pagesOf(plan.sections), filter, signal })) {
      // A service that does not obey the filter gives everything.
      if (instantOf(resource, "lastModified") < since) return false;
      if (instantOf(resource, "created") >= until && state.keyOf(plan.type, resource.id) === undefined)
        created += 1;
      onResource?.();
      plan.meet(resource, resources.versionOf(resource));
    }
    const { totalResults } = await resources.page({ count: 0, signal });
    // Where there are fewer, some were deleted, and no list tells which.
    return totalResults === (last.totals[plan.type] ?? 0) + created;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 400 || error.status === 501)) return false;
    throw error;
  }
}

function instantOf(resource: DynamicResource, name: "created" | "lastModified"): number {
  const meta = resource["meta"];
  const text = isJsonObject(meta) ? meta[name] : undefined;
  const instant = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? Number.NEGATIVE_INFINITY : instant;
}

/**
 * Reads, when it is known of every type what is there, the resources that were taken for what they were and whose
 * references lead elsewhere now.
 */
export async function readRedirected(
  plan: TypePlan,
  plans: ReadonlyMap<string, TypePlan>,
  options: ReadOptions,
): Promise<void> {
  const { client, state, concurrency } = options;
  const [section] = plan.sections;
  if (section === undefined || plan.sections.every(({ references }) => references.length === 0)) return;
  const resources = client.resource(section.type);
  const known = state.known(plan.type);
  const isRedirected = ([key, { held }]: readonly [string, Matched]): boolean => {
    const desired = held === null ? plan.asked.desired.get(key) : undefined;
    if (desired === undefined) return false;
    return leadElsewhere(desired, known.get(key)?.referenceIds ?? "", { plans, state });
  };
  await inParallel(those(plan.matched, isRedirected), concurrency, async ([key, { id }]) => {
    const found = await readOne(resources, id, options);
    plan.reconsider(key);
    if (found === null) plan.forgotten.add(key);
    else plan.meet(found, resources.versionOf(found));
  });
}

/** Those of which something holds, looked at one by one. */
function* those<Item>(
  items: Iterable<Item>,
  isOne: (item: Item) => boolean,
): Generator<Item, void, undefined> {
  for (const item of items) if (isOne(item)) yield item;
}

/** Reads a resource as it is now; null where it is gone. */
async function readOne(
  resources: Resources,
  id: string,
  { signal, onResource }: ReadOptions,
): Promise<DynamicResource | null> {
  try {
    onResource?.();
    return await resources.get(id, { signal, fresh: true });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
}

/** Reads, one by one, the resources of records that are new or have changed, and of those that are gone. */
async function readAsked(plan: TypePlan, resources: Resources, options: ReadOptions): Promise<void> {
  const { state, concurrency } = options;
  const known = state.known(plan.type);
  const isNew = plan.isAlone ? newAmong(plan, known, options.file) : () => false;
  await inParallel(plan.asked.desired.values(), concurrency, async (desired) => {
    const held = known.get(desired.key);
    if (held === undefined && isNew(desired)) return;
    if (held !== undefined && (plan.hasMet(held.id) || isApplied(held, desired))) {
      if (!plan.hasMet(held.id)) plan.keep(desired, held.id);
      return;
    }
    if (held === undefined) {
      for (const found of await findBy(desired, resources, options))
        plan.meet(found, resources.versionOf(found));
      return;
    }
    const found = await readOne(resources, held.id, options);
    if (found !== null) plan.meet(found, resources.versionOf(found));
  });
  const { removed, changesOnly } = plan.asked;
  const isGone = ([key, { left }]: readonly [string, KnownResource]): boolean =>
    !left && (!changesOnly || removed.has(key));
  await inParallel(those(plan.missing(), isGone), concurrency, async ([key, { id }]) => {
    const found = await readOne(resources, id, options);
    if (found === null) plan.forgotten.add(key);
    else plan.meet(found, resources.versionOf(found));
  });
}

/**
 * Tells records of which no resource can be there, where the target holds none that is not known: those that are found
 * by what no known resource was given. So a record that comes back with another key is looked up.
 */
function newAmong(
  { sections }: TypePlan,
  known: ReadonlySpilledMap<KnownResource>,
  file: SpillFile,
): (desired: Desired) => boolean {
  const matches = (): SpilledSet | null => {
    const found = new SpilledSet(file);
    for (const { applied } of known.values()) {
      const read = applied === null ? null : readApplied(applied, sections);
      if (read === null) return null;
      const { section, values } = read;
      const at = section.set.findIndex(({ target }) => isSame(target, section.match));
      const match = values[at] ?? null;
      if (match !== null) found.add(comparable(match, section.match));
    }
    return found;
  };
  let given: SpilledSet | null | undefined;
  return ({ match }) => {
    given = given === undefined ? matches() : given;
    return given !== null && !given.has(match);
  };
}

function isApplied(known: KnownResource, desired: Desired): boolean {
  return (
    !known.left && known.applied === appliedText(desired) && known.referenceKeys === keysDigestOf(desired)
  );
}

/** What has the value that a record is found by; of several, two are enough to tell that it is not one. */
async function findBy(
  desired: Desired,
  resources: Resources,
  { signal, onResource }: ReadOptions,
): Promise<readonly DynamicResource[]> {
  const { section, values } = desired;
  const { match } = section;
  const at = section.set.findIndex(({ target }) => target.text === match.text);
  const value = values[at] ?? null;
  const filter = `${match.text} eq ${JSON.stringify(value)}`;
  onResource?.();
  const found: DynamicResource[] = [];
  for await (const each of resources.list({ filter, pageSize: 2, signal })) {
    if (JSON.stringify(valueAt(each, match)).toLowerCase() === JSON.stringify(value).toLowerCase())
      found.push(each);
    if (found.length > 1) break;
  }
  return found;
}
