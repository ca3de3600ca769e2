/**
 * Redacts the messages of the protocol (RFC 7644 §8): resources, PATCH operations, bulk jobs, searches, lists, errors, and dry runs.
 * @module
 */
import type { ModelCatalog, ResourceModel } from "@scim/core";
import {
  BULK_REQUEST_URN,
  BULK_RESPONSE_URN,
  DRY_RUN_RESPONSE_URN,
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
import { redactError } from "./redact-error.ts";
import { redactFilter, redactNames } from "./redact-filter.ts";
import { redactOperation, redactPatch } from "./redact-patch.ts";
import { modelAt } from "./redact-target.ts";
import type { Redaction } from "./redaction.ts";
import {
  memberOf,
  NO_NODES,
  redactMembers,
  redactPlain,
  redactValue,
  shownMembers,
  shownValues,
} from "./redact-value.ts";

/** How a message is read. */
export interface MessageReading {
  readonly redaction: Redaction;
  readonly catalog: ModelCatalog;
  /** The resource type that the address names; null for none. */
  readonly model: ResourceModel | null;
}

/**
 * Redacts a request's body. A PATCH is one whatever its `schemas` say, and no request is an answer: of those the service wrote
 * more, which is shown.
 */
export function redactRequest(reading: MessageReading, method: string, body: JsonValue): JsonValue {
  if (method === "PATCH" && isJsonObject(body)) return redactPatch(reading, body);
  return redactMessage(reading, body, REQUESTS);
}

/** Redacts the body of an answer. */
export function redactAnswer(reading: MessageReading, body: JsonValue): JsonValue {
  return redactMessage(reading, body, ANSWERS);
}

/** Redacts a message by its `schemas`; what is none of those that may stand there is a resource. */
function redactMessage(reading: MessageReading, body: JsonValue, messages: Messages): JsonValue {
  if (!isJsonObject(body)) return redactValue(reading.redaction, body, { node: undefined, path: "" });
  for (const urn of schemasOf(body)) {
    const redact = messages.get(urn.toLowerCase());
    if (redact !== undefined) return redact(reading, body);
  }
  return redactResource(reading, body);
}

function redactResource({ redaction, catalog, model }: MessageReading, body: JsonObject): JsonObject {
  const nodes = (model ?? modelOf(catalog, body))?.members ?? NO_NODES;
  return redactMembers(redaction, { object: body, path: "" }, nodes);
}

/** The type of a resource whose address does not tell it. */
function modelOf(catalog: ModelCatalog, body: JsonObject): ResourceModel | null {
  const urns = schemasOf(body);
  const found = catalog.definitions().find(({ schema }) => urns.some((urn) => isSameUrn(urn, schema)));
  return found === undefined ? null : catalog.model(found.name);
}

/** How an operation is read: its method in upper case. */
interface OperationReading extends MessageReading {
  readonly method: string;
}

/** Shows what requests and answers do not share of a bulk operation, by its name in lower case; undefined for what is unknown. */
type ShowBulkMember = (of: OperationReading, name: string, value: JsonValue) => JsonValue | undefined;

function redactBulk(
  { redaction, catalog }: MessageReading,
  body: JsonObject,
  show: ShowBulkMember,
): JsonObject {
  return shownMembers(redaction, { object: body, path: "" }, (name, value, path) => {
    switch (name.toLowerCase()) {
      case "schemas":
      case "failonerrors":
        return redactPlain(redaction, value);
      case "operations":
        return isJsonArray(value)
          ? shownValues(redaction, { list: value, path }, (each) =>
              isJsonObject(each) ? redactBulkOperation({ redaction, catalog, show }, each, path) : null,
            )
          : redactValue(redaction, value, { node: undefined, path });
      default:
        return redactValue(redaction, value, { node: undefined, path });
    }
  });
}

function redactBulkOperation(
  { redaction, catalog, show }: Omit<MessageReading, "model"> & { readonly show: ShowBulkMember },
  operation: JsonObject,
  place: string,
): JsonObject {
  const address = memberOf(operation, "path") ?? memberOf(operation, "location");
  const stated = memberOf(operation, "method");
  const method = typeof stated === "string" ? stated.toUpperCase() : "";
  const model = typeof address === "string" ? modelNamed(catalog, address) : null;
  return shownMembers(redaction, { object: operation, path: place }, (name, value) => {
    switch (name.toLowerCase()) {
      case "bulkid":
        return typeof value === "string" ? redaction.personal(value) : null;
      case "method":
      case "version":
        return typeof value === "string" ? redaction.name(value) : null;
      default:
        return (
          show({ redaction, catalog, model, method }, name.toLowerCase(), value) ??
          redactValue(redaction, value, { node: undefined, path: place })
        );
    }
  });
}

function ofBulkRequest(of: OperationReading, name: string, value: JsonValue): JsonValue | undefined {
  if (name === "data") return redactRequest(of, of.method, value);
  if (name === "path") return typeof value === "string" ? shownAddress(of, value) : null;
  return undefined;
}

function ofBulkAnswer(of: MessageReading, name: string, value: JsonValue): JsonValue | undefined {
  if (name === "response") return redactAnswer(of, value);
  if (name === "status" || name === "location") return redactPlain(of.redaction, value);
  return undefined;
}

/** Segments of an address that are looked at. */
const MOST_SEGMENTS = 50;

/** The resource type that an address names, by one of its segments. */
function modelNamed(catalog: ModelCatalog, address: string): ResourceModel | null {
  const segments = new Set(address.split("/", MOST_SEGMENTS).map((segment) => `/${segment}`));
  return modelAt(catalog, (endpoint) => segments.has(endpoint));
}

/** The path of a bulk operation: an endpoint, and behind it an id or a bulkId. */
function shownAddress({ redaction, model }: MessageReading, path: string): string {
  const [, endpoint, id] = /^\/(\w{1,63})(?:\/(.+))?$/.exec(path) ?? [];
  if (endpoint === undefined) return redaction.personal(path);
  const isKnown = model?.definition.endpoint === `/${endpoint}` || endpoint === "Me";
  const shown = `/${isKnown ? redaction.plain(endpoint) : redaction.personal(endpoint)}`;
  return id === undefined ? shown : `${shown}/${redaction.name(id)}`;
}

function redactSearch({ redaction, catalog, model }: MessageReading, body: JsonObject): JsonObject {
  const models = (): readonly ResourceModel[] => (model === null ? catalog.models() : [model]);
  return shownMembers(redaction, { object: body, path: "" }, (name, value, path) => {
    switch (name.toLowerCase()) {
      case "filter":
        return typeof value === "string"
          ? redactFilter(redaction, value, models())
          : redactValue(redaction, value, { node: undefined, path });
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
        return redactPlain(redaction, value);
      default:
        return redactValue(redaction, value, { node: undefined, path });
    }
  });
}

function redactList(reading: MessageReading, body: JsonObject): JsonObject {
  const { redaction } = reading;
  return shownMembers(redaction, { object: body, path: "" }, (name, value, path) => {
    if (name !== "Resources" || !isJsonArray(value)) return redactPlain(redaction, value);
    return shownValues(redaction, { list: value, path }, (each) => redactAnswer(reading, each));
  });
}

/** What a dry run came to: the service's own message, of a resource, of operations and of an error. */
function redactDryRun(reading: MessageReading, body: JsonObject): JsonObject {
  const { redaction } = reading;
  return shownMembers(redaction, { object: body, path: "" }, (name, value, path) => {
    if (name === "resource" && isJsonObject(value)) return redactResource(reading, value);
    if (name === "error" && isJsonObject(value)) return redactError(redaction, value);
    if (name !== "diff" || !isJsonArray(value)) return redactPlain(redaction, value);
    return shownValues(redaction, { list: value, path }, (each) => redactOperation(reading, each, path));
  });
}

type Redact = (reading: MessageReading, body: JsonObject) => JsonObject;

/** Messages of the protocol by URN in lower case. */
type Messages = ReadonlyMap<string, Redact>;

const REQUESTS: Messages = new Map([
  [PATCH_OP_URN.toLowerCase(), redactPatch],
  [BULK_REQUEST_URN.toLowerCase(), (reading, body) => redactBulk(reading, body, ofBulkRequest)],
  [SEARCH_REQUEST_URN.toLowerCase(), redactSearch],
] satisfies (readonly [string, Redact])[]);

const ANSWERS: Messages = new Map([
  [BULK_RESPONSE_URN.toLowerCase(), (reading, body) => redactBulk(reading, body, ofBulkAnswer)],
  [DRY_RUN_RESPONSE_URN.toLowerCase(), redactDryRun],
  [LIST_RESPONSE_URN.toLowerCase(), redactList],
  [ERROR_URN.toLowerCase(), ({ redaction }, body) => redactError(redaction, body)],
] satisfies (readonly [string, Redact])[]);

function schemasOf(body: JsonObject): readonly string[] {
  const schemas = memberOf(body, "schemas");
  return schemas !== undefined && isJsonArray(schemas)
    ? schemas.filter((urn) => typeof urn === "string")
    : [];
}
