/**
 * Creates a resource (RFC 7644 §3.3).
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { collectionDeltas, takeCollections } from "../plan/collections.ts";
import { entriesOf } from "../plan/entries.ts";
import { selectAttributes } from "../projection/selection.ts";
import type { CreateRequest, ResourceAnswer } from "../service.ts";
import { createRow } from "./rows/create-row.ts";
import type { CreatePlan, StoredResource } from "../store/port.ts";
import { scopeOf } from "../store/scope.ts";
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
  const { sources } = environment;
  const at = new Date(sources.now()).toISOString();
  const plan: CreatePlan = {
    kind: "create",
    type: model.name,
    id: sources.newId(),
    at,
    nonce: sources.newNonce(),
    body: resource,
    ...entriesOf(model, resource, {
      constraints: context.profile.constraints,
      connection: context.connection,
    }),
    collections: collectionDeltas(new Map(), collections),
    event: {
      kind: "created",
      subject: context.subject,
      changed: [...Object.keys(resource), ...[...collections.keys()].map((node) => node.path)],
    },
  };
  const result = await environment.store.write(scopeOf(context), plan);
  if (result.kind === "duplicate") throw duplicate(result.entry);
  if (result.kind !== "written") throw new TypeError(`A new resource could not be stored: ${result.kind}`);
  const stored: StoredResource = {
    type: model.name,
    id: plan.id,
    connection: context.connection,
    version: result.version,
    created: at,
    lastModified: at,
    body: resource,
    collections: new Map([...collections].map(([node, values]) => [node.path, values])),
    inverses: new Map(),
  };
  return answerWith(environment, { model, stored, selection }, context);
}
