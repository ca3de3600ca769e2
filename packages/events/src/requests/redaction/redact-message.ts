/**
 * Redacts the messages of the protocol (RFC 7644 §8): resources, PATCH operations, bulk jobs, searches, lists, errors.
 * @module
 */
import type { ModelCatalog, ResourceModel } from "@scim/core";
import {
  BULK_REQUEST_URN,
  BULK_RESPONSE_URN,
  ERROR_URN,
  isJsonArray,
  isJsonObject,
  isSameUrn,
  type JsonObject,
  type JsonValue,
  LIST_RESPONSE_URN,
  PATCH_OP_URN,
  SEARCH_REQUEST_URN,
} from "@scim/schemas";
import { redactFilter, redactNames, redactPath } from "./redact-filter.ts";
import type { Redaction } from "./redaction.ts";
import {
  NO_NODES,
  redactMembers,
  redactValue,
  shownMembers,
  shownValues,
  type ValuePlace,
} from "./redact-value.ts";

/** How a message is read. */
export interface MessageReading {
  readonly redaction: Redaction;
  readonly catalog: ModelCatalog;
  /** The resource type that the address names; null for none. */
  readonly model: ResourceModel | null;
}

/** Redacts a request's body. A PATCH is one whatever its `schemas` say. */
export function redactRequest(reading: MessageReading, method: string, body: JsonValue): JsonValue {
  if (method === "PATCH" && isJsonObject(body)) return redactPatch(reading, body);
  return redactMessage(reading, body);
}

/** Redacts a message by its `schemas`; what is none of the protocol's is a resource. */
export function redactMessage(reading: MessageReading, body: JsonValue): JsonValue {
  if (!isJsonObject(body)) return redactValue(reading.redaction, body, { node: undefined, path: "" });
  const redact = messageIn(body);
  return redact === undefined ? redactResource(reading, body) : redact(reading, body);
}

/** How the message is redacted that a body says it is; undefined for a resource. */
function messageIn(body: JsonObject): Redact | undefined {
  for (const urn of schemasOf(body)) {
    const redact = MESSAGES.get(urn.toLowerCase());
    if (redact !== undefined) return redact;
  }
  return undefined;
}

function redactResource({ redaction, catalog, model }: MessageReading, body: JsonObject): JsonObject {
  const nodes = (model ?? modelOf(catalog, body))?.members ?? NO_NODES;
  return redactMembers(redaction, { object: body, path: "" }, nodes);
}

/** The type of a resource whose address does not tell it. */
function modelOf(catalog: ModelCatalog, body: JsonObject): ResourceModel | null {
  const urns = schemasOf(body);
  return catalog.models().find(({ schema }) => urns.some((urn) => isSameUrn(urn, schema))) ?? null;
}

function redactPatch({ redaction, model }: MessageReading, body: JsonObject): JsonObject {
  return shownMembers(redaction, { object: body, path: "" }, (name, value, path) => {
    if (name.toLowerCase() !== "operations") return plainly(redaction, value);
    const list = isJsonArray(value) ? value : [value];
    return shownValues(redaction, { list, path }, (each) =>
      redactOperation({ redaction, model }, each, path),
    );
  });
}

function redactOperation(
  { redaction, model }: Pick<MessageReading, "redaction" | "model">,
  operation: JsonValue,
  place: string,
): JsonValue {
  if (!isJsonObject(operation)) return redactValue(redaction, operation, { node: undefined, path: place });
  const path = memberOf(operation, "path");
  const target = typeof path === "string" ? redactPath(redaction, path, model) : null;
  return shownMembers(redaction, { object: operation, path: place }, (name, value, at) => {
    switch (name.toLowerCase()) {
      case "op":
        return typeof value === "string" && /^(?:add|remove|replace)$/i.test(value)
          ? redaction.plain(value)
          : redactValue(redaction, value, { node: undefined, path: at });
      case "path":
        return target === null ? redactValue(redaction, value, { node: undefined, path: at }) : target.text;
      case "value":
        if (target !== null) return redactTarget(redaction, value, { node: target.node, path: at });
        return isJsonObject(value)
          ? redactPaths({ redaction, model }, value, at)
          : redactValue(redaction, value, { node: undefined, path: at });
      default:
        return redactValue(redaction, value, { node: undefined, path: at });
    }
  });
}

/** The value of an attribute, or an object that holds it once more by its name, as in `{"members": […]}`. */
function redactTarget(redaction: Redaction, value: JsonValue, place: ValuePlace): JsonValue {
  const { node, path } = place;
  if (!isJsonObject(value) || node === undefined) return redactValue(redaction, value, place);
  const nodes = new Map([[node.attribute.name.toLowerCase(), node], ...node.subAttributes]);
  return redactMembers(redaction, { object: value, path }, nodes);
}

/** A value without a path: its names are those of attributes, or paths of their own. */
function redactPaths(
  { redaction, model }: Pick<MessageReading, "redaction" | "model">,
  value: JsonObject,
  path: string,
): JsonObject {
  return shownMembers(redaction, { object: value, path }, (name, each, at) => {
    const node = model?.members.get(name.toLowerCase()) ?? redactPath(redaction, name, model).node;
    return redactValue(redaction, each, { node, path: at });
  });
}

function redactBulk(reading: MessageReading, body: JsonObject): JsonObject {
  const { redaction } = reading;
  return shownMembers(redaction, { object: body, path: "" }, (name, value, path) => {
    if (name.toLowerCase() !== "operations" || !isJsonArray(value)) return plainly(redaction, value);
    return shownValues(redaction, { list: value, path }, (each) =>
      isJsonObject(each) ? redactBulkOperation(reading, each, path) : null,
    );
  });
}

