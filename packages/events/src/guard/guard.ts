/**
 * The guard: a connection that switches off, deletes or removes more than it ever should is told of, or held.
 * @module
 */
import {
  catalogFor,
  type HookContext,
  type HookedChange,
  type HookedEvent,
  type ResourceHooks,
  type Statement,
} from "@scim/core";
import { ScimError } from "@scim/schemas";
import type { AuditChange } from "../audit/entry.ts";
import { modelOrNull } from "../audit/sensitivity.ts";
import { Pseudonyms } from "../requests/redaction/pseudonyms.ts";
import { shownChanges } from "../requests/redaction/shown-changes.ts";
import { AddedStatements } from "./added-statements.ts";
import { type Counted, countChange, type CountRules, measuresOf } from "./count-change.ts";
import { isNamed, namesOf } from "./named.ts";
import { Populations } from "./populations.ts";
import { type GuardMeasure, type GuardPlace, type GuardState, isGuardBound } from "./port.ts";
import { type RemovedValues, takeRemoved } from "./removed-values.ts";
import type { GuardOptions, GuardSettings } from "./settings.ts";

/** Seconds after which a client is asked to repeat what is held. */
const RETRY_SECONDS = 300;
const MINUTE_MS = 60_000;
/**
 * Milliseconds that a change may be looked at. What is counted grows with what the change removes, as what it writes does:
 * so a change of hundreds of thousands of references takes its time here as well.
 */
const LOOK_MS = 2 * MINUTE_MS;

/**
 * Makes the hooks of a guard, for every resource type that it guards. What they count is written in the transaction of
 * the change, and bounded there by the database: several processes together let no more pass than one. What an administrator or a
 * command does, as its `origin` tells, is not counted.
 *
 * @example
 * const guard = createGuardHooks({ store: store.guard, catalog, settingsOf, deactivating: ["active"], ...rest });
 * const service = createScimService({ registry, store: store.resources, sources, hooks: { User: guard, Group: guard } });
 */
export function createGuardHooks(options: GuardOptions): ResourceHooks {
  const guard = new Guard(options);
  return {
    kinds: ["replaced", "patched", "deleted"],
    timeout: LOOK_MS,
    plan: (context, change) => guard.look(context, change),
    statements: (event) => guard.statements(event),
    refusal: (error, { type }) => (isGuardBound(error) ? heldError(type) : null),
  };
}

