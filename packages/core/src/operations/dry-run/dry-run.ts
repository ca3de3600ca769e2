/**
 * Dry runs: a change goes through everything that it would go through, up to the answer of the store, and nothing
 * is written.
 * @module
 */
import { isJsonObject, isScimError, type JsonObject, type PatchOperation } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { DryRunAnswer } from "../../answers.ts";
import type { ChangeRequest } from "../../requests.ts";
import { changeOperations, performChange, type Performed } from "../change-operations.ts";
import { collectionDifference, memberDifference } from "./difference.ts";
import { createTrial, type Tried } from "./trial-store.ts";
import { scopeOf } from "../../store/scope.ts";

/** Tells what a change would come to. What goes wrong on the side of the service is thrown, as the change would. */
export async function dryRun(
  environment: Environment,
  context: RequestContext,
  change: ChangeRequest,
): Promise<DryRunAnswer> {
  const trial = createTrial(environment.store);
  const operations = changeOperations({ ...environment, store: trial.store, isTrial: true });
  try {
    const performed = await performChange(operations, context, change);
    const tried = trial.tried();
    return {
      kind: "dryRun",
      valid: true,
      status: performed.status,
      // A type that shows rows of another decides nothing when it is written: the plan is one of the other.
      resource:
        tried?.plan.type === change.request.type ? withoutWritten(performed, tried) : resourceOf(performed),
      diff: tried === null ? [] : await difference(environment, context, tried),
      error: null,
    };
  } catch (error) {
    if (!isScimError(error)) throw error;
    return { kind: "dryRun", valid: false, status: error.status, resource: null, diff: [], error };
  }
}

/** What only the write itself decides, and a client must not take for what it will get. */
const DECIDED_BY_CREATE: ReadonlySet<string> = new Set(["created", "lastModified", "location", "version"]);
const DECIDED_BY_UPDATE: ReadonlySet<string> = new Set(["lastModified", "version"]);

function resourceOf({ answer }: Performed): JsonObject | null {
  return answer?.kind === "resource" ? answer.resource : null;
}

function withoutWritten(performed: Performed, tried: Tried): JsonObject | null {
  const resource = resourceOf(performed);
  if (resource === null) return null;
  const isNew = tried.plan.kind === "create";
  const decided = isNew ? DECIDED_BY_CREATE : DECIDED_BY_UPDATE;
  const { id, meta, ...values } = resource;
  const known = isJsonObject(meta) ? Object.entries(meta).filter(([name]) => !decided.has(name)) : [];
  return { ...(isNew || id === undefined ? {} : { id }), ...values, meta: Object.fromEntries(known) };
}

async function difference(
  environment: Environment,
  context: RequestContext,
  { plan, before }: Tried,
): Promise<readonly PatchOperation[]> {
  if (plan.kind === "delete" || plan.kind === "restore") return [];
  const model = environment.catalog.model(plan.type);
  const body = before?.body ?? {};
  const operations = [...memberDifference(model.members, body, plan.body ?? body)];
  for (const delta of plan.collections) {
    const owner = { type: plan.type, id: plan.id, path: delta.path };
    const added = delta.add.map(({ value }) => value);
    const known = await environment.store.references(scopeOf(context), owner, added);
    operations.push(...collectionDifference(delta, known));
  }
  return operations;
}
