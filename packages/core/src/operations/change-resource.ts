/**
 * The loop of every change: read, check the version, plan, write if the version is still the one that was read.
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { askPlanHook } from "../hooks/plan-hook.ts";
import { writeHooked } from "../hooks/write-hooked.ts";
import type { ReadSelection } from "../store/port.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import type { WritePlan } from "../store/write-plan.ts";
import { scopeOf } from "../store/scope.ts";
import type { Precondition } from "../versioning/precondition.ts";
import { checkPrecondition, requireVersion, versionMismatch } from "../versioning/version.ts";
import { duplicate, notFound, tooBusy } from "./refusals.ts";
import { planUpdate, type NextState, type Written } from "./update-plan.ts";

/** A change to one resource. */
export interface ResourceChange<Outcome> {
  readonly model: ResourceModel;
  readonly id: string;
  readonly precondition: Precondition;
  readonly select: ReadSelection;
  /** Plans the change on the resource as it is; without a plan nothing changes. */
  readonly plan: (stored: StoredResource) => Promise<PlannedChange<Outcome>> | PlannedChange<Outcome>;
}

/** What a change comes to. */
export interface PlannedChange<Outcome> {
  readonly plan: WritePlan | null;
  /** The state that the plan leads to, so that a hook may amend it; null for a deletion. */
  readonly next: NextState | null;
  /** What the caller gets. */
  readonly outcome: (written: Written) => Outcome;
}

/**
 * Makes a change.
 * @throws ScimError `notFound`, `versionRequired`, `versionMismatch`, `uniqueness`, or `unavailable` where others were faster each time
 */
export async function changeResource<Outcome>(
  environment: Environment,
  context: RequestContext,
  request: ResourceChange<Outcome>,
): Promise<Outcome> {
  const { model, id } = request;
  return environment.takeTurn(JSON.stringify([context.tenant, model.name, id]), async () =>
    changeInTurn(environment, context, request),
  );
}

async function changeInTurn<Outcome>(
  environment: Environment,
  context: RequestContext,
  request: ResourceChange<Outcome>,
): Promise<Outcome> {
  const { model, id, precondition } = request;
  const scope = scopeOf(context);
  for (let attempt = 0; attempt < environment.limits.planAttempts; attempt += 1) {
    context.signal?.throwIfAborted();
    const stored = await environment.store.read(scope, { type: model.name, id }, request.select);
    if (stored === null) throw notFound(model);
    const planned = await request.plan(stored);
    if (context.profile.switches.has("require-version")) requireVersion(precondition, stored.version);
    checkPrecondition(precondition, stored.version);
    const plan = await passHook(environment, context, { stored, planned, model });
    if (plan === null) return planned.outcome({ plan, version: stored.version });
    const result = await writeHooked(environment, context, { plan, before: stored });
    if (result.kind === "written") return planned.outcome({ ...result, plan });
    if (result.kind === "duplicate") throw duplicate(result.entry);
    refuseLostRace(precondition, result.kind === "conflict" ? result.current : null, model);
  }
  throw tooBusy();
}

/** The plan as the hook of the resource type leaves it; null where nothing changes. */
export function passHook<Outcome>(
  environment: Environment,
  context: RequestContext,
  { stored, planned, model }: HookInput<Outcome>,
): Promise<WritePlan | null> | WritePlan | null {
  const { plan, next } = planned;
  if (plan === null || !environment.hooks.has(model.name)) return plan;
  return askPlanHook(environment, context, { model, plan, before: stored }).then((amended) =>
    amended === null || next === null ? plan : planUpdate(environment, context, { ...next, body: amended }),
  );
}

interface HookInput<Outcome> {
  readonly stored: StoredResource;
  readonly planned: PlannedChange<Outcome>;
  readonly model: ResourceModel;
}

/** With versions named, a lost race is 412; without, the change is planned again. */
function refuseLostRace(precondition: Precondition, current: string | null, model: ResourceModel): void {
  if (current === null) throw notFound(model);
  const { ifMatch } = precondition;
  if (ifMatch !== null && ifMatch !== "*") throw versionMismatch(ifMatch, current);
}
