/**
 * Makes a plan: reads the sources and the target, and compares.
 * @module
 */
import type { ScimClient } from "@scim/client";
import { bindMapping, type BoundSection } from "../mapping/bind.ts";
import type { Mapping } from "../mapping/document.ts";
import type { Source } from "../sources/source.ts";
import { SpillFile } from "../spill/spill-file.ts";
import type { FinishedRun } from "../state/finished-run.ts";
import { readBefore, readTo, type ReadTo, tokensFor } from "../state/read-to.ts";
import type { SyncState } from "../state/sync-state.ts";
import { collect, type Collected } from "./collect.ts";
import type { RecordFault } from "./desired.ts";
import { refusalsOf, refusalsOfEmpty } from "./limits.ts";
import { KeptAttributes, type KeptAttribute } from "./kept-values.ts";
import { compareLists, countsOf, plannedCounts, sumOf, UnknownReferences } from "./count-changes.ts";
import type { Plan, Reading } from "./plan.ts";
import { readRedirected } from "./read-single.ts";
import { readTarget } from "./read-target.ts";
import { resourceTypesOf } from "./resource-types.ts";
import { SpilledSteps } from "./spilled-steps.ts";
import { countTarget, type TargetCounts } from "./target-counts.ts";
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
  readonly counts: TargetCounts;
  /** How far the sources were read before, and how far they are now. */
  readonly previous: ReadTo;
  readonly readTo: ReadTo;
}

/** Makes a plan. Nothing is written. */
export async function makePlan(options: PlanOptions): Promise<MadePlan> {
  const { client, mapping, sources, state, concurrency, signal, onRead } = options;
  const sections = bindMapping(mapping, await resourceTypesOf(client, signal));
  const last = knownRun(options);
  const previous = readBefore(last);
  const file = new SpillFile();
  const collected = await collect({
    sections,
    sources,
    file,
    since: tokensFor(sources, previous),
    signal,
    onRecord: () => onRead?.("record"),
  });
  const types = typePlans(sections, collected, { state, file });
  const plans = new Map(types.map((type) => [type.type, type]));
  const onResource = (): void => onRead?.("resource");
  const counts = await countTarget(client, types, signal);
  const reading = { client, state, last, counts, concurrency, signal, onResource, file };
  const readings: Reading[] = [];
  for (const type of types) readings.push(await readTarget(type, reading));
  for (const type of types) await readRedirected(type, plans, reading);
  return assembled({ types, plans, collected, counts, readings, options, previous });
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
  context: { readonly state: SyncState; readonly file: SpillFile },
): readonly TypePlan[] {
  const names = [...new Set(sections.map(({ type }) => type.name))];
  const refers = (name: string): boolean =>
    sections.some(({ type, references }) => type.name === name && references.length > 0);
  return [...names.filter((name) => !refers(name)), ...names.filter(refers)].flatMap((name) => {
    const asked = types.get(name);
    const own = sections.filter(({ type }) => type.name === name);
    return asked === undefined ? [] : [new TypePlan(own, { asked, ...context })];
  });
}

interface Assembling {
  readonly types: readonly TypePlan[];
  /** By name of the resource type. */
  readonly plans: ReadonlyMap<string, TypePlan>;
  readonly collected: Collected;
  readonly counts: TargetCounts;
  readonly readings: readonly Reading[];
  readonly options: PlanOptions;
  readonly previous: ReadTo;
}

function assembled({
  types,
  plans,
  collected,
  counts: target,
  readings,
  options,
  previous,
}: Assembling): MadePlan {
  const { state, mapping } = options;
  const unknown = new UnknownReferences();
  const counts = types.map((own) => countsOf(own, compareLists(own, { plans, state, unknown })));
  const faults: readonly RecordFault[] = [...collected.faults, ...types.flatMap((own) => own.faults)];
  const resources = sumOf(counts, ({ resources: count }) => count);
  const changed = {
    leavers: sumOf(counts, (own) => own.deactivate + own.delete),
    updates: sumOf(counts, ({ changed: count }) => count),
    resources,
  };
  return {
    types,
    collected,
    counts: target,
    previous,
    readTo: readTo(options.sources, collected.tokens),
    plan: {
      steps: new SpilledSteps(
        types,
        sumOf(counts, ({ steps }) => steps),
      ),
      counts: counts.map((own) => plannedCounts(own, faults)),
      faults,
      reading: readings.every((reading) => reading === "changes") ? "changes" : "everything",
      records: collected.records,
      resources,
      refusals: [...refusalsOfEmpty(types), ...refusalsOf(changed, mapping.limits)],
      kept: keptOf(types, state),
      notes: [...collected.notes, ...notesOf(types), ...unknown.notes()],
    },
  };
}

function keptOf(types: readonly TypePlan[], state: SyncState): readonly KeptAttribute[] {
  const found = new KeptAttributes();
  for (const { type, kept } of types) {
    const known = state.known(type);
    for (const [key, own] of kept) found.add({ type, key }, own, known.get(key)?.kept ?? []);
  }
  return found.all;
}

function notesOf(types: readonly TypePlan[]): readonly string[] {
  return types.flatMap(({ type, asked, sections, notes }) => {
    if (sections.every(({ leavers }) => leavers === "ignore")) return notes;
    if (asked.hasUnknown)
      return [...notes, `${type}: nobody is taken to have left, since records could not be read.`];
    if (!asked.changesOnly) return notes;
    return [
      ...notes,
      `${type}: the source told its changes alone; who is missing is not taken to have left.`,
    ];
  });
}
