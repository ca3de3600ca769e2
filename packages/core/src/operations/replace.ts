/**
 * Replaces a resource (RFC 7644 §3.5.1).
 * @module
 */
import { ScimError, type JsonValue } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { equalValues } from "../attributes/equal.ts";
import {
  copyObject,
  isMutableObject,
  ownMutable,
  valueAt,
  type MutableObject,
} from "../attributes/json-object.ts";
import { withKeptDetails } from "../attributes/reference-details.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { inStoredOrder, takeCollections, type CollectionValues } from "../plan/collections.ts";
import { readSelection } from "../projection/represent.ts";
import { selectAttributes, type Selection } from "../projection/selection.ts";
import type { ReplaceRequest, ResourceAnswer } from "../service.ts";
import type { StoredResource } from "../store/port.ts";
import { answerWith } from "./answer.ts";
import { readBody } from "./body.ts";
import { changeResource, type PlannedChange } from "./change-resource.ts";
import { keepImmutable, keepReadOnly } from "../attributes/immutable.ts";
import { keepReferences } from "./immutable-references.ts";
import { afterWrite, planUpdate, type NextState } from "./update-plan.ts";

interface Replacement {
  readonly model: ResourceModel;
  readonly selection: Selection;
  /** As sent, without collections. */
  readonly body: MutableObject;
  readonly wanted: CollectionValues;
  readonly secrets: readonly string[];
  /** Attributes whose value in the body is their default. */
  readonly defaulted: ReadonlySet<AttributeNode>;
  /** ReadOnly values of the body, which must not differ where the profile does not ignore them. */
  readonly readOnly: ReadonlyMap<AttributeNode, JsonValue>;
}

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
  const { resource, given, defaulted, secrets } = readBody(
    environment,
    { model, body: request.body, onReadOnly },
    context,
  );
  const selection = selectAttributes(model, { ...request, given }, context);
  const wanted = takeCollections(model, resource);
  const replacement: Replacement = { model, selection, body: resource, wanted, secrets, defaulted, readOnly };
  return changeResource(environment, context, {
    model,
    id: request.id,
    precondition: request.precondition,
    select: {
      ...readSelection(model, selection, environment.limits.groups),
      collections: model.collections.map(({ node }) => node.path),
    },
    plan: (stored) => planReplacement(environment, context, { ...replacement, stored }),
  });
}

/** Plans how a resource becomes what a body says. */
export function planReplacement(
  environment: Environment,
  context: RequestContext,
  input: Replacement & { readonly stored: StoredResource },
): PlannedChange<ResourceAnswer> {
  const { model, stored, selection, secrets } = input;
  checkReadOnly(input, context);
  const body = copyObject(input.body);
  dropDefaults(input, body);
  keepReadOnly(model.members, stored.body, body);
  keepImmutable(model.members, stored.body, body);
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

/** A default gives way to the immutable value that the resource has (RFC 7644 §3.5.1). */
function dropDefaults(
  { defaulted, stored }: Replacement & { readonly stored: StoredResource },
  body: MutableObject,
): void {
  for (const { attribute, extension, keys } of defaulted) {
    const holder = extension === null ? body : ownMutable(body, extension);
    if (attribute.mutability !== "immutable" || valueAt(stored.body, keys) === undefined) continue;
    if (isMutableObject(holder)) delete holder[attribute.name];
  }
}

/** `meta` and derived attributes are ignored; others that differ are refused unless the profile ignores them too. */
function checkReadOnly(
  input: Replacement & { readonly stored: StoredResource },
  context: RequestContext,
): void {
  for (const [node, value] of input.readOnly) {
    if (node.storage === "inverse" || (node.storage === "column" && node.attribute.name === "meta")) continue;
    const current =
      node.attribute.name === "id" && node.storage === "column"
        ? input.stored.id
        : valueAt(input.stored.body, node.keys);
    if (equalValues(value, current)) continue;
    if (!context.profile.switches.has("ignore-read-only")) {
      throw new ScimError(
        "mutability",
        `Attribute '${node.path}' is readOnly: send its present value, or leave it out.`,
      );
    }
    context.onSwitch("ignore-read-only", node.path);
  }
}
