/**
 * Reads the target as far as a plan needs it: everything, or what changed since the last run and what belongs to
 * records that did.
 * @module
 */
import { ServiceError, type DynamicResource, type ListReport } from "@scim/client";
import { isJsonObject } from "@scim/schemas";
import type { BoundSection } from "../mapping/bind.ts";
import type { FinishedRun } from "../state/finished-run.ts";
import type { TargetResources } from "../target-resources.ts";
import type { Reading } from "./plan.ts";
import { readAsked, readUnlisted, type SingleReads } from "./read-single.ts";
import type { TargetCounts } from "./target-counts.ts";
import type { TypePlan } from "./type-plan.ts";

/** How the target is read. */
export interface ReadOptions extends SingleReads {
  /** The run whose changes are known; null to read everything. */
  readonly last: FinishedRun | null;
  readonly counts: TargetCounts;
}

/** Greatest page that is asked for: the client asks for less where the service says so. */
const PAGE_SIZE = 500;
/** The same, of resources that may hold thousands of references each. */
const SMALL_PAGE_SIZE = 50;

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
  const list = resources.list({ ...pagesOf(plan.sections), signal: options.signal });
  for await (const resource of list) {
    options.onResource?.();
    plan.meet(resource, resources.versionOf(resource));
  }
  const { report } = list;
  if (!isWhole(report)) await readUnlisted(plan, resources, options);
  plan.takeReport(report);
  for (const [key] of plan.missing()) plan.forgotten.add(key);
  plan.forgetTried();
  plan.isAlone = isWhole(report) && !plan.hasStrangers;
  return "everything";
}

/** Whether a list surely left nobody out: of a service without a fixed order, pages may hold one twice and another not at all. */
export function isWhole({ totalResults, resources }: ListReport): boolean {
  return totalResults === resources;
}

/** Whether a list holds fewer resources than the service says that there are. */
export function lacksSome({ totalResults, resources }: ListReport): boolean {
  return totalResults !== null && resources < totalResults;
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
 * Reads what changed in the target since the last run. Resolves to false where the target cannot be asked, its clock went back,
 * its list leaves some out, or resources went that nobody can name.
 */
async function readChanges(
  plan: TypePlan,
  resources: TargetResources,
  { last, counts, state, signal, onResource }: ReadOptions & { readonly last: FinishedRun },
): Promise<boolean> {
  const instants = instantsOf(last, counts);
  if (instants === null) return false;
  const { since, until } = instants;
  let created = 0;
  try {
    const filter = `meta.lastModified ge "${last.since}"`;
    const list = resources.list({ ...pagesOf(plan.sections), filter, signal });
    for await (const resource of list) {
      // A service that does not obey the filter gives everything.
      if (instantOf(resource, "lastModified") < since) return false;
      if (instantOf(resource, "created") >= until && state.keyOf(plan.type, resource.id) === undefined)
        created += 1;
      onResource?.();
      plan.meet(resource, resources.versionOf(resource));
    }
    if (lacksSome(list.report)) return false;
    return counts.of(plan.type) === (last.totals[plan.type] ?? 0) + created;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 400 || error.status === 501)) return false;
    throw error;
  }
}

/** What the last run tells of the target's clock; null where that does not tell, or went back: changes have earlier instants then. */
function instantsOf(
  last: FinishedRun,
  { at }: TargetCounts,
): { readonly since: number; readonly until: number } | null {
  if (last.since === null || last.until === null || at === null) return null;
  const since = Date.parse(last.since);
  return at < since ? null : { since, until: Date.parse(last.until) };
}

function instantOf(resource: DynamicResource, name: "created" | "lastModified"): number {
  const meta = resource["meta"];
  const text = isJsonObject(meta) ? meta[name] : undefined;
  const instant = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? Number.NEGATIVE_INFINITY : instant;
}
