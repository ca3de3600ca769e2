/**
 * Reads resources of a handler, and their references.
 * @module
 */
import { isJsonObject, type JsonObject } from "@scim/schemas";
import { own } from "../attributes/json-object.ts";
import { statedAttributes } from "../attributes/stated.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { takeCollections } from "../plan/collections.ts";
import { someAtOnce } from "../some-at-once.ts";
import type { ReadSelection, ReferenceSelection, StoreScope } from "../store/port.ts";
import type { ReferenceValue, StoredResource } from "../store/stored-resource.ts";
import { distinctValues, handledState, statedBy, storedState, type HandledState } from "./handled-state.ts";
import { callHandler, isId, type HandlerType } from "./handler-type.ts";

/** The resource of an id; null where there is none. */
export async function readState(
  type: HandlerType,
  scope: StoreScope,
  id: string,
): Promise<HandledState | null> {
  if (!isId(type, id)) return null;
  // Drivers of databases answer undefined for no row.
  const handled = (await callHandler(type, scope, (context) => type.handler.get(context, id))) ?? null;
  if (handled === null) return null;
  const state = handledState(type, handled);
  // Databases that compare text without letter case find what nobody asked for: ids have it (RFC 7643 §3.1).
  if (state.id !== id && state.id.toLowerCase() === id.toLowerCase()) return null;
  if (state.id !== id)
    throw new TypeError(`The handler of ${type.model.name} gave another id than asked for`);
  return state;
}

/** The resources of these ids that exist, in the order of the ids. */
export async function readStates(
  type: HandlerType,
  scope: StoreScope,
  ids: readonly string[],
): Promise<readonly HandledState[]> {
  const { handler } = type;
  const known = ids.filter((id) => isId(type, id));
  if (known.length === 0) return [];
  if (handler.getMany === undefined) return readOneByOne(type, scope, known);
  const found = await callHandler(type, scope, (context) => handler.getMany?.(context, known) ?? []);
  checkArray(type, "getMany", found);
  const states = new Map(
    found.map((handled) => handledState(type, handled)).map((state) => [state.id, state]),
  );
  return known.map((id) => states.get(id)).filter((state) => state !== undefined);
}

async function readOneByOne(
  type: HandlerType,
  scope: StoreScope,
  ids: readonly string[],
): Promise<readonly HandledState[]> {
  const states = await someAtOnce(ids, async (id) => readState(type, scope, id));
  return states.filter((state) => state !== null);
}

/** Resources with the collections of a selection, those left out that hold more than it allows. */
export async function withCollections(
  type: HandlerType,
  scope: StoreScope,
  { states, select }: { readonly states: readonly HandledState[]; readonly select: ReadSelection },
): Promise<readonly StoredResource[]> {
  const { connection } = scope;
  const { collections: paths, first = [], most = Number.POSITIVE_INFINITY } = select;
  const read = [...paths, ...first];
  const stored = states.map((state) => storedState(type, state, { connection, paths: read }));
  const filled =
    type.handler.references === undefined
      ? stored
      : await someAtOnce(stored, async (each) => withRows(type, scope, { stored: each, select }));
  const short = paths.filter(
    (path) => filled.reduce((sum, each) => sum + (each.collections.get(path)?.length ?? 0), 0) <= most,
  );
  if (short.length === read.length) return filled;
  return filled.map((each) => ({
    ...each,
    collections: new Map([
      ...short.map((path) => [path, each.collections.get(path) ?? []] as const),
      ...first.map((path) => [path, each.collections.get(path)?.slice(0, 1) ?? []] as const),
    ]),
  }));
}

async function withRows(
  type: HandlerType,
  scope: StoreScope,
  { stored, select }: { readonly stored: StoredResource; readonly select: ReadSelection },
): Promise<StoredResource> {
  const collections = new Map<string, readonly ReferenceValue[]>();
  for (const path of select.collections) {
    const limit = select.most === undefined ? null : select.most + 1;
    const wanted = limit === null ? "all" : { first: limit };
    collections.set(path, await readRows(type, scope, { id: stored.id, path, selection: wanted }));
  }
  for (const path of select.first ?? [])
    collections.set(path, await readRows(type, scope, { id: stored.id, path, selection: { first: 1 } }));
  return { ...stored, collections };
}

/** References of one resource to read. */
export interface WantedReferences {
  readonly id: string;
  readonly path: string;
  readonly selection: ReferenceSelection;
}

/** The selected values of a collection, in the order of adding. */
export async function readReferences(
  type: HandlerType,
  scope: StoreScope,
  wanted: WantedReferences,
): Promise<readonly ReferenceValue[]> {
  if (!isId(type, wanted.id)) return [];
  if (type.handler.references !== undefined) return readRows(type, scope, wanted);
  const { id, path, selection } = wanted;
  const state = await readState(type, scope, id);
  const node = collectionNode(type, path);
  return state === null ? [] : selectValues(distinctValues(state.collections.get(node) ?? []), selection);
}

async function readRows(
  type: HandlerType,
  scope: StoreScope,
  { id, path, selection }: WantedReferences,
): Promise<readonly ReferenceValue[]> {
  const values = Array.isArray(selection) ? selection : null;
  const limit = typeof selection === "object" && "first" in selection ? selection.first : null;
  const wanted = { id, attribute: path, values, limit };
  const rows = await callHandler(type, scope, (context) => type.handler.references?.(context, wanted) ?? []);
  checkArray(type, "references", rows);
  return selectValues(distinctValues(referenceValues(type, path, rows)), selection);
}

/** @throws TypeError where a method of a handler answered no array */
export function checkArray({ model }: HandlerType, method: string, answered: unknown): void {
  if (!Array.isArray(answered))
    throw new TypeError(`The handler of ${model.name} gave no array from '${method}'`);
}

/** The collection of a path. */
export function collectionNode({ model }: HandlerType, path: string): AttributeNode {
  const collection = model.collections.find(({ node }) => node.path === path);
  if (collection === undefined) throw new TypeError(`${model.name} has no collection ${path}`);
  return collection.node;
}

function referenceValues(
  type: HandlerType,
  path: string,
  rows: readonly JsonObject[],
): readonly ReferenceValue[] {
  const node = collectionNode(type, path);
  const attributes =
    node.extension === null
      ? { [node.attribute.name]: rows }
      : { [node.extension]: { [node.attribute.name]: rows } };
  const stated = statedAttributes(type.model, attributes, statedBy(type.model));
  const values = takeCollections(type.model, stated).get(node) ?? [];
  if (
    values.length < rows.length ||
    rows.some((row) => !isJsonObject(row) || own(row, "value") === undefined)
  )
    throw new TypeError(`The handler of ${type.model.name} gave a reference without a value`);
  return values;
}

function selectValues(
  values: readonly ReferenceValue[],
  selection: ReferenceSelection,
): readonly ReferenceValue[] {
  if (selection === "all") return values;
  if ("first" in selection) return values.slice(0, selection.first);
  const wanted = new Set(selection);
  return values.filter(({ value }) => wanted.has(value));
}
