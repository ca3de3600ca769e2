/**
 * Applies a plan inside a transaction: all its statements at once, save where a long collection changes.
 * @module
 */
import type { WritePlan, WriteResult } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import type { Outcome, Steps } from "../steps.ts";
import { firstVersion, nextVersion } from "../version.ts";
import { applyCollectionDelta } from "./collections.ts";
import { deltaStatements } from "./delta-statements.ts";
import type { EntryOwner } from "./entries.ts";
import { type PlanPart, planParts, type PlanParts, type WriteSetting } from "./plan-parts.ts";
import { takeOverStaged } from "./take-over.ts";
import { currentVersion, wasWritten } from "./written.ts";

/** Applies a plan. Where the result is not `written`, the changes so far must be taken back. */
export function* applyPlan(setting: WriteSetting, plan: WritePlan): Steps<Outcome<WriteResult>> {
  const result = yield* apply(setting, plan, true);
  return { keep: result.kind === "written", result };
}

/** Applies a plan for the sake of the answer: the changes must be taken back, whatever it is. */
export function* previewPlan(setting: WriteSetting, plan: WritePlan): Steps<Outcome<WriteResult>> {
  return { keep: false, result: yield* apply(setting, plan, false) };
}

/**
 * Applies a plan as one of several of a transaction. Where the result is not `written`, the changes so far must be
 * taken back.
 */
export function applyWithin(setting: WriteSetting, plan: WritePlan): Steps<WriteResult> {
  return apply(setting, plan, false);
}

function* apply(setting: WriteSetting, plan: WritePlan, kept: boolean): Steps<WriteResult> {
  const result = yield* applyOwn(setting, plan, kept);
  if (result.kind !== "written" || !hasStatements(plan)) return result;
  // Behind all that a plan demands: what the application writes must not fail in the place of a conflict.
  const batch = (plan.statements ?? []).map((statement) => ({ statement }));
  const owner = { tenant: setting.scope.tenant, type: plan.type, id: plan.id };
  return yield* run({ owner, version: result.version, kept, dialect: setting.dialect }, batch, true);
}

/** Whether statements of the application follow those of the store. */
function hasStatements({ statements = [] }: WritePlan): boolean {
  return statements.length > 0;
}

function* applyOwn(setting: WriteSetting, plan: WritePlan, kept: boolean): Steps<WriteResult> {
  const owner = { tenant: setting.scope.tenant, type: plan.type, id: plan.id };
  const version =
    plan.kind === "create" ? firstVersion(plan.nonce) : nextVersion(plan.expectedVersion, plan.nonce);
  if (version === null) return { kind: "conflict", current: yield* currentVersion(owner) };
  const parts = yield* planParts(setting, plan, version);
  const write = { owner, version, kept, dialect: setting.dialect };
  const collections = collectionParts(owner, plan, setting.dialect);
  if (collections !== null)
    return yield* run(
      write,
      [...parts.first, ...parts.counted, ...parts.entries, ...collections, ...parts.last],
      !hasStatements(plan),
    );
  return yield* applyLong(write, plan, parts);
}

/** The statements of all changes to collections, where these are short. */
function collectionParts(
  { tenant, type, id }: EntryOwner,
  plan: WritePlan,
  dialect: Dialect,
): readonly PlanPart[] | null {
  if (plan.kind === "delete" || plan.kind === "restore") return [];
  if (plan.staged !== undefined) return null;
  const statements = plan.collections.map((delta) =>
    deltaStatements({ tenant, type, owner: id, path: delta.path }, delta, dialect),
  );
  if (!statements.every((each) => each !== null)) return null;
  return statements.flat().map((statement) => ({ statement }));
}

/** A write that is under way. */
interface PlannedWrite {
  readonly owner: EntryOwner;
  readonly version: string;
  /** Whether it stays where all goes well. */
  readonly kept: boolean;
  readonly dialect: Dialect;
}

/** The change of a long collection waits for answers, and lets others go first; so it counts at its end. */
function* applyLong(
  write: PlannedWrite,
  plan: WritePlan,
  { first, counted, entries, last }: PlanParts,
): Steps<WriteResult> {
  const { tenant, type, id } = write.owner;
  const begun = yield* run(write, [...first, ...entries], false);
  if (begun.kind !== "written" || plan.kind === "delete" || plan.kind === "restore") return begun;
  for (const delta of plan.collections) {
    yield* applyCollectionDelta({ tenant, type, owner: id, path: delta.path }, delta, write.dialect);
  }
  const { stage = "", changes = [] } = plan.staged ?? {};
  for (const { path } of changes) {
    const owner = { tenant, type, owner: id, path };
    const isNew = plan.kind === "create";
    yield* takeOverStaged({ staged: { tenant, stage, path }, owner, isNew }, write.dialect);
  }
  return yield* run(write, [...counted, ...last], !hasStatements(plan));
}

function* run(write: PlannedWrite, parts: readonly PlanPart[], isLast: boolean): Steps<WriteResult> {
  const { owner, version, kept } = write;
  const { unmet } = yield kept && isLast
    ? { batch: parts, wasKept: () => wasWritten(owner, version) }
    : { batch: parts };
  if (unmet === undefined) return { kind: "written", version };
  const otherwise = parts[unmet]?.otherwise;
  if (otherwise === undefined) throw new TypeError("A statement failed that did not have to change a row");
  return otherwise === "conflict" ? { kind: "conflict", current: yield* currentVersion(owner) } : otherwise;
}
