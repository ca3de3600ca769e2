/**
 * Reads single resources of the target into a plan: those of records that are new or have changed, that are gone, or that
 * refer elsewhere now.
 * @module
 */
import { ServiceError, type DynamicResource, type ScimClient } from "@scim/client";
import { inParallel } from "../apply/in-parallel.ts";
import type { SpillFile } from "../spill/spill-file.ts";
import type { ReadonlySpilledMap } from "../spill/spilled-map.ts";
import { SpilledSet } from "../spill/spilled-set.ts";
import type { KnownResource } from "../state/known-resource.ts";
import type { SyncState } from "../state/sync-state.ts";
import type { TargetResources } from "../target-resources.ts";
import { comparable, comparableAt } from "./assign.ts";
import { appliedText, keysDigestOf, matchValueOf, readApplied, type Desired } from "./desired.ts";
import { leadElsewhere } from "./references.ts";
import type { Matched, TypePlan } from "./type-plan.ts";

/** How resources are read. */
export interface SingleReads {
  readonly client: ScimClient;
  readonly state: SyncState;
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  readonly onResource?: (() => void) | undefined;
  /** Keeps what is found out. */
  readonly file: SpillFile;
}

/** Reads, one by one, the resources of records that are new or have changed, and of those that are gone. */
export async function readAsked(
  plan: TypePlan,
  resources: TargetResources,
  options: SingleReads,
): Promise<void> {
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
  const isGone = ([key, { left, unsettled }]: readonly [string, KnownResource]): boolean =>
    (!left || unsettled) && (!changesOnly || removed.has(key));
  await inParallel(those(plan.missing(), isGone), concurrency, async ([key, { id }]) => {
    const found = await readOne(resources, id, options);
    if (found === null) plan.forgotten.add(key);
    else plan.meet(found, resources.versionOf(found));
  });
}

/** Reads, one by one, the known resources that a list did not hold: what it left out is not gone for that. */
export async function readUnlisted(
  plan: TypePlan,
  resources: TargetResources,
  options: SingleReads,
): Promise<void> {
  const { state, concurrency } = options;
  const isUnlisted = ([, { id }]: readonly [string, KnownResource]): boolean => !plan.hasMet(id);
  await inParallel(those(state.known(plan.type), isUnlisted), concurrency, async ([, { id }]) => {
    const found = await readOne(resources, id, options);
    if (found !== null) plan.meet(found, resources.versionOf(found));
  });
}

/**
 * Reads, when it is known of every type what is there, the resources that were taken for what they were and whose
 * references lead elsewhere now.
 */
export async function readRedirected(
  plan: TypePlan,
  plans: ReadonlyMap<string, TypePlan>,
  options: SingleReads,
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
      const match = matchValueOf(read);
      if (match !== null) found.add(comparable(match, read.section.match));
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
    !known.left &&
    !known.unsettled &&
    known.applied === appliedText(desired) &&
    known.referenceKeys === keysDigestOf(desired)
  );
}

/** Of what obeys the filter, few fill a page; of one that does not, everything is gone through. */
const LOOKED_UP_PAGE = 50;

/** What has the value that a record is found by; of several, two are enough to tell that it is not one. */
async function findBy(
  desired: Desired,
  resources: TargetResources,
  { signal, onResource }: SingleReads,
): Promise<readonly DynamicResource[]> {
  const { match } = desired.section;
  const filter = `${match.text} eq ${JSON.stringify(matchValueOf(desired))}`;
  onResource?.();
  const found: DynamicResource[] = [];
  for await (const each of resources.list({ filter, pageSize: LOOKED_UP_PAGE, signal })) {
    // A service that does not obey the filter gives everything, also what has no such value.
    if (comparableAt(each, match) === desired.match) found.push(each);
    if (found.length > 1) break;
  }
  return found;
}

/** Reads a resource as it is now; null where it is gone. */
export async function readOne(
  resources: TargetResources,
  id: string,
  { signal, onResource }: Pick<SingleReads, "signal" | "onResource">,
): Promise<DynamicResource | null> {
  try {
    onResource?.();
    return await resources.get(id, { signal, fresh: true });
  } catch (error) {
    if (error instanceof ServiceError && error.code === "notFound") return null;
    throw error;
  }
}

/** Those of which something holds, looked at one by one. */
function* those<Item>(
  items: Iterable<Item>,
  isOne: (item: Item) => boolean,
): Generator<Item, void, undefined> {
  for (const item of items) if (isOne(item)) yield item;
}
