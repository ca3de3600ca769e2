/**
 * Synchronizes a SCIM service with sources: plan first, then apply.
 * @module
 */
import { UsageError, type ScimClient } from "@scim/client";
import { applyPlan } from "./apply/apply-plan.ts";
import type { ApplyReport } from "./apply/report.ts";
import type { Mapping } from "./mapping/document.ts";
import { makePlan, type MadePlan } from "./plan/make-plan.ts";
import type { Plan } from "./plan/plan.ts";
import type { Source } from "./sources/source.ts";
import { SyncState } from "./state/sync-state.ts";

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

/** Milliseconds by which changes of the target are looked for earlier than the last run read it. */
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
        if (report.stopped === null) finish(made, { mapping, state }, report);
        return report;
      } finally {
        state.close();
      }
    },
  };
}

function isMap(sources: SyncOptions["sources"]): sources is ReadonlyMap<string, Source> {
  return sources instanceof Map;
}

/** Everything was tried: the next run may look for changes alone. */
function finish(
  made: MadePlan,
  { mapping, state }: { readonly mapping: Mapping; readonly state: SyncState },
  { failures }: ApplyReport,
): void {
  const { counts } = made;
  // Changes of a source that could not be made are asked for again.
  const isWhole = failures.length === 0 && made.plan.faults.length === 0;
  state.finish({
    mapping: mapping.fingerprint,
    since: counts.at === null ? null : new Date(counts.at - MARGIN_MS).toISOString(),
    until: counts.at === null ? null : new Date(counts.at).toISOString(),
    totals: counts.totals,
    // Of resources that were refused the sync knows nothing, though they are there.
    alone: made.types
      .filter(({ isAlone, hasStrangers, faults }) => isAlone && !hasStrangers && faults.length === 0)
      .map(({ type }) => type),
    ...(isWhole ? made.readTo : made.previous),
  });
}
