/**
 * Creates a resource (RFC 7644 §3.3).
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { writeHooked } from "../hooks/write-hooked.ts";
import { takeCollections } from "../plan/collections.ts";
import { selectAttributes } from "../projection/selection.ts";
import type { CreateRequest, ResourceAnswer } from "../service.ts";
import { createRow } from "./rows/create-row.ts";
import type { StoredResource } from "../store/port.ts";
import { answerWith } from "./answer.ts";
import { readNewBody } from "./body.ts";
import { passCreationHook, planCreation } from "./creation-plan.ts";
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
  const state = { model, body: resource, collections };
  const planned = planCreation(environment, context, state);
  const plan = await passCreationHook(environment, context, { planned, state });
  const result = await writeHooked(environment, context, { plan, before: null });
  if (result.kind === "duplicate") throw duplicate(result.entry);
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
  return answerWith(environment, { model, stored, selection }, context);
}
