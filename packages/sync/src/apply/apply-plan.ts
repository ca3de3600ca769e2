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
import { appliedText, digestOf, type Desired } from "../plan/desired.ts";
import type { MadePlan } from "../plan/make-plan.ts";
import type { CreateStep, LeaveStep, PlanStep, ReferencesStep, UpdateStep } from "../plan/plan.ts";
import { ownedIn } from "../plan/type-plan.ts";
import type { KnownResource, SyncState } from "../state/state-file.ts";
import { changeReferences } from "./change-references.ts";
import { inParallel } from "./in-parallel.ts";
import { endsRun, failureOf, notCreated, type ApplyReport, type StepFailure } from "./report.ts";

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
  const { steps } = made.plan;
  remember(made, options.state);
  options.state.begin();
  const isOf = (...actions: readonly PlanStep["action"][]): readonly PlanStep[] =>
    steps.filter(({ action }) => actions.includes(action));
  // What is referred to comes before what refers to it, and goes after it.
  for (const { type } of made.types)
    await run.phase(isOf("create", "update").filter((step) => step.type === type));
  await run.phase(isOf("references"));
  for (const { type } of made.types.toReversed())
    await run.phase(isOf("deactivate", "delete").filter((step) => step.type === type));
  return run.report();
}

/** Remembers what was found: which resource belongs to which record, also where nothing changes. */
function remember({ types, plan, referenceIds }: MadePlan, state: SyncState): void {
  const changing = new Set(plan.steps.map(({ type, key }) => `${type} ${key}`));
  for (const { type, matched, forgotten, settled } of types) {
    for (const key of forgotten) state.forget(type, key);
    const known = state.known(type);
    for (const key of settled) {
      const before = known.get(key);
      if (before !== undefined) state.remember(type, key, { ...before, left: true });
    }
    for (const [key, { desired, id, held }] of matched) {
      const before = known.get(key);
      if (changing.has(`${type} ${key}`)) {
        if (before?.id !== id) state.remember(type, key, { ...UNAPPLIED, id });
      } else if (held !== null) {
        state.remember(type, key, appliedAs(desired, id, referenceIds.get(`${type} ${key}`) ?? []));
      }
    }
  }
}

const UNAPPLIED = { applied: null, referenceKeys: "", referenceIds: "", left: false } as const;

function appliedAs(desired: Desired, id: string, references: readonly string[]): KnownResource {
  return {
    id,
    applied: appliedText(desired),
    referenceKeys: digestOf(desired.references.flat()),
    referenceIds: digestOf(references),
    left: false,
  };
}

/** One run over the steps of a plan. */
class Run {
  readonly #made: MadePlan;
  readonly #options: ApplyOptions;
  readonly #failures: StepFailure[] = [];
  readonly #done = { create: 0, update: 0, references: 0, deactivate: 0, delete: 0 };
  readonly #sections = new Map<string, BoundSection>();
  #stopped: string | null = null;

  constructor(made: MadePlan, options: ApplyOptions) {
    this.#made = made;
    this.#options = options;
    for (const { type, sections } of made.types)
      for (const section of sections) this.#sections.set(type, section);
  }

  async phase(steps: readonly PlanStep[]): Promise<void> {
    const { concurrency, signal } = this.#options;
    await inParallel(steps, concurrency, async (step) => {
      if (signal?.aborted === true) this.#stopped ??= "it was told to stop";
      if (this.#stopped !== null) return;
      await this.#step(step);
      const done = Object.values(this.#done).reduce((sum, count) => sum + count, 0);
      this.#options.onStep?.(done, this.#failures.length);
    });
  }

  report(): ApplyReport {
    return { done: this.#done, failures: this.#failures, stopped: this.#stopped };
  }

  async #step(step: PlanStep): Promise<void> {
    try {
      if (await this.#apply(step)) this.#done[step.action] += 1;
      else this.#failures.push(notCreated(step));
    } catch (error) {
      const failure = failureOf(step, error);
      if (endsRun(error)) this.#stopped ??= `${failure.message} (${failure.code}): ${failure.remedy}`;
      this.#failures.push(failure);
    }
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

  async #create({ type, key, resource, desired }: CreateStep): Promise<void> {
    const { state } = this.#options;
    const { id } = await this.#resources(type).create(resource);
    state.put(type, key, { ...UNAPPLIED, id, applied: appliedText(desired) });
  }

  async #update({ type, key, before, desired, isBack }: UpdateStep): Promise<void> {
    const { state } = this.#options;
    await this.#change(type, before, (current) => ownedIn(current, desired, isBack));
    const known = state.known(type).get(key);
    state.put(type, key, {
      ...(known ?? UNAPPLIED),
      id: before.id,
      applied: appliedText(desired),
      left: false,
    });
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
    const before = this.#made.referenceIds.get(`${type} ${key}`) ?? [];
    const own = appliedAs(desired, id, [...new Set([...before, ...ids])]);
    state.put(type, key, { ...own, applied: known.applied ?? own.applied });
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

  /** Makes a change on the version that was compared; on the current one, where another was faster. */
  async #change(
    type: string,
    before: DynamicResource,
    change: (current: DynamicResource) => DynamicResource,
  ): Promise<void> {
    const resources = this.#resources(type);
    const { patch } = await this.#options.client.discovery.capabilities();
    try {
      if (patch) await resources.patch(before, resources.diff(before, change(before)));
      else await resources.replace(before, change(before));
    } catch (error) {
      if (!(error instanceof VersionConflictError)) throw error;
      await resources.update(before.id, change, { attempts: 4 });
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
