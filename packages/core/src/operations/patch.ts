/**
 * Changes a resource by PATCH operations (RFC 7644 §3.5.2): all of them, or none.
 * @module
 */
import type { DecodeContext } from "../attributes/decode.ts";
import { copy, type MutableObject, type MutableValue } from "../attributes/json-object.ts";
import { settleResource } from "../attributes/settle.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { JsonObject } from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { takeSecrets } from "../model/secrets.ts";
import { applyOperations, bindOperations, type BoundOperation } from "../patch/apply.ts";
import { coalesce } from "../patch/coalesce.ts";
import { collectionNeeds } from "../patch/needs.ts";
import { readOperations } from "../patch/operation.ts";
import type { BindingContext } from "../patch/state.ts";
import { putCollections, takeCollections, type CollectionValues } from "../plan/collections.ts";
import { locationOf, readSelection } from "../projection/represent.ts";
import { selectAttributes, shownOfAttribute, type Selection } from "../projection/selection.ts";
import type { NoContentAnswer, PatchRequest, ResourceAnswer } from "../service.ts";
import type { ReferenceValue, StoredResource, UpdatePlan } from "../store/port.ts";
import { answerWith, scopeOf } from "./answer.ts";
import { changeResource } from "./change.ts";
import { planUpdate } from "./update-plan.ts";

type PatchAnswer = ResourceAnswer | NoContentAnswer;

/** A resource after the operations, and the plan that makes it so. */
interface Patched {
  readonly next: StoredResource;
  readonly plan: UpdatePlan | null;
}

/** Changes a resource. */
export async function patchResource(
  environment: Environment,
  context: RequestContext,
  request: PatchRequest,
): Promise<PatchAnswer> {
  const model = environment.catalog.model(request.type);
  const binding = bindingContext(environment, context, { model, id: request.id });
  const operations = coalesce(bindOperations(readOperations(request.body, context), binding));
  const given = new Set(
    operations
      .map(({ target }) => target.sub ?? target.attribute)
      .filter((node) => model.onRequest.has(node)),
  );
  const selection = selectAttributes(model, { ...request, given }, context);
  const select = { ...readSelection(model, selection, environment.limits.groups), collections: [] };
  const { id, precondition } = request;
  const patched = await changeResource(environment, context, {
    model,
    id,
    precondition,
    select,
    plan: async (stored) => {
      const { next, plan } = await applyTo(environment, context, { stored, model, operations, binding });
      return { plan, outcome: (version) => ({ ...next, version }) };
    },
  });
  return answer(environment, context, { request, model, selection, patched });
}

function bindingContext(
  environment: Environment,
  context: RequestContext,
  resource: { readonly model: ResourceModel; readonly id: string },
): BindingContext {
  const decode: DecodeContext = {
    model: resource.model,
    profile: context.profile,
    onSwitch: context.onSwitch,
    unknownCode: "invalidValue",
    onReadOnly: () => undefined,
  };
  return {
    id: resource.id,
    decode,
    target: { model: resource.model, request: context, parser: environment.parser },
    binder: environment.targets,
  };
}

async function applyTo(
  environment: Environment,
  context: RequestContext,
  input: {
    readonly stored: StoredResource;
    readonly model: ResourceModel;
    readonly operations: readonly BoundOperation[];
    readonly binding: BindingContext;
  },
): Promise<Patched> {
  const { stored, model, operations, binding } = input;
  const known = await readNeeded(environment, context, input);
  const touched = new Set(operations.map(({ target }) => target.attribute.keys[0] ?? ""));
  const resource = copyTouched(stored.body, touched);
  putCollections(known, resource);
  applyOperations(operations, { ...binding, resource, validator: environment.validator });
  await keepExtensions(environment, context, { stored, model, resource, known });
  environment.validator.resource(model, resource, "result");
  settleResource(model, resource, {
    profile: context.profile,
    onSwitch: context.onSwitch,
    maxValues: environment.limits.attributeValues,
    touched,
  });
  const secrets = takeSecrets(model.secrets, resource);
  const wanted = takeCollections(model, resource);
  const plan = planUpdate(environment, context, {
    model,
    stored,
    body: resource,
    collections: { known, wanted },
    secrets,
    kind: "patched",
  });
  return { plan, next: plan === null ? stored : { ...stored, body: resource, lastModified: plan.at } };
}

