/**
 * Tells what would come of an import without writing it: which values that must be unique, and which ids,
 * belong to others.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { NO_SELECTION } from "../../projection/read-selection.ts";
import type { ImportStore } from "../../store/import-store.ts";
import { scopeOf } from "../../store/scope.ts";
import type { UniqueEntry, WritePlan } from "../../store/write-plan.ts";
import { duplicate, idTaken } from "../refusals.ts";
import type { Entry } from "./apply.ts";
import type { ImportOutcome } from "./import-request.ts";
import { rejected } from "./outcome.ts";

/** A value that a plan takes. */
interface Taken {
  readonly entry: Entry;
  readonly plan: WritePlan;
  readonly value: UniqueEntry;
}

/**
 * What would come of entries if they were written now. A store without look-ups of many keys tells what belongs to
 * others only when it is written to.
 */
export async function foreseeItems(
  environment: Environment,
  context: RequestContext,
  entries: readonly Entry[],
): Promise<readonly ImportOutcome[]> {
  const { imports } = environment.store;
  if (imports === undefined) return entries.map(({ outcome }) => outcome);
  const clashes = await findClashes(environment, context, { imports, entries });
  return entries.map((entry) => clashes.get(entry) ?? entry.outcome);
}

interface Sought {
  readonly imports: ImportStore;
  readonly entries: readonly Entry[];
}

async function findClashes(
  environment: Environment,
  context: RequestContext,
  { imports, entries }: Sought,
): Promise<ReadonlyMap<Entry, ImportOutcome>> {
  const clashes = new Map<Entry, ImportOutcome>();
  await refuseTakenIds(environment, context, { entries, clashes });
  const freed = new Set(entries.flatMap(({ plan }) => freedBy(plan).map(nameOf)));
  for (const { type, takes } of lookupsOf(entries)) {
    const [first] = takes;
    if (first === undefined) continue;
    const { path, scope } = first.value;
    const byKey = new Map(takes.map((taken) => [taken.value.key, taken]));
    const lookup = { path, unique: scope, keys: [...byKey.keys()] };
    for (const holding of typesOf(environment, { type, scope })) {
      const holders = await imports.holders(scopeOf(context), { ...lookup, type: holding });
      for (const { key, id } of holders) refuse(byKey.get(key), { id, type: holding });
    }
  }
  return clashes;

  function refuse(taken: Taken | undefined, holder: { readonly id: string; readonly type: string }): void {
    if (taken === undefined || taken.entry.item === null || freed.has(nameOf(taken.value))) return;
    if (taken.plan.id === holder.id && taken.plan.type === holder.type) return;
    clashes.set(taken.entry, rejected(taken.entry.item.item, duplicate(taken.value)));
  }
}

interface Foreseen {
  readonly entries: readonly Entry[];
  readonly clashes: Map<Entry, ImportOutcome>;
}

/** Ids that are kept, and that a live resource of another type has. */
async function refuseTakenIds(
  environment: Environment,
  context: RequestContext,
  { entries, clashes }: Foreseen,
): Promise<void> {
  const keeping = entries.filter(({ plan }) => plan?.kind === "create" && plan.keepsId === true);
  if (keeping.length === 0) return;
  for (const { name } of environment.catalog.models()) {
    const others = keeping.filter(({ plan }) => plan?.type !== name);
    const ids = others.flatMap(({ plan }) => plan?.id ?? []);
    if (ids.length === 0) continue;
    const targets = { type: name, ids };
    const stored = await environment.store.readMany(scopeOf(context), targets, NO_SELECTION);
    const taken = new Set(stored.map(({ id }) => id));
    for (const entry of others)
      if (entry.item !== null && taken.has(entry.plan?.id ?? ""))
        clashes.set(entry, rejected(entry.item.item, idTaken()));
  }
}

/** The values that plans take, those together that one query looks for. */
function lookupsOf(
  entries: readonly Entry[],
): Iterable<{ readonly type: string; readonly takes: readonly Taken[] }> {
  const lookups = new Map<string, { readonly type: string; readonly takes: Taken[] }>();
  for (const entry of entries) {
    const { plan } = entry;
    if (plan === null) continue;
    for (const value of takenBy(plan)) {
      const name = JSON.stringify([plan.type, value.scope, value.path]);
      const lookup = lookups.get(name) ?? { type: plan.type, takes: [] };
      lookups.set(name, lookup);
      lookup.takes.push({ entry, plan, value });
    }
  }
  return lookups.values();
}

function takenBy(plan: WritePlan): readonly UniqueEntry[] {
  if (plan.kind === "create") return plan.unique;
  return plan.kind === "update" ? plan.unique.add : [];
}

/** What a plan of the same batch gives up may be taken. */
function freedBy(plan: WritePlan | null): readonly UniqueEntry[] {
  return plan?.kind === "update" ? plan.unique.remove : [];
}

function nameOf({ scope, path, key }: UniqueEntry): string {
  return JSON.stringify([scope, path, key]);
}

/** What is unique over all types may belong to a resource of any. */
function typesOf(
  { catalog }: Environment,
  { type, scope }: { readonly type: string; readonly scope: string },
): readonly string[] {
  if (scope !== "global") return [type];
  return catalog.models().flatMap(({ name, rows }) => (rows === null ? [name] : []));
}
