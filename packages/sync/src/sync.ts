/**
 * Synchronizes a SCIM service with sources: plan first, then apply.
 * @module
 */
import { isScimClientError, ServiceError, UsageError, type ScimClient } from "@scim/client";
import { applyPlan } from "./apply/apply-plan.ts";
import { reasonOf, type ApplyReport } from "./apply/report.ts";
import type { Mapping } from "./mapping/document.ts";
import { makePlan, type MadePlan } from "./plan/make-plan.ts";
import type { Plan } from "./plan/plan.ts";
import { instantOf } from "./service-clock.ts";
import type { Source } from "./sources/source.ts";
import { SyncState } from "./state/sync-state.ts";
import type { TargetResources } from "./target-resources.ts";

/** What a sync is made of. */
export interface SyncOptions {
  /** Client of the target. */
  readonly client: ScimClient;
  readonly mapping: Mapping;
  /** Sources by the names that the mapping's `from` uses; with one source alone, its name does not matter. */
  readonly sources: Readonly<Record<string, Source>> | ReadonlyMap<string, Source>;
  /** What was applied before: see {@link SyncState.read}. Default: nothing is known, nor remembered. */
  readonly state?: SyncState | undefined;
  /** Whether to read source and target whole, whatever the state knows. Default false. */
  readonly everything?: boolean | undefined;
  /** Requests under way at once: 1 or more. Default 8. */
  readonly concurrency?: number | undefined;
  /** Greatest number of references, such as members, in one request: 1 or more. Default 500. */
  readonly chunk?: number | undefined;
  /** Ends the run where it is; what was made stays, and the next run goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Told how far the reading is. */
  readonly onRead?: ((what: "record" | "resource") => void) | undefined;
}

/** How a plan is applied. */
export interface ApplyPlanOptions {
  /** Whether to apply it though it is beyond the limits. Default false. */
  readonly beyondLimits?: boolean | undefined;
  /** Told of each change: how many were made, and how many failed. */
  readonly onStep?: ((done: number, failed: number) => void) | undefined;
}

/** A plan that can be applied. */
export interface PlannedSync {
  readonly plan: Plan;
  /**
   * Makes the changes of the plan. Single failures stand in the report; what was made is remembered at once, so that a
   * run that is broken off goes on where it was.
   * @throws {@link LimitError} where the plan is beyond the limits; nothing was written
   * @throws {@link StateError} where another run uses the state, or it cannot be written
   * @throws {@link TemporaryFileError}
   * @throws UsageError `invalidOption` where it was applied already
   */
  readonly apply: (options?: ApplyPlanOptions) => Promise<ApplyReport>;
}

/** A plan is beyond its limits; nothing was written. */
export class LimitError extends Error {
  override readonly name = "LimitError";
}

/** Milliseconds by which changes of the target are looked for earlier than the last run began. */
const MARGIN_MS = 5000;

/**
 * Plans a sync: reads the sources and the target, and tells what would change. Nothing is written.
 *
 * @example
 * const { plan, apply } = await planSync({ client, mapping, sources: { people: fileSource("people.csv") } });
 * if (plan.refusals.length === 0) await apply();
 * @throws {@link MappingError} where the mapping does not fit the target's schemas
 * @throws {@link SourceError} where a source cannot be read
 * @throws ScimClientError where the target cannot be read
 * @throws {@link TemporaryFileError} where what does not fit into memory cannot be kept aside
 */
export async function planSync(options: SyncOptions): Promise<PlannedSync> {
  const { client, mapping, signal, concurrency = 8, chunk = 500, everything = false } = options;
  if (!(concurrency >= 1) || !(chunk >= 1))
    throw new UsageError("invalidOption", "'concurrency' and 'chunk' are numbers from 1.");
  const state = options.state ?? SyncState.inMemory();
  const begun = await instantOf(client, signal);
  const sources = new Map(isMap(options.sources) ? options.sources : Object.entries(options.sources));
  const reading = {
    client,
    mapping,
    sources,
    state,
    everything,
    concurrency,
    signal,
    onRead: options.onRead,
  };
  const made = await makePlan(reading);
  let isApplied = false;
  return {
    plan: made.plan,
    apply: async ({ beyondLimits = false, onStep } = {}) => {
      const { refusals } = made.plan;
      if (refusals.length > 0 && !beyondLimits) throw new LimitError(refusals.join(" "));
      // A second time, everybody new would be created again.
      if (isApplied)
        throw new UsageError("invalidOption", "The plan was applied already: plan anew, and apply that.");
      isApplied = true;
      try {
        const report = await applyPlan(made, { client, state, concurrency, chunk, signal, onStep });
        if (report.stopped !== null) return report;
        return await finished({ made, options, state, begun, report });
      } finally {
        state.close();
      }
    },
  };
}

function isMap(sources: SyncOptions["sources"]): sources is ReadonlyMap<string, Source> {
  return sources instanceof Map;
}

interface Finishing {
  readonly made: MadePlan;
  readonly options: SyncOptions;
  readonly state: SyncState;
  /** Instant of the target's clock at which the run began; null where it tells none. */
  readonly begun: number | null;
  readonly report: ApplyReport;
}

/** Everything was tried: what became of it is told, also where the target does not tell any more what the next run needs. */
async function finished(finishing: Finishing): Promise<ApplyReport> {
  const { report } = finishing;
  try {
    await finish(finishing);
    return report;
  } catch (error) {
    if (!isScimClientError(error)) throw error;
    return { ...report, stopped: reasonOf(error) };
  }
}

/** How many resources there are; null where the target does not tell, or takes no query for that. */
async function totalOf(resources: TargetResources, signal: AbortSignal | undefined): Promise<number | null> {
  try {
    return (await resources.page({ count: 0, signal })).totalResults;
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 400 || error.status === 501)) return null;
    throw error;
  }
}

async function finish({ made, options, state, begun, report }: Finishing): Promise<void> {
  const { client, mapping, signal } = options;
  // Before the totals: what others make in between counts twice then, and is no deletion that nobody notices.
  const ended = await instantOf(client, signal);
  const totals: Record<string, number> = {};
  for (const { type, sections } of made.types) {
    const [section] = sections;
    if (section === undefined) continue;
    const totalResults = await totalOf(client.resource(section.type), signal);
    if (totalResults !== null) totals[type] = totalResults;
  }
  // Changes of a source that could not be made are asked for again.
  const isWhole = report.failures.length === 0 && made.plan.faults.length === 0;
  state.finish({
    mapping: mapping.fingerprint,
    since: begun === null ? null : new Date(begun - MARGIN_MS).toISOString(),
    until: ended === null ? null : new Date(ended).toISOString(),
    totals,
    // Of resources that were refused the sync knows nothing, though they are there.
    alone: made.types
      .filter(({ isAlone, hasStrangers, faults }) => isAlone && !hasStrangers && faults.length === 0)
      .map(({ type }) => type),
    ...(isWhole ? made.readTo : made.previous),
  });
}