function redactBulkOperation(reading: MessageReading, operation: JsonObject, place: string): JsonObject {
  const { redaction, catalog } = reading;
  const address = memberOf(operation, "path") ?? memberOf(operation, "location");
  const method = memberOf(operation, "method");
  const model = typeof address === "string" ? modelAt(catalog, address) : null;
  const inner = { redaction, catalog, model };
  return shownMembers(redaction, { object: operation, path: place }, (name, value) => {
    switch (name.toLowerCase()) {
      case "data":
        return redactRequest(inner, typeof method === "string" ? method.toUpperCase() : "", value);
      case "response":
        return redactMessage(inner, value);
      case "path":
        return typeof value === "string" ? shownAddress(inner, value) : null;
      case "bulkid":
        return typeof value === "string" ? redaction.personal(value) : null;
      case "method":
      case "version":
      case "location":
      case "status":
        return plainly(redaction, value);
      default:
        return redactValue(redaction, value, { node: undefined, path: place });
    }
  });
}

/** The resource type that an address names, by one of its segments. */
function modelAt(catalog: ModelCatalog, address: string): ResourceModel | null {
  const segments = new Set(address.split("/").map((segment) => `/${segment}`));
  return catalog.models().find(({ definition }) => segments.has(definition.endpoint)) ?? null;
}

/** The path of a bulk operation: an endpoint, and behind it an id or a bulkId. */
function shownAddress({ redaction, model }: MessageReading, path: string): string {
  const [, endpoint, id] = /^\/(\w{1,63})(?:\/(.+))?$/.exec(path) ?? [];
  if (endpoint === undefined) return redaction.personal(path);
  const isKnown = model?.definition.endpoint === `/${endpoint}` || endpoint === "Me";
  const shown = `/${isKnown ? redaction.plain(endpoint) : redaction.personal(endpoint)}`;
  return id === undefined ? shown : `${shown}/${redaction.name(id)}`;
}

function redactSearch({ redaction, model }: MessageReading, body: JsonObject): JsonObject {
  return shownMembers(redaction, { object: body, path: "" }, (name, value, path) => {
    switch (name.toLowerCase()) {
      case "filter":
        return typeof value === "string" ? redactFilter(redaction, value, model) : plainly(redaction, value);
      case "attributes":
      case "excludedattributes":
        return isJsonArray(value)
          ? shownValues(redaction, { list: value, path }, (each) =>
              typeof each === "string" ? redactNames(redaction, each) : null,
            )
          : null;
      case "sortby":
        return typeof value === "string" ? redactNames(redaction, value) : null;
      case "schemas":
      case "sortorder":
      case "startindex":
      case "count":
        return plainly(redaction, value);
      default:
        return redactValue(redaction, value, { node: undefined, path });
    }
  });
}

function redactList(reading: MessageReading, body: JsonObject): JsonObject {
  const { redaction } = reading;
  return shownMembers(redaction, { object: body, path: "" }, (name, value, path) => {
    if (name !== "Resources" || !isJsonArray(value)) return plainly(redaction, value);
    return shownValues(redaction, { list: value, path }, (each) => redactMessage(reading, each));
  });
}

/** The service writes them, and no value that was sent stands in them. */
function redactError(redaction: Redaction, body: JsonObject): JsonObject {
  return shownMembers(redaction, { object: body, path: "" }, (name, value) => {
    if (typeof value !== "string") return plainly(redaction, value);
    return name.endsWith("Version") ? redaction.version(value) : shownDetail(redaction, value);
  });
}

/** What a detail quotes is a path; a client may have written anything in its place. */
function shownDetail(redaction: Redaction, detail: string): string {
  const shown = detail.replaceAll(/'([^']*)'/g, (quoted, text: string) =>
    /^[\w:.$[\]…/-]{0,300}$/.test(text) ? quoted : `'${redaction.personal(text)}'`,
  );
  return redaction.plain(shown);
}

/** What the protocol says, and no person: its texts, numbers, lists of texts. */
function plainly(redaction: Redaction, value: JsonValue): JsonValue {
  if (typeof value === "string") return redaction.name(value);
  if (isJsonArray(value)) {
    return shownValues(redaction, { list: value, path: "" }, (each) => plainly(redaction, each));
  }
  if (isJsonObject(value)) return redactMembers(redaction, { object: value, path: "" }, NO_NODES);
  return value;
}

type Redact = (reading: MessageReading, body: JsonObject) => JsonObject;

/** The messages of the protocol by URN in lower case. */
const MESSAGES: ReadonlyMap<string, Redact> = new Map(
  (
    [
      [PATCH_OP_URN, redactPatch],
      [BULK_REQUEST_URN, redactBulk],
      [BULK_RESPONSE_URN, redactBulk],
      [SEARCH_REQUEST_URN, redactSearch],
      [LIST_RESPONSE_URN, redactList],
      [ERROR_URN, ({ redaction }, body) => redactError(redaction, body)],
    ] satisfies readonly (readonly [string, Redact])[]
  ).map(([urn, redact]) => [urn.toLowerCase(), redact]),
);

function schemasOf(body: JsonObject): readonly string[] {
  const schemas = memberOf(body, "schemas");
  return schemas !== undefined && isJsonArray(schemas)
    ? schemas.filter((urn) => typeof urn === "string")
    : [];
}

/** A member by its name, which is in lower case here, in any letter case. */
function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  if (Object.hasOwn(object, name)) return object[name];
  const spelled = Object.keys(object).find((each) => each.toLowerCase() === name);
  return spelled === undefined ? undefined : object[spelled];
}
