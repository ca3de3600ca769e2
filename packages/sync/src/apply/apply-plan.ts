/**
 * Applies a plan: some changes at a time, each remembered as it is made.
 * @module
 */
import {
  ServiceError,
  VersionConflictError,
  type DynamicResource,
  type DynamicShape,
  type ResourceClient,
  type ScimClient,
} from "@scim/client";
import type { BoundSection } from "../mapping/bind.ts";
import { targetPath } from "../mapping/target-path.ts";
import { assign } from "../plan/assign.ts";
import { appliedText } from "../plan/desired.ts";
import { KeptAttributes } from "../plan/kept-values.ts";
import type { MadePlan } from "../plan/make-plan.ts";
import type { CreateStep, LeaveStep, PlanStep, ReferencesStep, UpdateStep } from "../plan/plan.ts";
import { ownedIn } from "../plan/owned.ts";
import type { TypePlan } from "../plan/type-plan.ts";
import type { SyncState } from "../state/state-file.ts";
import { matchText } from "../state/tried-creations.ts";
import { changeReferences } from "./change-references.ts";
import { batchesOf, createByBulk, isOfBulk } from "./create-by-bulk.ts";
import { inParallel } from "./in-parallel.ts";
import { keptAfter } from "./kept-after.ts";
import { appliedAs, createdAs, remember, UNAPPLIED } from "./remember.ts";
import { endsRun, failureOf, isRefused, notCreated, type ApplyReport, type StepFailure } from "./report.ts";

/** How a plan is applied. */
export interface ApplyOptions {
  readonly client: ScimClient;
  readonly state: SyncState;
  readonly concurrency: number;
  /** Greatest number of references in one request. */
  readonly chunk: number;
  /** Begins no further change; those under way are finished, so that each outcome is known. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((done: number, failed: number) => void) | undefined;
}

/** The resources of a type, whose shape is known at run time alone. */
export type Resources = ResourceClient<DynamicShape>;

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

/** Creations in one request, and the fewest for which bulk requests are made. */
const BULK_SIZE = 100;

/** Bulk requests under way at once: each keeps the target busy for a while. */
const BULKS_AT_ONCE = 4;

/** One run over the steps of a plan. */
class Run {
  readonly #made: MadePlan;
  readonly #options: ApplyOptions;
  readonly #failures: StepFailure[] = [];
  readonly #kept = new KeptAttributes();
  readonly #done = { create: 0, update: 0, references: 0, deactivate: 0, delete: 0 };
  readonly #sections = new Map<string, BoundSection>();
  #stopped: string | null = null;

  constructor(made: MadePlan, options: ApplyOptions) {
    this.#made = made;
    this.#options = options;
    for (const { type, sections } of made.types)
      for (const section of sections) this.#sections.set(type, section);
  }

  async phase(steps: Iterable<PlanStep>): Promise<void> {
    await inParallel(steps, this.#options.concurrency, async (step) => {
      if (this.#isStopped()) return;
      await this.#step(step);
      this.#tell();
    });
  }

  /** Creates many by bulk requests, where the target offers them; what does not come through goes one by one. */
  async creations(own: TypePlan): Promise<void> {
    if (own.createCount === 0) return;
    const { client, state, concurrency } = this.#options;
    const { bulk } = await client.discovery.capabilities();
    if (bulk === null || own.createCount < BULK_SIZE) return this.phase(own.creates());
    const size = Math.min(bulk.maxOperations, BULK_SIZE);
    const rest: CreateStep[] = [];
    await inParallel(batchesOf(own.creates(), size), Math.min(concurrency, BULKS_AT_ONCE), async (batch) => {
      if (this.#isStopped()) return;
      for (const step of batch) this.#try(step);
      for (const { step, outcome } of await createByBulk(client, this.#resources(own.type), batch)) {
        if (outcome.kind === "done") {
          state.put(
            step.type,
            step.key,
            createdAs(step, { id: outcome.id, createdVersion: outcome.version }),
          );
          this.#done.create += 1;
        } else if (outcome.kind === "failed" && !isOfBulk(outcome.error)) this.#fail(step, outcome.error);
        else rest.push(step);
      }
      this.#tell();
    });
    await this.phase(rest);
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
    const { all: kept } = this.#kept;
    return { done: this.#done, failures: this.#failures, stopped: this.#stopped, kept };
  }

  async #step(step: PlanStep): Promise<void> {
    try {
      if (await this.#apply(step)) this.#done[step.action] += 1;
      else this.#failures.push(notCreated(step));
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
      if (!isRefused(error)) this.#try(step);
    }
    if (endsRun(error)) this.#stopped ??= `${failure.message} (${failure.code}): ${failure.remedy}`;
    this.#failures.push(failure);
  }

  async #apply(step: PlanStep): Promise<boolean> {
    switch (step.action) {
      case "create":
        await this.#create(step);
        return true;
      case "update":
        await this.#update(step);
        return true;
      case "references":
        return this.#references(step);
      case "deactivate":
      case "delete":
        await this.#leave(step);
        return true;
    }
  }

  /** Remembers what is about to be created: should nobody be told what became of it, it is found by this. */
  #try({ type, key, desired }: CreateStep): void {
    const { match, section } = desired;
    this.#options.state.try({ type, key, match: matchText(section.match.text, match) });
  }

  async #create(step: CreateStep): Promise<void> {
    const { type, key, resource, desired } = step;
    const resources = this.#resources(type);
    this.#try(step);
    const answer = await resources.create(resource);
    const { id } = answer;
    const kept = await keptAfter(resources, { id, desired, answer, isRepeated: false, known: [] });
    this.#kept.add(step, kept, []);
    this.#options.state.put(type, key, createdAs(step, { id, kept }));
  }

