/**
 * Changes a resource by PATCH operations (RFC 7644 §3.5.2): all of them, or none.
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { boundedSelection } from "../projection/bounded-selection.ts";
import { GivenAttributes } from "../projection/given-attributes.ts";
import { readSelection } from "../projection/read-selection.ts";
import { locationOf } from "../projection/addresses.ts";
import { selectAttributes, shownOfAttribute, type Selection } from "../projection/selection.ts";
import type { NoContentAnswer, ResourceAnswer } from "../answers.ts";
import type { PatchRequest } from "../requests.ts";
import type { ReadSelection } from "../store/port.ts";
import type { ReferenceValue, StoredResource } from "../store/stored-resource.ts";
import { capabilitiesOf } from "../store/capabilities.ts";
import { scopeOf } from "../store/scope.ts";
import { answerWith } from "./answer.ts";
import { answerPresent, readAfterChange } from "./long-collections.ts";
import { changeResource } from "./change-resource.ts";
import { hasStagedCollections } from "./long-body/body-reader.ts";
import { RequestStage } from "./long-body/staged-changes.ts";
import { stageList } from "./long-patch/stage-list.ts";
import { bindPatch, planPatch, type BoundPatch } from "./patch-plan.ts";
import { afterWrite } from "./update-plan.ts";

type PatchAnswer = ResourceAnswer | NoContentAnswer;

/** Changes a resource. */
export async function patchResource(
  environment: Environment,
  context: RequestContext,
  request: PatchRequest,
): Promise<PatchAnswer> {
  const model = environment.catalog.model(request.type);
  const patch = await bindPatch(environment, context, { model, id: request.id, body: request.body });
  const given = new GivenAttributes(model);
  for (const {
    target,
    change: { value },
  } of patch.operations) {
    const { attribute, sub } = target;
    given.add(attribute, sub === null ? value : { [sub.attribute.name]: value ?? null });
  }
  const selection = selectAttributes(model, { ...request, given: given.nodes }, context);
  const select = { ...readSelection(model, selection, environment.limits.groups), collections: [] };
  const patched = await change(environment, context, { request, model, patch, select });
  return answer(environment, context, { request, model, selection, patched });
}

interface ChangeInput {
  readonly request: PatchRequest;
  readonly model: ResourceModel;
  readonly patch: BoundPatch;
  readonly select: ReadSelection;
}

async function change(
  environment: Environment,
  context: RequestContext,
  { request, model, patch, select }: ChangeInput,
): Promise<StoredResource> {
  const stage = stageFor(environment, context, { request, model });
  const { id, precondition } = request;
  try {
    // Before the turn of the resource, which others wait for.
    const staging = stage && { stage, lists: await stageList(environment, context, { patch, stage }) };
    return await changeResource(environment, context, {
      model,
      id,
      precondition,
      select,
      plan: async (stored) => {
        const planned = await planPatch(environment, context, { patch, stored, staging });
        return { ...planned, outcome: (written) => afterWrite(stored, written) };
      },
    });
  } finally {
    await stage?.close();
  }
}

/** Where long collections are staged, for callers that need not be told of them; what is tried out cannot be. */
function stageFor(
  environment: Environment,
  context: RequestContext,
  { request, model }: { readonly request: PatchRequest; readonly model: ResourceModel },
): RequestStage | undefined {
  const isOpen = request.streams === true && hasStagedCollections(model);
  if (!isOpen || !capabilitiesOf(environment.store, model.name).staging) return undefined;
  return new RequestStage(environment, context, undefined);
}

interface AnswerInput {
  readonly request: PatchRequest;
  readonly model: ResourceModel;
  readonly selection: Selection;
  readonly patched: StoredResource;
}

function answer(environment: Environment, context: RequestContext, input: AnswerInput): Promise<PatchAnswer> {
  const { model, patched } = input;
  const withoutBody: NoContentAnswer = {
    kind: "noContent",
    version: patched.version,
    location: locationOf(model, patched.id, context.baseUrl),
  };
  return readAfterChange(withoutBody, () => readAnswer(environment, context, { ...input, withoutBody }));
}

async function readAnswer(
  environment: Environment,
  context: RequestContext,
  input: AnswerInput & { readonly withoutBody: NoContentAnswer },
): Promise<PatchAnswer> {
  const { request, model, selection, patched, withoutBody } = input;
  if (selection.asked || request.prefer === "representation") {
    if (request.streams === true) {
      const select = boundedSelection(
        environment,
        request,
        readSelection(model, selection, environment.limits.groups),
      );
      const present = { model, selection, select, id: patched.id, instead: withoutBody };
      return (await answerPresent(environment, context, present)) ?? withoutBody;
    }
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
