/**
 * Applies a plan: some changes at a time, each remembered as it is made.
 * @module
 */
import type { MadePlan } from "../plan/make-plan.ts";
import type { CreateStep, PlanStep } from "../plan/plan.ts";
import type { TargetCounts } from "../plan/target-counts.ts";
import type { TypePlan } from "../plan/type-plan.ts";
import { batchesOf, createByBulk, isOfBulk } from "./create-by-bulk.ts";
import { inParallel } from "./in-parallel.ts";
import { createdAs, remember } from "./remember.ts";
import {
  endsRun,
  failureOf,
  isRefused,
  notCreated,
  reasonOf,
  type ApplyReport,
  type StepFailure,
} from "./report.ts";
import { type ChangeOptions, TargetChanges } from "./target-changes.ts";

/** How a plan is applied. */
export interface ApplyOptions extends ChangeOptions {
  readonly concurrency: number;
  /** Begins no further change; those under way are finished, so that each outcome is known. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((done: number, failed: number) => void) | undefined;
}

/** Applies a plan. Failures of single changes are reported, and the others are made. */
export async function applyPlan(made: MadePlan, options: ApplyOptions): Promise<ApplyReport> {
  const run = new Run(made, options);
  remember(made, options.state);
  options.state.begin();
  // In the order of the plan's steps: what is referred to comes before what refers to it, and goes after it.
  for (const own of made.types) {
    await run.creations(own);
    await run.phase(own.updates());
  }
  for (const { lists } of made.types) await run.phase(lists.steps());
  for (const own of made.types.toReversed()) await run.phase(own.leavers());
  return run.report();
}

/** Creations in one request; no more than these go one by one. */
const BULK_SIZE = 100;

/** Bulk requests under way at once: each keeps the target busy for a while. */
const BULKS_AT_ONCE = 4;

/** One run over the steps of a plan. */
class Run {
  readonly #options: ApplyOptions;
  readonly #changes: TargetChanges;
  readonly #counts: TargetCounts;
  readonly #failures: StepFailure[] = [];
  readonly #done = { create: 0, update: 0, references: 0, deactivate: 0, delete: 0 };
  #stopped: string | null = null;

  constructor(made: MadePlan, options: ApplyOptions) {
    this.#options = options;
    this.#counts = made.counts;
    this.#changes = new TargetChanges(made, options);
  }

  async phase(steps: Iterable<PlanStep>): Promise<void> {
    await inParallel(steps, this.#options.concurrency, async (step) => {
      if (this.#isStopped()) return;
      await this.#step(step);
      this.#tell();
    });
  }

  /** Creates many by bulk requests, where the target takes them; what does not come through goes one by one. */
  async creations(own: TypePlan): Promise<void> {
    if (own.createCount === 0) return;
    const { client, concurrency } = this.#options;
    const { bulk } = await client.discovery.capabilities();
    if (bulk === null || own.createCount <= BULK_SIZE) return this.phase(own.creates());
    const steps = own.creates()[Symbol.iterator]();
    const rest: CreateStep[] = [];
    let takes = true;
    const byBulk = async (batch: readonly CreateStep[]): Promise<void> => {
      if (!(await this.#batch(own, batch, rest))) takes = false;
    };
    const batches = batchesOf(steps, Math.min(bulk.maxOperations, BULK_SIZE), () => takes);
    // The first goes alone: a target that fails at it fails at all.
    const first = batches.next();
    if (first.done !== true) await byBulk(first.value);
    await inParallel(batches, Math.min(concurrency, BULKS_AT_ONCE), byBulk);
    await this.phase(rest);
    await this.phase({ [Symbol.iterator]: () => steps });
  }

  /** Creates some by bulk; what is to go one by one is added to the rest. Resolves to whether the target takes bulk. */
  async #batch(own: TypePlan, batch: readonly CreateStep[], rest: CreateStep[]): Promise<boolean> {
    if (this.#isStopped()) return true;
    const { client, state } = this.#options;
    for (const step of batch) this.#changes.try(step);
    const { steps, taken } = await createByBulk(client, this.#changes.resources(own.type), batch);
    for (const { step, outcome } of steps) {
      if (outcome.kind === "done") {
        const { id, version: createdVersion } = outcome;
        state.put(step.type, step.key, createdAs(step, { id, createdVersion }));
        this.#count(step);
      } else if (outcome.kind === "failed" && !isOfBulk(outcome.error)) this.#fail(step, outcome.error);
      else rest.push(step);
    }
    this.#tell();
    return taken;
  }

  #count({ action, type }: PlanStep): void {
    this.#done[action] += 1;
    if (action === "create") this.#counts.made(type);
    if (action === "delete") this.#counts.deleted(type);
  }

  #isStopped(): boolean {
    if (this.#options.signal?.aborted === true) this.#stopped ??= "it was told to stop";
    return this.#stopped !== null;
  }

  #tell(): void {
    const done = Object.values(this.#done).reduce((sum, count) => sum + count, 0);
    this.#options.onStep?.(done, this.#failures.length);
  }

  report(): ApplyReport {
    const { kept } = this.#changes;
    return { done: this.#done, failures: this.#failures, stopped: this.#stopped, kept };
  }

  async #step(step: PlanStep): Promise<void> {
    try {
      if (await this.#changes.make(step)) {
        this.#count(step);
        return;
      }
      this.#failures.push(notCreated(step));
      this.#changes.leaveUnsettled(step);
    } catch (error) {
      this.#fail(step, error);
    }
  }

  #fail(step: PlanStep, error: unknown): void {
    const failure = failureOf(step, error);
    const { state } = this.#options;
    if (step.action === "create") {
      // What has to be created again is not what is known: nothing must refer to that any more.
      state.drop(step.type, step.key);
      if (!isRefused(error)) this.#changes.try(step);
    } else this.#changes.leaveUnsettled(step);
    if (endsRun(error)) this.#stopped ??= reasonOf(failure);
    this.#failures.push(failure);
  }
}
