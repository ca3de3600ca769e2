/**
 * Writes what was planned for an import.
 * @module
 */
import { isScimError, type ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { refusalOf } from "../../hooks/write-hooked.ts";
import type { RequestSecrets } from "../../secrets/request-secrets.ts";
import { importsOf } from "../../store/capabilities.ts";
import type { ImportStep } from "../../store/import-store.ts";
import type { ResourceStore, StoreScope } from "../../store/port.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import type { WritePlan, WriteResult } from "../../store/write-plan.ts";
import { scopeOf } from "../../store/scope.ts";
import { duplicate, idTaken, outdated, tooBusy } from "../refusals.ts";
import type { ImportApplication, ImportOutcome } from "./import-request.ts";
import type { ImportRun } from "./import-run.ts";
import { hashedEntries } from "./item-secrets.ts";
import { rejected } from "./outcome.ts";
import type { ReadItem } from "./read-item.ts";

/** An item with its plan. */
export interface Entry {
  /** Null for an item that is rejected already. */
  readonly item: ReadItem | null;
  /** Null where there is nothing to write. */
  readonly plan: WritePlan | null;
  /** The resource that the plan was made on; null for a new one. */
  readonly before: StoredResource | null;
  /** Secrets that the plan lacks: they are hashed when it is written. */
  readonly secrets: RequestSecrets;
  /** What is planned. */
  readonly outcome: ImportOutcome;
}

/** What is to be written. */
export interface Application {
  readonly entries: readonly Entry[];
  /** Reads and plans an item again, since its resource changed in the meantime. */
  readonly replan: (item: ReadItem) => Promise<Entry>;
  readonly options: ImportApplication;
}

/** Writes all entries in one transaction; where one stands in the way, one after another. */
export async function applyItems(
  environment: Environment,
  context: RequestContext,
  application: Application,
): Promise<readonly ImportOutcome[]> {
  const { options } = application;
  const entries = await hashedEntries(environment, context, application.entries);
  const { imports } = environment.store;
  const isApart = entries.some(({ plan }) => plan !== null && isWrittenApart(environment.store, plan));
  if (imports !== undefined && !isApart) {
    const plans = entries.map(({ plan }) => plan).filter((plan) => plan !== null);
    const outcomes = entries.map(({ outcome }) => outcome);
    const step = options.run?.step(outcomes) ?? null;
    const result = await imports.writeAll(scopeOf(context), plans, step);
    if (result.kind === "written") {
      if (step !== null) options.run?.took(step, outcomes);
      return outcomes;
    }
  }
  const outcomes: ImportOutcome[] = [];
  for (const entry of entries) outcomes.push(await applyOne(environment, context, { ...application, entry }));
  return outcomes;
}

/** Whether a plan shares no transaction with others: each may fail by itself, or is written elsewhere. */
function isWrittenApart(store: ResourceStore, { type, statements = [] }: WritePlan): boolean {
  return statements.length > 0 || importsOf(store, type) === undefined;
}

/** Writes one entry, planned again where others changed its resource in the meantime, or made it. */
async function applyOne(
  environment: Environment,
  context: RequestContext,
  { entry, replan, options }: Application & { readonly entry: Entry },
): Promise<ImportOutcome> {
  const { run, onRejected } = options;
  const pass = (outcome: ImportOutcome): ImportOutcome => {
    run?.pass([outcome]);
    return outcome;
  };
  const reject = async (outcome: ImportOutcome): Promise<ImportOutcome> => {
    await onRejected(outcome);
    return pass(outcome);
  };
  let current = entry;
  for (let attempt = 0; attempt < environment.limits.planAttempts; attempt += 1) {
    const { item, outcome } = current;
    if (item === null) return pass(outcome);
    const written = await writeOne(environment, context, { entry: current, run });
    if (!("error" in written)) return { ...outcome, id: written.id ?? outcome.id };
    const { error, mayBeIts } = written;
    const next = mayBeIts ? await replan(item) : null;
    if (next === null || (error !== null && next.plan?.kind === "create"))
      return reject(rejected(item.item, error));
    const [replanned = next] = await hashedEntries(environment, context, [next]);
    if (replanned.item === null) return reject(replanned.outcome);
    current = replanned;
  }
  throw tooBusy();
}

/** Why an entry is not written. */
interface Refusal {
  /** Null where others changed its resource in the meantime. */
  readonly error: ScimError | null;
  /** Whether the resource that stands in the way may be that of the item. */
  readonly mayBeIts: boolean;
}

interface OneWrite {
  readonly entry: Entry;
  readonly run: ImportRun | null;
}

/** What is written. */
interface Written {
  /** The id that a store gave which keeps none of those that are planned; null for the planned one. */
  readonly id: string | null;
}

async function writeOne(
  environment: Environment,
  context: RequestContext,
  { entry: { plan, before, outcome }, run }: OneWrite,
): Promise<Refusal | Written> {
  try {
    const step = run?.step([outcome]) ?? null;
    const result = await writeWithStep(environment.store, scopeOf(context), { plan, step });
    if (step !== null && isWritten(result)) run?.took(step, [outcome]);
    if (result === null) return { id: null };
    return result.kind === "written" ? { id: result.state?.id ?? null } : refusalFor(result, plan);
  } catch (error) {
    // A resource handler refuses by an error.
    if (isScimError(error) && error.status < 500) return { error, mayBeIts: false };
    const refusal = plan === null ? null : refusalOf(environment, context, { plan, before, error });
    if (refusal === null) throw error;
    return { error: refusal, mayBeIts: false };
  }
}

function isWritten(result: WriteResult | null): boolean {
  return result === null || result.kind === "written";
}

/** A plan, where there is something to write, and how far a run has come with it. */
interface SteppedPlan {
  readonly plan: WritePlan | null;
  readonly step: ImportStep | null;
}

/** Writes both; resolves to what the store answers of the plan, and to null where it is written as planned. */
async function writeWithStep(
  store: ResourceStore,
  scope: StoreScope,
  { plan, step }: SteppedPlan,
): Promise<WriteResult | null> {
  const imports = plan === null ? store.imports : importsOf(store, plan.type);
  if (imports !== undefined) {
    const answer = await imports.writeAll(scope, plan === null ? [] : [plan], step);
    if (answer.kind === "written") return null;
    if (answer.result === null) throw new TypeError("The store does not tell why it refuses a plan");
    return answer.result;
  }
  const result = plan === null ? null : await store.write(scope, plan);
  if (result !== null && result.kind !== "written") return result;
  // Written elsewhere: a run that ends in between meets the resource again, as its record has it.
  if (step !== null) await store.imports?.writeAll(scope, [], step);
  return result;
}

/** @throws ScimError `unavailable` where what follows would be refused as well */
function refusalFor(
  result: Exclude<WriteResult, { readonly kind: "written" }>,
  plan: WritePlan | null,
): Refusal {
  // Another may have made the resource of the item since it was looked for.
  const mayBeIts = plan?.kind === "create";
  switch (result.kind) {
    case "duplicate":
      return { error: duplicate(result.entry), mayBeIts };
    case "exists":
      return { error: idTaken(), mayBeIts };
    case "conflict":
      return { error: null, mayBeIts: true };
    case "outdated":
      throw outdated(plan?.type ?? "");
  }
}