/** A copy in which whatever the operations may change is a copy too. */
function copyTouched(body: JsonObject, touched: ReadonlySet<string>): MutableObject {
  const resource: MutableObject = {};
  for (const name of Object.keys(body)) {
    const value = body[name];
    // What no operation names is shared with the stored body and never changed.
    if (value !== undefined) resource[name] = touched.has(name) ? copy(value) : (value as MutableValue);
  }
  return resource;
}

/** Keeps an extension that lost all that is known of it, but holds references that were not read. */
async function keepExtensions(
  environment: Environment,
  context: RequestContext,
  input: {
    readonly stored: StoredResource;
    readonly model: ResourceModel;
    readonly resource: MutableObject;
    readonly known: CollectionValues;
  },
): Promise<void> {
  const { stored, model, resource, known } = input;
  for (const { node } of model.collections) {
    const { extension } = node;
    if (extension === null || !Object.hasOwn(stored.body, extension) || Object.hasOwn(resource, extension))
      continue;
    const removed = known.get(node)?.length ?? 0;
    const owner = { type: stored.type, id: stored.id, path: node.path };
    const values = await environment.store.references(scopeOf(context), owner, { first: removed + 1 });
    if (values.length > removed) resource[extension] = {};
  }
}

/** Reads the values of collections that the operations name. */
async function readNeeded(
  environment: Environment,
  context: RequestContext,
  input: { readonly stored: StoredResource; readonly operations: readonly BoundOperation[] },
): Promise<CollectionValues> {
  const known = new Map<AttributeNode, readonly ReferenceValue[]>();
  const { type, id } = input.stored;
  for (const [node, need] of collectionNeeds(input.operations)) {
    const owner = { type, id, path: node.path };
    known.set(
      node,
      need.length === 0 ? [] : await environment.store.references(scopeOf(context), owner, need),
    );
  }
  return known;
}

interface AnswerInput {
  readonly request: PatchRequest;
  readonly model: ResourceModel;
  readonly selection: Selection;
  readonly patched: StoredResource;
}

async function answer(
  environment: Environment,
  context: RequestContext,
  input: AnswerInput,
): Promise<PatchAnswer> {
  const { request, model, selection, patched } = input;
  const withoutBody: PatchAnswer = {
    kind: "noContent",
    version: patched.version,
    location: locationOf(model, patched.id, context.baseUrl),
  };
  if (selection.asked || request.prefer === "representation") {
    const stored = await withCollections(environment, context, { ...input, first: "all" });
    return stored === null ? withoutBody : answerWith(environment, { model, stored, selection }, context);
  }
  const saysNothing =
    context.profile.switches.has("no-content-for-group-patch") && model.collections.length > 0;
  if (request.prefer === "minimal" || saysNothing) return withoutBody;
  const stored = await withCollections(environment, context, {
    ...input,
    first: environment.limits.answerReferences,
  });
  return stored === null ? withoutBody : answerWith(environment, { model, stored, selection }, context);
}

/** The resource with the collections that are shown; null where one has more values than `first`. */
async function withCollections(
  environment: Environment,
  context: RequestContext,
  input: AnswerInput & { readonly first: number | "all" },
): Promise<StoredResource | null> {
  const { model, selection, patched, first } = input;
  const collections = new Map<string, readonly ReferenceValue[]>();
  for (const { node } of model.collections) {
    if (shownOfAttribute(selection, node) === "nothing") continue;
    const owner = { type: patched.type, id: patched.id, path: node.path };
    const wanted = first === "all" ? first : { first: first + 1 };
    const values = await environment.store.references(scopeOf(context), owner, wanted);
    if (first !== "all" && values.length > first) return null;
    collections.set(node.path, values);
  }
  return { ...patched, collections };
}
