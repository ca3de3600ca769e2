/**
 * Makes a plan: reads the sources and the target, and compares.
 * @module
 */
import type { ScimClient } from "@scim/client";
import { bindMapping, type BoundSection } from "../mapping/bind.ts";
import type { Mapping } from "../mapping/document.ts";
import type { Source } from "../sources/source.ts";
import type { FinishedRun, SyncState } from "../state/state-file.ts";
import { collect, type Collected } from "./collect.ts";
import type { RecordFault } from "./desired.ts";
import { refusalsOf } from "./limits.ts";
import { KeptAttributes, type KeptAttribute } from "./kept-values.ts";
import type { Plan, PlanCounts, PlanStep, Reading } from "./plan.ts";
import { readRedirected, readTarget } from "./read-target.ts";
import { compareReferences, type Referring } from "./references.ts";
import { resourceTypesOf } from "./resource-types.ts";
import { TypePlan } from "./type-plan.ts";

/** What a plan is made of. */
export interface PlanOptions {
  readonly client: ScimClient;
  readonly mapping: Mapping;
  /** By the names that the mapping's `from` uses. */
  readonly sources: ReadonlyMap<string, Source>;
  readonly state: SyncState;
  /** Whether to read everything, whatever the last run knows. */
  readonly everything: boolean;
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
  /** Told of each record and resource that is read. */
  readonly onRead?: ((what: "record" | "resource") => void) | undefined;
}

/** A plan, and what is found out on the way that applying it needs. */
export interface MadePlan {
  readonly plan: Plan;
  readonly types: readonly TypePlan[];
  readonly collected: Collected;
  /** Tokens that the sources were read behind. */
  readonly previousTokens: Readonly<Record<string, string>>;
  /** Ids that lists of references hold where the plan leaves them, by type and key. */
  readonly referenceIds: ReadonlyMap<string, readonly string[]>;
}

/** Makes a plan. Nothing is written. */
export async function makePlan(options: PlanOptions): Promise<MadePlan> {
  const { client, mapping, sources, state, concurrency, signal, onRead } = options;
  const sections = bindMapping(mapping, await resourceTypesOf(client, signal));
  const last = knownRun(options);
  const collected = await collect({
    sections,
    sources,
    since: last?.tokens ?? {},
    onRecord: () => onRead?.("record"),
  });
  const types = typePlans(sections, collected, state);
  const plans = new Map(types.map((type) => [type.type.toLowerCase(), type]));
  const reading = { client, state, last, concurrency, signal, onResource: () => onRead?.("resource") };
  const readings: Reading[] = [];
  for (const type of types) readings.push(await readTarget(type, reading));
  for (const type of types) await readRedirected(type, plans, reading);
  return assembled({ types, plans, collected, readings, options, previousTokens: last?.tokens ?? {} });
}

/** What the last run knows is of use where it was made by the same mapping, and came to its end. */
function knownRun({ state, mapping, everything }: PlanOptions): FinishedRun | null {
  const { finished } = state;
  return everything || finished?.mapping !== mapping.fingerprint ? null : finished;
}

/** One for each type; those that refer to others come behind these. */
function typePlans(
  sections: readonly BoundSection[],
  { types }: Collected,
  state: SyncState,
): readonly TypePlan[] {
  const names = [...new Set(sections.map(({ type }) => type.name))];
  const refers = (name: string): boolean =>
    sections.some(({ type, references }) => type.name === name && references.length > 0);
  return [...names.filter((name) => !refers(name)), ...names.filter(refers)].flatMap((name) => {
    const asked = types.get(name);
    const own = sections.filter(({ type }) => type.name === name);
    return asked === undefined ? [] : [new TypePlan(own, asked, state)];
  });
}

interface Assembling {
  readonly types: readonly TypePlan[];
  /** By name of the resource type in lower case. */
  readonly plans: ReadonlyMap<string, TypePlan>;
  readonly collected: Collected;
  readonly readings: readonly Reading[];
  readonly options: PlanOptions;
  readonly previousTokens: Readonly<Record<string, string>>;
}

