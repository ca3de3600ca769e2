/**
 * Makes what a body is checked by before it is read: of a type of thousands of attributes in steps, between which others have their
 * turn.
 * @module
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { isMutableObject, own, ownMutable, type MutableObject } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { inSteps } from "../pause.ts";
import { hasMany, type ResourceContext } from "../validation/json-schema.ts";

/** A body that is about to be read. */
export interface ComingBody {
  readonly model: ResourceModel;
  readonly body: JsonValue;
}

/** Prepares the validator for a body as it was sent; the attributes that defaults add are expected too. */
export async function prepareForBody(
  environment: Environment,
  { model, body }: ComingBody,
  context: RequestContext,
): Promise<void> {
  if (!hasMany(model) || !isJsonObject(body)) return;
  const named = namedIn(body, model.members);
  for (const node of model.defaulted) nameDefault(named, node);
  await prepareForResource(environment, { model, resource: named, as: "input" }, context);
}

/** Names an attribute that has a default, also in an extension that was left out. */
function nameDefault(
  named: MutableObject,
  { extension, keys: [first = "", second = ""] }: AttributeNode,
): void {
  const held = ownMutable(named, first);
  if (extension === null) named[first] = true;
  else if (held === undefined) named[first] = { [second]: true };
  else if (isMutableObject(held)) held[second] = true;
}

/** A resource that is about to be checked. */
export interface ComingResource {
  readonly model: ResourceModel;
  readonly resource: JsonObject;
  readonly as: ResourceContext;
}

/** Prepares the validator for a resource. */
export async function prepareForResource(
  { validator }: Environment,
  { model, resource, as }: ComingResource,
  context: RequestContext,
): Promise<void> {
  const steps = validator.prepare(model, resource, as);
  if (steps !== null) await inSteps(context, () => steps.next());
}

/** The attributes that an object names, in the schema's spelling: those of extensions within them. */
function namedIn(object: JsonObject, members: ReadonlyMap<string, AttributeNode>): MutableObject {
  const named: MutableObject = {};
  for (const key of Object.keys(object)) {
    const node = members.get(key.toLowerCase());
    if (node === undefined) continue;
    const value = own(object, key);
    const isExtension = node.path === node.extension && isJsonObject(value);
    named[node.attribute.name] = isExtension ? namedIn(value, node.subAttributes) : true;
  }
  return named;
}
