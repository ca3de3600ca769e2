/**
 * Makes the single changes of a plan in the target, and remembers each as it is made.
 * @module
 */
import {
  ServiceError,
  VersionConflictError,
  wholeAttributes,
  type DynamicResource,
  type ScimClient,
} from "@scim/client";
import type { BoundSection } from "../mapping/bind.ts";
import { targetPath } from "../mapping/target-path.ts";
import { assign } from "../plan/assign.ts";
import { appliedText } from "../plan/desired.ts";
import { KeptAttributes } from "../plan/kept-values.ts";
import type { MadePlan } from "../plan/make-plan.ts";
import { ownedIn } from "../plan/owned.ts";
import type { CreateStep, LeaveStep, PlanStep, ReferencesStep, UpdateStep } from "../plan/plan.ts";
import type { SyncState } from "../state/sync-state.ts";
import { matchText } from "../state/tried-creations.ts";
import type { TargetResources } from "../target-resources.ts";
import { changeReferences } from "./change-references.ts";
import { keptAfter } from "./kept-after.ts";
import { appliedAs, createdAs, UNAPPLIED } from "./remember.ts";

/** What changes are made with. */
export interface ChangeOptions {
  readonly client: ScimClient;
  readonly state: SyncState;
  /** Greatest number of references in one request. */
  readonly chunk: number;
}

/** Makes the changes of one run. */
export class TargetChanges {
  readonly #made: MadePlan;
  readonly #options: ChangeOptions;
  readonly #kept = new KeptAttributes();
  readonly #sections = new Map<string, BoundSection>();

  constructor(made: MadePlan, options: ChangeOptions) {
    this.#made = made;
    this.#options = options;
    for (const { type, sections } of made.types)
      for (const section of sections) this.#sections.set(type, section);
  }

  /** What the target keeps in another form than it was sent. */
  get kept(): KeptAttributes["all"] {
    return this.#kept.all;
  }

  /** Makes a change. Resolves to false where a reference is left out, since what it names was not created. */
  async make(step: PlanStep): Promise<boolean> {
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
  try({ type, key, desired }: CreateStep): void {
    const { match, section } = desired;
    this.#options.state.try({ type, key, match: matchText(section.match.text, match) });
  }

  /** Remembers that a resource, where there is one, is not what it is to be, since a change of it was not made. */
  leaveUnsettled(step: PlanStep): void {
    const { type, key } = step;
    const { state } = this.#options;
    const known = state.known(type).get(key);
    const id = known?.id ?? (step.action === "create" ? null : step.id);
    if (id !== null) state.put(type, key, { ...(known ?? UNAPPLIED), id, unsettled: true });
  }

  async #create(step: CreateStep): Promise<void> {
    const { type, key, resource, desired } = step;
    const resources = this.resources(type);
    this.try(step);
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
    const kept = await keptAfter(this.resources(type), sent);
    this.#kept.add(step, kept, known.kept);
    state.put(type, key, {
      ...known,
      id,
      applied,
      left: false,
      unsettled: false,
      createdVersion: null,
      kept,
    });
  }

  async #references(step: ReferencesStep): Promise<boolean> {
    const { state, client, chunk } = this.#options;
    const { type, key, desired, reference } = step;
    const known = state.known(type).get(key);
    const id = step.id ?? known?.id;
    if (id === undefined || known === undefined) return false;
    const ids = step.add.flatMap((each) => state.known(reference.to).get(each)?.id ?? []);
    await changeReferences(this.resources(type), {
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
    // Its attributes, or another list of it, may have failed meanwhile.
    const { applied, kept, unsettled } = state.known(type).get(key) ?? known;
    state.put(type, key, { ...own, applied: applied ?? own.applied, kept, unsettled });
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
    state.put(type, key, { ...known, id: before.id, left: true, unsettled: false });
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
    const resources = this.resources(type);
    const { patch } = await this.#options.client.discovery.capabilities();
    try {
      if (patch) {
        const operations = resources.diff(before, change(before));
        // What is immutable stays, whatever is asked for: a PATCH of nothing is none.
        return operations.length === 0 ? before : await resources.patch(before, operations);
      }
      // A list leaves out what is shown on request alone, and PUT would clear it.
      if (wholeAttributes(resources.type) !== undefined)
        return await resources.update(before.id, change, { attempts: 4, by: "replace", unguarded: true });
      return await resources.replace(before, change(before));
    } catch (error) {
      if (!(error instanceof VersionConflictError)) throw error;
      return resources.update(before.id, change, { attempts: 4 });
    }
  }

  async #delete(type: string, before: DynamicResource): Promise<void> {
    const resources = this.resources(type);
    try {
      await resources.delete(before).catch((error: unknown) => {
        if (!(error instanceof VersionConflictError)) throw error;
        return resources.delete(before.id, { version: null });
      });
    } catch (error) {
      // Somebody else was faster.
      if (!(error instanceof ServiceError) || error.code !== "notFound") throw error;
    }
  }

  /** The resources of a type of the plan. */
  resources(type: string): TargetResources {
    const section = this.#sections.get(type);
    if (section === undefined) throw new RangeError(`There is no section of ${type}.`);
    return this.#options.client.resource(section.type);
  }
}
