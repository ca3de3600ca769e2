/**
 * Goes through the resources of a type, as an import takes them.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { own } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { isWhole } from "../projection/bounded-selection.ts";
import { schemasOf } from "../projection/represent.ts";
import { eachBatch } from "../store/each-batch.ts";
import type { ReadSelection } from "../store/port.ts";
import type { ReferenceValue, StoredResource } from "../store/stored-resource.ts";
import { scopeOf } from "../store/scope.ts";

/** A resource without its collections. */
export interface ExportedResource {
  /** Begins with `schemas` and `id`, and ends with `meta`, which holds `resourceType` and, where it is known, `created`. */
  readonly resource: JsonObject;
  readonly collections: readonly ExportedCollection[];
}

/** A reference collection that is not empty. */
export interface ExportedCollection {
  /** Member names from the resource to the attribute: one, or an extension's URN and one. */
  readonly keys: readonly string[];
  /** Its values, in order, to be gone through once and before the next resource. */
  readonly batches: AsyncIterable<readonly JsonObject[]> | Iterable<readonly JsonObject[]>;
}

/** Most values of collections that are read with a page; longer ones are read in batches. */
const VALUES = 20_000;

/** Goes through the resources of a type in order of id. A type that shows rows of another has none of its own. */
export async function* exportResources(
  environment: Environment,
  context: RequestContext,
  type: string,
): AsyncGenerator<ExportedResource, void, undefined> {
  const model = environment.catalog.model(type);
  if (model.rows !== null) return;
  const select: ReadSelection = {
    collections: model.collections.map(({ node }) => node.path),
    inverses: [],
    most: VALUES,
  };
  const query = { type: model.name, filter: null, select };
  for await (const batch of eachBatch(environment.store, scopeOf(context), query)) {
    for (const stored of batch) {
      if (isWhole(stored, select)) yield exported(model, stored);
      else yield* exportLong(environment, context, { model, select, id: stored.id });
    }
  }
}

/** A resource with its long collections, all of one state; nothing where it is not there any more. */
async function* exportLong(
  { store }: Environment,
  context: RequestContext,
  { model, select, id }: LongExport,
): AsyncGenerator<ExportedResource, void, undefined> {
  const snapshot = await store.snapshot(scopeOf(context));
  try {
    const [stored] = await snapshot.readMany({ type: model.name, ids: [id] }, select);
    if (stored === undefined) return;
    yield exported(model, stored, (path) => snapshot.references({ type: model.name, id, path }));
  } finally {
    await snapshot.close();
  }
}

interface LongExport {
  readonly model: ResourceModel;
  readonly select: ReadSelection;
  readonly id: string;
}

/** Reads a collection in batches, by its path. */
type ReadLong = (path: string) => AsyncIterable<readonly ReferenceValue[]>;

function exported(model: ResourceModel, stored: StoredResource, readLong?: ReadLong): ExportedResource {
  const collections = model.collections.map(({ node: { keys, path } }): ExportedCollection => {
    const values = stored.collections.get(path);
    const isLong = values === undefined && readLong !== undefined;
    return { keys, batches: isLong ? shown(readLong(path)) : [(values ?? []).map(valueOf)] };
  });
  return { resource: resourceOf(model, stored), collections };
}

function resourceOf(model: ResourceModel, stored: StoredResource): JsonObject {
  let body = stored.body;
  for (const { keys } of model.hidden) body = without(body, keys);
  for (const { node } of model.collections) {
    const urn = node.extension;
    // An extension that shows references alone is empty here; its values are added by whoever writes them.
    if (urn !== null && Object.hasOwn(stored.body, urn) && stored.collections.get(node.path)?.length !== 0)
      body = { ...body, [urn]: own(body, urn) ?? {} };
  }
  return {
    schemas: schemasOf(model, body),
    id: stored.id,
    ...body,
    meta: { resourceType: model.name, ...(stored.created === "" ? {} : { created: stored.created }) },
  };
}

async function* shown(
  batches: AsyncIterable<readonly ReferenceValue[]>,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  for await (const batch of batches) yield batch.map(valueOf);
}

function valueOf({ value, rest }: ReferenceValue): JsonObject {
  return { value, ...rest };
}

/** An object without what stands at the end of a path of member names, through lists. What is empty then goes, too. */
function without(object: JsonObject, keys: readonly string[]): JsonObject {
  const [key = "", ...rest] = keys;
  const held = own(object, key);
  if (held === undefined) return object;
  const { [key]: _, ...others } = object;
  if (rest.length === 0) return others;
  const left = isJsonArray(held)
    ? held.map((each) => within(each, rest)).filter(isFilled)
    : within(held, rest);
  return isFilled(left) ? { ...object, [key]: left } : others;
}

function within(value: JsonValue, keys: readonly string[]): JsonValue {
  return isJsonObject(value) ? without(value, keys) : value;
}

function isFilled(value: JsonValue): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length > 0;
}
