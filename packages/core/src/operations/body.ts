/**
 * Reads the whole resource of a POST or PUT: names, schemas, types, values, in this order.
 * @module
 */
import { isJsonObject, isJsonArray, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { decodeMembers, type DecodeContext } from "../attributes/decode.ts";
import {
  isMutableObject,
  memberOf,
  own,
  ownMutable,
  type MutableObject,
  type MutableValue,
} from "../attributes/json-object.ts";
import { settleResource } from "../attributes/settle.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { GivenAttributes } from "../projection/given-attributes.ts";
import type { StagedBody } from "../requests.ts";
import { StagedLists } from "./long-body/staged-lists.ts";
import { takeRequestSecrets, type RequestSecrets } from "../secrets/request-secrets.ts";
import type { ResourceContext } from "../validation/json-schema.ts";

/** A resource as sent, in normal form and valid, collections included and secrets gone. */
export interface ReadBody {
  readonly resource: MutableObject;
  /** Attributes returned on request that the body gave. */
  readonly given: ReadonlySet<AttributeNode>;
  /** Attributes of the resource and of extensions that the body did not give, and that have their default. */
  readonly defaulted: ReadonlySet<AttributeNode>;
  /** The secrets that were taken out. */
  readonly secrets: RequestSecrets;
  /** The collections whose values were staged: in the resource stand examples of them. */
  readonly staged: ReadonlySet<AttributeNode>;
}

/** A body, and what it is read as. */
export interface BodyRequest {
  readonly model: ResourceModel;
  readonly body: JsonValue;
  /** Where long lists were staged. */
  readonly staged?: StagedBody | undefined;
}

/** How the body of one kind of request treats readOnly attributes. */
export type ReadOnlyRule = (node: AttributeNode, value: JsonValue) => void;

/** How the body of one kind of request is read. */
export interface BodyReading extends BodyRequest {
  readonly onReadOnly: ReadOnlyRule;
  /** What it must hold: see `SchemaContext`. */
  readonly as: Exclude<ResourceContext, "result">;
}

/**
 * Reads a body.
 * @throws ScimError `invalidSyntax`, `invalidValue` or `mutability` naming the attribute
 */
export function readBody(environment: Environment, request: BodyReading, context: RequestContext): ReadBody {
  const { model, body } = request;
  const staged = new StagedLists(request.staged, context);
  if (!isJsonObject(body))
    throw new ScimError("invalidSyntax", "The body must be a JSON object that holds one resource.");
  checkSchemas(model, body, context);
  const decode: DecodeContext = {
    model,
    profile: context.profile,
    onSwitch: context.onSwitch,
    unknownCode: "invalidSyntax",
    onReadOnly: request.onReadOnly,
    readBefore: (node, raw) => staged.take(node, raw),
    bound: { maxValues: environment.limits.attributeValues },
    // Not deleted afterwards: an object that lost a member is slow to go through from then on.
    leftOut: model.members.get("schemas"),
  };
  const resource = decodeMembers(body, { members: model.members, prefix: "" }, decode);
  const given = new GivenAttributes(model);
  given.addAll(resource);
  const defaulted = applyDefaults(model, resource);
  staged.explain(() => environment.validator.resource(model, resource, request.as));
  settleResource(model, resource, {
    profile: context.profile,
    onSwitch: context.onSwitch,
    maxValues: environment.limits.attributeValues,
    touched: null,
  });
  const secrets = takeRequestSecrets(environment, model, { resource });
  return { resource, given: given.nodes, defaulted, secrets, staged: staged.nodes };
}

/** Attributes that clients send back as they read them. */
const SERVICE_SET: ReadonlySet<string> = new Set(["id", "meta"]);

/**
 * Reads the body of a POST.
 * @throws ScimError as {@link readBody}, and `mutability` for a readOnly attribute
 */
export function readNewBody(
  environment: Environment,
  request: BodyRequest,
  context: RequestContext,
): ReadBody {
  const onReadOnly = (node: AttributeNode): void => {
    refuseReadOnly(node, context);
  };
  return readBody(environment, { ...request, onReadOnly, as: "input" }, context);
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

/** `schemas` must be there and name schemas of the resource type (RFC 7643 §3). */
function checkSchemas(model: ResourceModel, body: JsonObject, context: RequestContext): void {
  const schemas = own(body, "schemas") ?? memberOf(body, "schemas");
  if (schemas === undefined && context.profile.switches.has("missing-schemas")) {
    context.onSwitch("missing-schemas", "schemas");
    return;
  }
  if (!isJsonArray(schemas) || schemas.length === 0 || !schemas.every((urn) => typeof urn === "string")) {
    throw new ScimError(
      "invalidSyntax",
      `'schemas' must be a list of schema URNs, with ${model.schema} among them.`,
    );
  }
  const base = model.schema.toLowerCase();
  const isBase = (urn: string): boolean => urn === model.schema || urn.toLowerCase() === base;
  const unknown = schemas.find((urn) => !isBase(urn) && !model.extensions.has(urn.toLowerCase()));
  const hasBase = schemas.some(isBase);
  if (unknown === undefined && hasBase) return;
  if (!context.profile.switches.has("unknown-attributes")) {
    throw new ScimError(
      "invalidSyntax",
      unknown === undefined
        ? `'schemas' must name ${model.schema}, the schema of ${model.name}.`
        : `'schemas' names a schema that ${model.name} does not have: leave it out, or add it to the resource type.`,
    );
  }
  context.onSwitch("unknown-attributes", "schemas");
}

/**
 * Sets the annotated defaults of attributes that have no value, and tells which of them are no sub-attributes. They
 * make an extension that was left out, unless it would lack what it requires; they make no complex value.
 */
function applyDefaults(model: ResourceModel, resource: MutableObject): ReadonlySet<AttributeNode> {
  const applied = new Set<AttributeNode>();
  for (const node of model.defaulted) {
    const value = node.annotation.default;
    if (value === undefined) continue;
    if (node.parent !== null) {
      applyWithin(resource, node.keys, value);
      continue;
    }
    const held = node.extension === null ? resource : ownMutable(resource, node.extension);
    if (!isMutableObject(held) && lacksRequired(model, node)) continue;
    const holder = isMutableObject(held) ? held : {};
    if (Object.hasOwn(holder, node.attribute.name)) continue;
    holder[node.attribute.name] = value;
    if (node.extension !== null) resource[node.extension] = holder;
    applied.add(node);
  }
  return applied;
}

/** Sets the default of a sub-attribute in each complex value that is there. */
export function applyWithin(
  value: MutableValue | undefined,
  keys: readonly string[],
  standard: string | number | boolean,
): void {
  if (Array.isArray(value)) for (const each of value) applyWithin(each, keys, standard);
  const [key, ...rest] = keys;
  if (key === undefined || !isMutableObject(value)) return;
  if (rest.length > 0) applyWithin(ownMutable(value, key), rest, standard);
  else if (!Object.hasOwn(value, key)) value[key] = standard;
}

/** Whether an extension that holds defaults alone is not valid: another of its attributes is required. */
function lacksRequired(model: ResourceModel, { extension }: AttributeNode): boolean {
  const attributes = model.extensions.get(extension?.toLowerCase() ?? "")?.node.subAttributes.values() ?? [];
  return [...attributes].some(
    ({ attribute, annotation }) =>
      attribute.required && attribute.mutability !== "readOnly" && annotation.default === undefined,
  );
}
