/**
 * Resources of a handler as the service reads them.
 * @module
 */
import { utcInstant } from "@scim/filter";
import { isJsonObject, type JsonObject } from "@scim/schemas";
import { copyObject, type MutableObject } from "../attributes/json-object.ts";
import { statedAttributes, type Stating } from "../attributes/stated.ts";
import { putCollections, takeCollections, type CollectionValues } from "../plan/collections.ts";
import { NO_VERSION, type ReferenceValue, type StoredResource } from "../store/stored-resource.ts";
import { contentVersion } from "./content-version.ts";
import { isId, type HandlerType } from "./handler-type.ts";
import type { HandledResource } from "./resource-handler.ts";

/** What a version of a handler's own may be made of: it stands in entity tags, alone and with what is derived. */
const VERSION = /^[A-Za-z0-9._+=-]{1,128}$/;

/** A resource that a handler answered. */
export interface HandledState {
  readonly id: string;
  readonly version: string;
  readonly created: string;
  readonly lastModified: string;
  readonly body: MutableObject;
  /** Values of all collections that have any; none where the handler reads them apart. */
  readonly collections: CollectionValues;
}

/**
 * Reads what a handler answered.
 * @throws TypeError where it is no resource, which is no fault of the client
 */
export function handledState(type: HandlerType, handled: HandledResource): HandledState {
  const { model, handler } = type;
  // What is no object has no attributes either.
  const { id, attributes, created, lastModified }: Partial<HandledResource> = handled ?? {};
  if (!isJsonObject(attributes))
    throw new TypeError(`The handler of ${model.name} gave no resource, which has an 'id' and 'attributes'`);
  if (typeof id !== "string" || id === "") throw new TypeError(`The handler of ${model.name} gave no id`);
  if (!isId(type, id))
    throw new TypeError(`The handler of ${model.name} gave an id that is not of the form of its 'ids'`);
  const body = statedAttributes(model, attributes, statedBy(model));
  const collections = takeCollections(model, body);
  if (handler.references !== undefined && collections.size > 0)
    throw new TypeError(`The handler of ${model.name} has a method 'references', and gave references`);
  return {
    id,
    version: versionOf(type, handled, { body, collections }),
    created: instant(type, created),
    lastModified: instant(type, lastModified),
    body,
    collections,
  };
}

/** A handler as it states attributes: what the schema does not have does no harm. */
export function statedBy({ name }: HandlerType["model"]): Stating {
  return { by: `The handler of ${name}`, onOther: () => undefined };
}

/** The resource with the collections of a selection, as far as they came with it. */
export function storedState(
  { model }: HandlerType,
  state: HandledState,
  { connection, paths }: { readonly connection: string; readonly paths: readonly string[] },
): StoredResource {
  const { collections, ...rest } = state;
  const wanted = new Map<string, readonly ReferenceValue[]>();
  for (const { node } of model.collections)
    if (paths.includes(node.path)) wanted.set(node.path, distinctValues(collections.get(node) ?? []));
  return { ...rest, type: model.name, connection, collections: wanted, inverses: new Map() };
}

/** A collection holds each value once: the first of equal ones, at its place. */
export function distinctValues(values: readonly ReferenceValue[]): readonly ReferenceValue[] {
  const distinct = new Map<string, ReferenceValue>();
  for (const each of values) if (!distinct.has(each.value)) distinct.set(each.value, each);
  return [...distinct.values()];
}

/** Attributes as a handler is given them: with its references, where it keeps them there. */
export function wholeAttributes(
  { handler }: HandlerType,
  body: JsonObject,
  collections: CollectionValues,
): JsonObject {
  const attributes = copyObject(body);
  if (handler.references === undefined) putCollections(collections, attributes);
  for (const [name, value] of Object.entries(attributes)) {
    // An extension that holds references alone is kept empty in the body, so that it is known to be there.
    if (typeof value === "object" && value !== null && Object.keys(value).length === 0)
      delete attributes[name];
  }
  return attributes;
}

function versionOf(
  { handler, model, sources }: HandlerType,
  { id, version }: HandledResource,
  { body, collections }: Pick<HandledState, "body" | "collections">,
): string {
  if (!handler.comparesVersions) return NO_VERSION;
  if (version !== undefined) {
    if (typeof version === "string" && VERSION.test(version)) return version;
    throw new TypeError(
      `The handler of ${model.name} gave a version that is no text of 1 to 128 of A-Z, a-z, 0-9, '.', '_', '+', '=' and '-'`,
    );
  }
  if (handler.references !== undefined)
    throw new TypeError(`The handler of ${model.name} keeps references as rows, and gave no version`);
  return contentVersion(sources, { id, attributes: withSortedReferences(body, collections) });
}

/** References are a set: a database that answers them in another order has not changed the resource. */
function withSortedReferences(body: MutableObject, collections: CollectionValues): JsonObject {
  const content = copyObject(body);
  const sorted = [...collections].map(
    ([node, values]) => [node, values.toSorted((a, b) => (a.value < b.value ? -1 : 1))] as const,
  );
  putCollections(new Map(sorted), content);
  return content;
}

/** An instant in UTC with milliseconds; empty text where there is none. */
function instant({ model }: HandlerType, text: string | null | undefined): string {
  // A column of a date that is not known holds NULL.
  if (text === undefined || text === null) return "";
  const found = utcInstant(text);
  if (found !== undefined) return found;
  throw new TypeError(
    `The handler of ${model.name} gave a date and time that is not of the form 2026-01-31T08:00:00Z`,
  );
}
