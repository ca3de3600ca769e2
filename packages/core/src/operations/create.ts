/**
 * Creates a resource (RFC 7644 §3.3).
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { askPlanHook } from "../hooks/plan-hook.ts";
import { writeHooked } from "../hooks/write-hooked.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { collectionDeltas, takeCollections, type CollectionValues } from "../plan/collections.ts";
import { entriesOf } from "../plan/entries.ts";
import { selectAttributes } from "../projection/selection.ts";
import type { CreateRequest, ResourceAnswer } from "../service.ts";
import { createRow } from "./rows/create-row.ts";
import type { CreatePlan, StoredResource } from "../store/port.ts";
import { answerWith } from "./answer.ts";
import { readNewBody } from "./body.ts";
import { duplicate } from "./refusals.ts";

/** Creates a resource of the body. */
export async function createResource(
  environment: Environment,
  context: RequestContext,
  request: CreateRequest,
): Promise<ResourceAnswer> {
  const model = environment.catalog.model(request.type);
  if (model.rows !== null)
    return createRow(environment, context, { rows: { model, source: model.rows }, request });
  const { resource, given } = readNewBody(environment, { model, body: request.body }, context);
  const selection = selectAttributes(model, { ...request, given }, context);
  const collections = takeCollections(model, resource);
  const planned = planCreation(environment, context, { model, body: resource, collections });
  const plan = environment.hooks.has(model.name)
    ? await passHook(environment, context, { model, planned, collections })
    : planned;
  const result = await writeHooked(environment, context, { plan, before: null });
  if (result.kind === "duplicate") throw duplicate(result.entry);
  if (result.kind !== "written") throw new TypeError(`A new resource could not be stored: ${result.kind}`);
  const stored: StoredResource = {
    type: model.name,
    id: plan.id,
    connection: context.connection,
    version: result.version,
    created: plan.at,
    lastModified: plan.at,
    body: plan.body,
    collections: new Map([...collections].map(([node, values]) => [node.path, values])),
    inverses: new Map(),
  };
    ...result.state,
  return answerWith(environment, { model, stored, selection }, context);
}

/** The state of a new resource. */
interface NewState {
  readonly model: ResourceModel;
  readonly body: JsonObject;
  readonly collections: CollectionValues;
}

function planCreation(
  { sources }: Environment,
  context: RequestContext,
  { model, body, collections }: NewState,
): CreatePlan {
  return {
    kind: "create",
    type: model.name,
    id: sources.newId(),
    at: new Date(sources.now()).toISOString(),
    nonce: sources.newNonce(),
    ...statePlan(context, { model, body, collections }),
    collections: collectionDeltas(new Map(), collections),
  };
}

/** The parts of a plan that follow from the attributes. */
function statePlan(
  context: RequestContext,
  { model, body, collections }: NewState,
): Pick<CreatePlan, "body" | "index" | "unique" | "event"> {
  const { connection, subject } = context;
  return {
    body,
    ...entriesOf(model, body, { constraints: context.profile.constraints, connection }),
    event: {
      kind: "created",
      subject,
      changed: [...Object.keys(body), ...[...collections.keys()].map((node) => node.path)],
    },
  };
}

async function passHook(
  environment: Environment,
  context: RequestContext,
  {
    model,
    planned,
    collections,
  }: Omit<NewState, "body"> & {
    readonly planned: CreatePlan;
  },
): Promise<CreatePlan> {
  const amended = await askPlanHook(environment, context, { model, plan: planned, before: null });
  if (amended === null) return planned;
  return { ...planned, ...statePlan(context, { model, body: amended, collections }) };
}