  async #update(step: UpdateStep): Promise<void> {
    const { type, key, before, desired } = step;
    const { id } = before;
    const { state } = this.#options;
    const known = state.known(type).get(key) ?? UNAPPLIED;
    const answer = await this.#change(type, before, (current) => ownedIn(current, step, known.kept));
    const applied = appliedText(desired);
    const isRepeated = known.applied === applied;
    const sent = { id, desired, answer, isRepeated, known: known.kept };
    const kept = await keptAfter(this.#resources(type), sent);
    this.#kept.add(step, kept, known.kept);
    state.put(type, key, { ...known, id, applied, left: false, createdVersion: null, kept });
  }

  async #references(step: ReferencesStep): Promise<boolean> {
    const { state, client, chunk } = this.#options;
    const { type, key, desired, reference } = step;
    const known = state.known(type).get(key);
    const id = step.id ?? known?.id;
    if (id === undefined || known === undefined) return false;
    const ids = step.add.flatMap((each) => this.#idOf(reference.to, each) ?? []);
    await changeReferences(this.#resources(type), {
      id,
      path: reference.target,
      add: ids,
      remove: step.remove,
      chunk,
      client,
    });
    // Where one that is to be added was not created, the list is not yet what it should be.
    if (ids.length < step.add.length) return false;
    const before = this.#made.types.find((own) => own.type === type)?.lists.ids(key) ?? [];
    const own = appliedAs(desired, id, [...new Set([...before, ...ids])]);
    state.put(type, key, { ...own, applied: known.applied ?? own.applied, kept: known.kept });
    return true;
  }

  async #leave({ action, type, key, before, section }: LeaveStep): Promise<void> {
    const { state } = this.#options;
    if (action === "delete") {
      await this.#delete(type, before);
      state.drop(type, key);
      return;
    }
    const active = targetPath(section.type, "active");
    // The place of `active` is never the id.
    await this.#change(type, before, (current) => assign(current, active, false) as DynamicResource);
    const known = state.known(type).get(key) ?? UNAPPLIED;
    state.put(type, key, { ...known, id: before.id, left: true });
  }

  /**
   * Makes a change on the version that was compared; on the current one, where another was faster. Resolves to the
   * resource as the target answers with it; null where it does not.
   */
  async #change(
    type: string,
    before: DynamicResource,
    change: (current: DynamicResource) => DynamicResource,
  ): Promise<DynamicResource | null> {
    const resources = this.#resources(type);
    const { patch } = await this.#options.client.discovery.capabilities();
    try {
      if (patch) return await resources.patch(before, resources.diff(before, change(before)));
      return await resources.replace(before, change(before));
    } catch (error) {
      if (!(error instanceof VersionConflictError)) throw error;
      return resources.update(before.id, change, { attempts: 4 });
    }
  }

  async #delete(type: string, before: DynamicResource): Promise<void> {
    const resources = this.#resources(type);
    try {
      await resources.delete(before);
    } catch (error) {
      if (error instanceof VersionConflictError) await resources.delete(before.id, { version: null });
      // Somebody else was faster.
      else if (!(error instanceof ServiceError) || error.code !== "notFound") throw error;
    }
  }

  #idOf(type: string, key: string): string | undefined {
    const name = this.#made.types.find((each) => each.type.toLowerCase() === type.toLowerCase())?.type;
    return name === undefined ? undefined : this.#options.state.known(name).get(key)?.id;
  }

  #resources(type: string): Resources {
    const section = this.#sections.get(type);
    if (section === undefined) throw new RangeError(`There is no section of ${type}.`);
    return this.#options.client.resource(section.type);
  }
}
