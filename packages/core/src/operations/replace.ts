/**
 * Replaces a resource (RFC 7644 §3.5.1).
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { withKeptDetails } from "../attributes/reference-details.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { inStoredOrder, takeCollections } from "../plan/collections.ts";
import { boundedSelection, isWhole } from "../projection/bounded-selection.ts";
import { readSelection } from "../projection/read-selection.ts";
import { selectAttributes } from "../projection/selection.ts";
import type { ResourceAnswer } from "../answers.ts";
import type { ReplaceRequest } from "../requests.ts";
import { SecretHashing } from "../secrets/request-secrets.ts";
import { capabilitiesOf } from "../store/capabilities.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import { answerWith } from "./answer.ts";
import { readBody } from "./body.ts";
import { changeResource, type PlannedChange } from "./change-resource.ts";
import { keepReferences } from "./immutable-references.ts";
import { planLongReplacement } from "./long-body/long-replacement.ts";
import { RequestStage } from "./long-body/staged-changes.ts";
import { answerPresent } from "./long-collections.ts";
import { prepareForBody } from "./prepare-validation.ts";
import { notFound } from "./refusals.ts";
import { replacedBody, type Replacement } from "./replaced-body.ts";
import { afterWrite, planUpdate, type NextState } from "./update-plan.ts";

/** Replaces a resource by the body. */
export async function replaceResource(
  environment: Environment,
  context: RequestContext,
  request: ReplaceRequest,
): Promise<ResourceAnswer> {
  const model = environment.catalog.model(request.type);
  const readOnly = new Map<AttributeNode, JsonValue>();
  const onReadOnly = (node: AttributeNode, value: JsonValue): void => {
    readOnly.set(node, value);
  };
  await prepareForBody(environment, { model, body: request.body }, context);
  const read = readBody(
    environment,
    { model, body: request.body, staged: request.staged, onReadOnly, as: "input" },
    context,
  );
  const { resource, given, defaulted, staged } = read;
  const selection = selectAttributes(model, { ...request, given }, context);
  const wanted = takeCollections(model, resource);
  // Before the turn of the resource, which others wait for.
  const secrets = await new SecretHashing(environment, context).planned(read.secrets);
  const replacement: Replacement = { model, selection, body: resource, wanted, secrets, defaulted, readOnly };
  const all = {
    ...readSelection(model, selection, environment.limits.groups),
    collections: model.collections.map(({ node }) => node.path),
  };
  // What is too long to be held is exchanged by a stage: where there is none, it is held.
  const isStaging = capabilitiesOf(environment.store, model.name).staging;
  const select = isStaging ? boundedSelection(environment, request, all) : all;
  const stage = new RequestStage(environment, context, request.staged);
  let answer: ResourceAnswer;
  try {
    answer = await changeResource<ResourceAnswer>(environment, context, {
      model,
      id: request.id,
      precondition: request.precondition,
      select,
      plan: (stored) =>
        staged.size === 0 && isWhole(stored, select)
          ? planReplacement(environment, context, { ...replacement, stored })
          : planLongReplacement(environment, context, { ...replacement, stored, staged, stage }),
    });
  } finally {
    await stage.close();
  }
  if (answer.isPartial !== true) return answer;
  const present = await answerPresent(environment, context, {
    model,
    selection,
    select: boundedSelection(
      environment,
      request,
      readSelection(model, selection, environment.limits.groups),
    ),
    id: request.id,
    instead: answer,
  });
  if (present === null) throw notFound(model);
  return present;
}

/** Plans how a resource becomes what a body says. */
export function planReplacement(
  environment: Environment,
  context: RequestContext,
  input: Replacement & { readonly stored: StoredResource },
): PlannedChange<ResourceAnswer> {
  const { model, stored, selection, secrets } = input;
  const body = replacedBody(input, context);
  const known = new Map(model.collections.map(({ node }) => [node, stored.collections.get(node.path) ?? []]));
  const given = new Map(
    [...input.wanted].map(([node, after]) => [
      node,
      withKeptDetails(node, { before: known.get(node) ?? [], after }, context),
    ]),
  );
  const bodies = { before: stored.body, sent: input.body, after: body };
  const wanted = keepReferences({ model, body: bodies, known, wanted: given });
  const next: NextState = {
    model,
    stored,
    body,
    collections: { known, wanted },
    secrets,
    kind: "replaced",
  };
  return {
    plan: planUpdate(environment, context, next),
    next,
    outcome: (written) => {
      const collections = new Map(
        [...known].map(([node, values]) => [node.path, inStoredOrder(values, wanted.get(node) ?? [])]),
      );
      const after = afterWrite({ ...stored, collections }, written);
      return answerWith(environment, { model, stored: after, selection }, context);
    },
  };
}