function assembled({ types, plans, collected, readings, options, previousTokens }: Assembling): MadePlan {
  const { state, mapping } = options;
  const changes: PlanStep[] = [];
  const references: PlanStep[] = [];
  const referenceIds = new Map<string, readonly string[]>();
  const unknown = new Map<string, Set<string>>();
  for (const own of types) {
    for (const steps of [own.creates(), own.updates()]) for (const step of steps) changes.push(step);
    for (const each of referring(own)) {
      const context = { type: own.type, asked: own.asked.desired, plans, state };
      const compared = compareReferences(each, context);
      references.push(...compared.steps);
      if (compared.ids.length > 0) referenceIds.set(`${own.type} ${each.desired.key}`, compared.ids);
      if (compared.unknown.length > 0)
        unknown.set(`${own.type} ${each.desired.key}`, new Set(compared.unknown));
    }
  }
  const leavers = types.toReversed().flatMap((own) => [...own.leavers()]);
  const steps: readonly PlanStep[] = [...changes, ...references, ...leavers];
  const faults: readonly RecordFault[] = [...collected.faults, ...types.flatMap((own) => own.faults)];
  const resources = types.reduce((sum, own) => sum + own.matched.size + own.leaverCount, 0);
  return {
    types,
    collected,
    previousTokens,
    referenceIds,
    plan: {
      steps,
      counts: types.map((own) => countsOf(own, steps, faults)),
      faults,
      reading: readings.every((reading) => reading === "changes") ? "changes" : "everything",
      records: collected.records,
      resources,
      refusals: refusalsOf(steps, resources, mapping.limits),
      kept: keptOf(types, state),
      notes: [...collected.notes, ...notesOf(types, unknown)],
    },
  };
}

/** The resources of a type whose lists of references are compared. */
function* referring(own: TypePlan): Generator<Referring, void, undefined> {
  if (own.sections.every(({ references }) => references.length === 0)) return;
  const { desired: asked } = own.asked;
  for (const { desired } of own.creates())
    yield { desired, id: null, held: desired.references.map(() => new Set<string>()) };
  for (const [key, { id, held }] of own.matched) {
    const desired = asked.get(key);
    if (desired !== undefined) yield { desired, id, held };
  }
}

function keptOf(types: readonly TypePlan[], state: SyncState): readonly KeptAttribute[] {
  const found = new KeptAttributes();
  for (const { type, kept } of types) {
    const known = state.known(type);
    for (const [key, own] of kept) found.add({ type, key }, own, known.get(key)?.kept ?? []);
  }
  return found.all;
}

function countsOf(
  { type, matched }: TypePlan,
  steps: readonly PlanStep[],
  faults: readonly RecordFault[],
): PlanCounts {
  const own = steps.filter((step) => step.type === type);
  const count = (action: PlanStep["action"]): number => own.filter((step) => step.action === action).length;
  const lists = own.filter((step) => step.action === "references");
  const touched = new Set(own.map(({ key }) => key));
  return {
    type,
    create: count("create"),
    update: count("update"),
    deactivate: count("deactivate"),
    delete: count("delete"),
    unchanged: [...matched.keys()].filter((key) => !touched.has(key)).length,
    add: lists.reduce((sum, { add }) => sum + add.length, 0),
    remove: lists.reduce((sum, { remove }) => sum + remove.length, 0),
    refused: faults.filter((fault) => fault.type === type).length,
  };
}

/** Keys of a note at most. */
const SHOWN = 5;

function notesOf(
  types: readonly TypePlan[],
  unknown: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const notes: string[] = [];
  for (const { type, asked, sections } of types) {
    if (sections.every(({ leavers }) => leavers === "ignore")) continue;
    if (asked.hasUnknown)
      notes.push(`${type}: nobody is taken to have left, since records could not be read.`);
    else if (asked.changesOnly)
      notes.push(`${type}: the source told its changes alone; who is missing is not taken to have left.`);
  }
  for (const [name, keys] of unknown) {
    const shown = [...keys].slice(0, SHOWN).join(", ");
    const more = keys.size > SHOWN ? ` and ${keys.size - SHOWN} more` : "";
    notes.push(`${name} refers to ${shown}${more}: no record has that key, so it is left out.`);
  }
  return notes;
}