class Guard {
  readonly #options: GuardOptions;
  readonly #pseudonyms: Pseudonyms;
  readonly #added = new AddedStatements();
  readonly #populations: Populations;
  readonly #deactivating: ReadonlySet<string>;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#deactivating = new Set(options.deactivating.map((name) => name.toLowerCase()));
    this.#pseudonyms = new Pseudonyms(options);
    this.#populations = new Populations(options);
  }

  /** @throws ScimError `tooManyRequests` for what is held */
  look(context: HookContext, change: HookedChange): Promise<void> | void {
    this.#added.forget(context, change);
    // What an administrator, a command or the service itself does, such as an erasure, is nothing that a client does by mistake.
    if (context.origin?.admin !== undefined || context.origin?.command !== undefined) return;
    // Most changes may count for nothing, and are asked nothing more.
    const measures = measuresOf(change, this.#deactivating);
    if (measures.length > 0) return this.#decide(context, change, measures);
  }

  statements(event: HookedEvent): readonly Statement[] {
    const added = this.#added.of(event, event);
    return event.kind === "deleted" ? [...added, this.#options.store.forgetting(event)] : added;
  }

  async #decide(
    context: HookContext,
    change: HookedChange,
    measures: readonly GuardMeasure[],
  ): Promise<void> {
    const { store, settingsOf } = this.#options;
    const { tenant, connection } = context;
    const settings = await settingsOf(tenant, connection);
    const catalog = await catalogFor(this.#options.catalog, tenant);
    const named = namesOf(settings.named);
    const passesAnyway = settings.mode === "off" || isNamed(catalog, change, named);
    const added: Statement[] = [];
    let isHeld = false;
    for (const measure of measures) {
      const place = { tenant, connection, measure, type: change.type };
      const statements = passesAnyway
        ? // It may be held since before: it passes now, and would hold all else of its kind.
          [store.passing(place, change.id, NOTHING_LEFT)]
        : await this.#weigh(context, change, { place, settings, rules: { named, catalog } });
      if (statements === null) isHeld = true;
      else added.push(...statements);
    }
    if (isHeld) throw heldError(change.type);
    this.#added.set(context, change, added);
  }

  /** What is written beside a change that passes by one measure; null where it is held. */
  async #weigh(
    context: HookContext,
    change: HookedChange,
    { place, settings, rules }: Measured,
  ): Promise<readonly Statement[] | null> {
    const { store } = this.#options;
    const counted = await countChange(store, place, { change, rules });
    const state = await store.state(place, change.id);
    if (counted.by === 0) return this.#passing(place, change, { state, counted });
    const left = state.released === null ? null : takeRemoved(state.released, removedBy(counted));
    if (left !== null) return [store.taking(place, change.id, left)];
    return this.#count(context, change, { place, state, counted, settings });
  }

  async #count(
    context: HookContext,
    change: HookedChange,
    { place, state, counted, settings }: Weighed,
  ): Promise<readonly Statement[] | null> {
    const { store, now } = this.#options;
    const instant = now();
    const windowMs = settings.window * MINUTE_MS;
    const endsBefore = new Date(instant - windowMs).toISOString();
    // Where a clock goes back a little, what was counted counts on.
    const latest = new Date(instant + windowMs).toISOString();
    const { started } = state;
    const isOver = started === null || started <= endsBefore || started > latest;
    const count = (isOver ? 0 : state.count) + counted.by;
    const most = await this.#most(place, settings, count);
    if (count > most && !context.dryRun) await this.#tell(place, { state, isOver, settings, count, most });
    if (settings.mode === "hold" && (count > most || state.holds)) {
      if (!context.dryRun) await this.#hold(place, change, counted);
      return null;
    }
    const at = new Date(instant).toISOString();
    const bound = settings.mode === "hold" ? most : null;
    const of = { ...place, by: counted.by, at, endsBefore, latest, most: bound, isTold: count > most };
    const passing = this.#passing(place, change, { state, counted });
    return [store.counting(of), ...passing];
  }

  /** Of a change that passes without a release nothing is held any more: not what is named since it was held either. */
  #passing(
    place: GuardPlace,
    { id }: HookedChange,
    { state, counted }: Pick<Weighed, "state" | "counted">,
  ): readonly Statement[] {
    if (state.held === null) return [];
    const { values, count } = removedBy(counted);
    const all = { values: [...values, ...counted.named], count: count + counted.named.length };
    const left = takeRemoved(state.held, all) ?? takeRemoved(state.held, { values, count });
    return left === null ? [] : [this.#options.store.passing(place, id, left)];
  }

  /** So many may be counted. */
  async #most(place: GuardPlace, { atLeast, percent }: GuardSettings, count: number): Promise<number> {
    const enough = Math.max(atLeast, count);
    return Math.max(atLeast, await this.#populations.share({ place, percent, enough }));
  }

  /** Tells once for each window; where one change alone is too many, there is none yet. */
  async #tell(place: GuardPlace, { state, isOver, settings, count, most }: Excess): Promise<void> {
    const { mode, window } = settings;
    if (mode === "off" || (state.isTold && !isOver)) return;
    // What is held was told of; who observes since then has what goes beyond it told as well.
    if (mode === "hold" && state.holds) return;
    const isFirst =
      isOver || state.started === null || (await this.#options.store.tell(place, state.started));
    if (isFirst) this.#options.onExceeded({ ...place, mode, count, most, windowMinutes: window });
  }

  async #hold(place: GuardPlace, change: HookedChange, counted: Counted): Promise<void> {
    const { store, newId, now } = this.#options;
    await store.hold({
      ...place,
      id: newId(),
      resource: change.id,
      last: new Date(now()).toISOString(),
      changes: await this.#shown(place.tenant, change),
      removed: removedBy(counted),
    });
  }

  /** What would change, as the audit log would tell it, with pseudonyms in the place of personal values. */
  async #shown(
    tenant: string,
    { type, before, after, changes }: HookedChange,
  ): Promise<readonly AuditChange[]> {
    const catalog = await catalogFor(this.#options.catalog, tenant);
    return shownChanges(
      { pseudonyms: this.#pseudonyms, tenant, model: modelOrNull(catalog, type) },
      {
        before,
        after,
        changed: changes.attributes.filter((path) => !changes.collections.some((each) => each.path === path)),
        collections: [],
      },
    );
  }
}

/** Of what is held of a resource nothing is left. */
const NOTHING_LEFT: RemovedValues = { values: [], count: 0 };

/** What a change takes out of collections; nothing, where something else of it is counted. */
function removedBy({ measure, by, values }: Counted): RemovedValues {
  return { values, count: measure === "removals" ? by : 0 };
}

/** What a change is counted as, and by what rules. */
interface Measured {
  readonly place: GuardPlace;
  readonly settings: GuardSettings;
  readonly rules: CountRules;
}

/** A change, and what it is weighed against. */
interface Weighed {
  readonly place: GuardPlace;
  readonly state: GuardState;
  readonly counted: Counted;
  readonly settings: GuardSettings;
}

interface Excess extends Pick<Weighed, "state" | "settings"> {
  readonly isOver: boolean;
  readonly count: number;
  readonly most: number;
}

function heldError(type: string): ScimError {
  return new ScimError(
    "tooManyRequests",
    `The connection has changed more resources of type ${type} in this way than its guard lets pass. The change is held until an administrator releases it; send it again later.`,
    { headers: { "retry-after": String(RETRY_SECONDS) } },
  );
}
