/**
 * Creates a resource (RFC 7644 §3.3).
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { collectionDeltas, takeCollections } from "../plan/collections.ts";
import { entriesOf } from "../plan/entries.ts";
import { selectAttributes } from "../projection/selection.ts";
import type { CreateRequest, ResourceAnswer } from "../service.ts";
import type { CreatePlan, StoredResource } from "../store/port.ts";
import { answerWith, scopeOf } from "./answer.ts";
import { readBody } from "./body.ts";
import { duplicate } from "./refusals.ts";

/** Attributes that clients send back as they read them. */
const SERVICE_SET: ReadonlySet<string> = new Set(["id", "meta"]);

/** Creates a resource of the body. */
export async function createResource(
  environment: Environment,
  context: RequestContext,
  request: CreateRequest,
): Promise<ResourceAnswer> {
  const model = environment.catalog.model(request.type);
  const onReadOnly = (node: AttributeNode): void => {
    refuseReadOnly(node, context);
  };
  const { resource, given } = readBody(environment, { model, body: request.body, onReadOnly }, context);
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

function refuseReadOnly(node: AttributeNode, context: RequestContext): void {
  if (
    node.extension === null &&
    SERVICE_SET.has(node.attribute.name) &&
    context.profile.switches.has("ignore-read-only")
  ) {
    context.onSwitch("ignore-read-only", node.path);
    return;
  }
  throw new ScimError(
    "mutability",
    `Attribute '${node.path}' is readOnly: the service sets it, leave it out.`,
  );
}
