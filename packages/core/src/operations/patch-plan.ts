/**
 * What PATCH operations make of a resource, as a plan.
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";
import type { DecodeContext } from "../attributes/decode.ts";
import { copy, copyObject, type MutableObject, type MutableValue } from "../attributes/json-object.ts";
import { settleResource } from "../attributes/settle.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { applyOperations, bindOperations, type RequestOperation } from "../patch/apply.ts";
import { coalesce } from "../patch/coalesce.ts";
import { readOperations } from "../patch/operation.ts";
import { Effort } from "../patch/effort.ts";
import type { BindingContext } from "../patch/state.ts";
import { inSteps, pause } from "../pause.ts";
import { type CollectionValues, putCollections, takeCollections } from "../plan/collections.ts";
import { SecretHashing, takeRequestSecrets } from "../secrets/request-secrets.ts";
import type { StagedBody } from "../requests.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import type { UpdatePlan } from "../store/write-plan.ts";
import { refuseMoreReferences } from "./immutable-references.ts";
import type { RequestStage } from "./long-body/staged-changes.ts";
import { StagedLists } from "./long-body/staged-lists.ts";
import { longChanges } from "./long-patch/long-changes.ts";
import { bringsMany, readLists } from "./long-patch/read-lists.ts";
import { readNeeded } from "./needed-references.ts";
import { prepareForResource } from "./prepare-validation.ts";
import { keepExtensions, requireReferences } from "./unread-references.ts";
import { planUpdate, type NextState } from "./update-plan.ts";
import { checkChange } from "../validation/check-change.ts";

/** The state after the operations, and the plan that leads there. */
export interface Patched {
  readonly next: NextState;
  readonly plan: UpdatePlan | null;
}

/** The operations of a request, bound to the attributes of its resource type. */
export interface BoundPatch {
  readonly model: ResourceModel;
  readonly operations: readonly RequestOperation[];
  readonly binding: BindingContext;
  readonly hashing: SecretHashing;
}

/**
 * Binds the operations of a PatchOp message for a resource.
 * @throws ScimError `invalidSyntax`, `invalidPath`, `invalidValue`, `mutability` or `noTarget` naming the operation
 */
export async function bindPatch(
  environment: Environment,
  context: RequestContext,
  request: { readonly model: ResourceModel; readonly id: string; readonly body: JsonValue },
): Promise<BoundPatch> {
  const binding = bindingContext(environment, context, request);
  const steps = bindOperations(readOperations(request.body, context), binding);
  const operations = coalesce(await inSteps(context, () => steps.next()));
  return { model: request.model, operations, binding, hashing: new SecretHashing(environment, context) };
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

/** A PATCH of a resource as it is stored. */
export interface PatchInput {
  readonly patch: BoundPatch;
  readonly stored: StoredResource;
  /** Where long collections are staged. Default: none is, and all that the operations speak of is held. */
  readonly staging?: PatchStaging | undefined;
}

/** Where the long collections of a PATCH are staged. */
export interface PatchStaging extends Pick<StagedBody, "lists"> {
  readonly stage: RequestStage;
}

/** Applies bound operations to a resource as it is stored, and plans the change; it reads the references that they name. */
export async function planPatch(
  environment: Environment,
  context: RequestContext,
  { patch, stored, staging }: PatchInput,
): Promise<Patched> {
  const { model, operations, hashing } = patch;
  // With many values each thing that is done takes long by itself.
  const letOthers = async (): Promise<void> => (operations.some(bringsMany) ? pause(context) : undefined);
  await letOthers();
  const stages = staging !== undefined;
  const lists = new StagedLists(staging, context);
  const binding = stages ? readingStaged(patch.binding, lists) : patch.binding;
  const { known, renewed, walked } = await readNeeded(environment, context, { stored, operations, stages });
  const touched = new Set(operations.map(({ target }) => target.attribute.keys[0] ?? ""));
  const resource = copyTouched(stored.body, touched);
  putCollections(known, resource);
  const { validator } = environment;
  const held =
    walked.size === 0 ? operations : operations.filter(({ target }) => !walked.has(target.attribute));
  const unread = held.filter(({ change }) => staging?.lists.has(change.value ?? null) !== true);
  const maxValues = environment.limits.attributeValues;
  const readBefore = await readLists(context, unread, binding.decode);
  const bound = { maxValues, before: () => stored.body };
  const decode: DecodeContext = { ...binding.decode, readBefore, bound };
  const steps = applyOperations(held, { ...binding, decode, resource, validator, effort: new Effort() });
  await inSteps(context, () => lists.explain(() => steps.next()));
  await letOthers();
  const changed = { stored, model, resource, known, renewed };
  await keepExtensions(environment, context, changed);
  await requireReferences(environment, context, changed);
  await prepareForResource(environment, { model, resource, as: "result" }, context);
  const before = (): JsonObject => withCollections(stored.body, known);
  lists.explain(() => checkChange(validator, model, { before, after: resource, maxValues }));
  await letOthers();
  settleResource(model, resource, {
    profile: context.profile,
    onSwitch: context.onSwitch,
    maxValues,
    touched,
    before,
  });
  const secrets = takeRequestSecrets(environment, model, { resource, operations });
  const wanted = new Map(takeCollections(model, resource));
  await refuseMoreReferences(environment, context, { ...changed, wanted });
  const long =
    staging === undefined || renewed.size + walked.size === 0
      ? undefined
      : await longChanges(environment, context, { renewed, walked, stored, binding, wanted, ...staging });
  const next: NextState = {
    model,
    stored,
    body: resource,
    collections: { known, wanted },
    long,
    secrets: await hashing.planned(secrets),
    kind: "patched",
  };
  await letOthers();
  const plan = planUpdate(environment, context, next);
  await letOthers();
  return { plan, next };
}

/** The same, where the lists that were staged are read as what was found in them. */
function readingStaged(binding: BindingContext, lists: StagedLists): BindingContext {
  const decode: DecodeContext = { ...binding.decode, readBefore: (node, raw) => lists.take(node, raw) };
  return { ...binding, decode };
}

function withCollections(body: JsonObject, known: CollectionValues): JsonObject {
  const whole = copyObject(body);
  putCollections(known, whole);
  return whole;
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
