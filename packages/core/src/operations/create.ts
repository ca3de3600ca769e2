/**
 * Creates a resource (RFC 7644 §3.3).
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { writeHooked } from "../hooks/write-hooked.ts";
import { takeCollections } from "../plan/collections.ts";
import { boundedSelection, isWhole } from "../projection/bounded-selection.ts";
import { readSelection } from "../projection/read-selection.ts";
import { selectAttributes } from "../projection/selection.ts";
import type { ResourceAnswer } from "../answers.ts";
import type { CreateRequest } from "../requests.ts";
import { createRow } from "./rows/create-row.ts";
import { SecretHashing } from "../secrets/request-secrets.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import type { CreatePlan } from "../store/write-plan.ts";
import { answerWith } from "./answer.ts";
import { readNewBody } from "./body.ts";
import { passCreationHook, planCreation } from "./creation-plan.ts";
import { RequestStage, type LongChanges } from "./long-body/staged-changes.ts";
import { answerPresent } from "./long-collections.ts";
import { prepareForBody } from "./prepare-validation.ts";
import { duplicate, outdated } from "./refusals.ts";

/** Creates a resource of the body. */
export async function createResource(
  environment: Environment,
  context: RequestContext,
  request: CreateRequest,
): Promise<ResourceAnswer> {
  const model = environment.catalog.model(request.type);
  if (model.rows !== null)
    return createRow(environment, context, { rows: { model, source: model.rows }, request });
  const { body, staged: stagedBody } = request;
  await prepareForBody(environment, { model, body }, context);
  const read = readNewBody(environment, { model, body, staged: stagedBody }, context);
  const { resource, given, staged } = read;
  const selection = selectAttributes(model, { ...request, given }, context);
  const collections = new Map([...takeCollections(model, resource)].filter(([node]) => !staged.has(node)));
  const state = {
    model,
    body: resource,
    collections,
    secrets: await new SecretHashing(environment, context).planned(read.secrets),
  };
  const planned = planCreation(environment, context, state);
  const owner = { model, id: planned.id };
  const long =
    staged.size === 0
      ? null
      : await new RequestStage(environment, context, stagedBody).changes(owner, [...staged]);
  const whole = long === null ? planned : withLongChanges(planned, long);
  const plan = await passCreationHook(environment, context, { planned: whole, state });
  const result = await writeHooked(environment, context, { plan, before: null });
  if (result.kind === "duplicate") throw duplicate(result.entry);
  if (result.kind === "outdated") throw outdated(model.name);
  if (result.kind !== "written") throw new TypeError(`A new resource could not be stored: ${result.kind}`);
  const stored: StoredResource = {
    type: model.name,
    id: plan.id,
    connection: context.connection,
    version: result.version,
    created: plan.created ?? plan.at,
    lastModified: plan.at,
    body: plan.body,
    collections: new Map([...collections].map(([node, values]) => [node.path, values])),
    inverses: new Map(),
    ...result.state,
  };
  const select = readSelection(model, selection, environment.limits.groups);
  if (isWhole(stored, { ...select, collections: [...staged].map(({ path }) => path) }))
    return answerWith(environment, { model, stored, selection }, context);
  const bounded = boundedSelection(environment, request, select);
  const written = answerWith(environment, { model, stored, selection }, context);
  const present = await answerPresent(environment, context, {
    model,
    selection,
    select: bounded,
    id: plan.id,
    instead: { ...written, isPartial: true },
  });
  return present ?? written;
}

function withLongChanges(plan: CreatePlan, { deltas, staged }: LongChanges): CreatePlan {
  const paths = [...deltas, ...(staged?.changes ?? [])].map(({ path }) => path);
  return {
    ...plan,
    collections: [...plan.collections, ...deltas],
    ...(staged === undefined ? {} : { staged }),
    event: { ...plan.event, changed: [...plan.event.changed, ...paths] },
  };
}
