/**
 * Reads the references that a PATCH needs: those that its operations name, and those that they select, however many
 * there are beside. What is too long to be held is left to a stage.
 * @module
 */
import { copyObject } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { RequestOperation } from "../patch/apply.ts";
import { collectionNeed, isPiecewise, type SomeValues } from "../patch/needs.ts";
import { newContentOf, type NewContent } from "../patch/new-content.ts";
import { pause } from "../pause.ts";
import { scopeOf } from "../store/scope.ts";
import type { ReferenceValue, StoredResource } from "../store/stored-resource.ts";
import { canBeStaged } from "./long-body/body-reader.ts";
import { referenceWindows, type CollectionPlace } from "./reference-windows.ts";

/** Ids that are looked for at once: others have their turn between two such steps, and a write that finds another version is planned anew. */
const IDS_AT_ONCE = 5000;

/** What a PATCH works on. */
export interface NeededReferences {
  /** Values that were read. */
  readonly known: Map<AttributeNode, readonly ReferenceValue[]>;
  /** Long collections that were not read, since the operations say what they hold from then on. */
  readonly renewed: Map<AttributeNode, NewContent>;
  /** Long collections that were not read, whose values the operations change one by one. */
  readonly walked: Map<AttributeNode, readonly RequestOperation[]>;
}

/** What is asked for. */
export interface NeedRequest {
  readonly stored: StoredResource;
  readonly operations: readonly RequestOperation[];
  /** Whether long collections can be staged. */
  readonly stages: boolean;
}

/** The operations on collections, by collection. */
export function byCollection(
  operations: readonly RequestOperation[],
): ReadonlyMap<AttributeNode, readonly RequestOperation[]> {
  const onCollections = operations.filter(({ target }) => target.attribute.storage === "collection");
  return Map.groupBy(onCollections, ({ target }) => target.attribute);
}

/** Reads the values of collections that the operations name or select. */
export async function readNeeded(
  environment: Environment,
  context: RequestContext,
  { stored: { type, id }, operations, stages }: NeedRequest,
): Promise<NeededReferences> {
  const read: NeededReferences = { known: new Map(), renewed: new Map(), walked: new Map() };
  for (const [node, own] of byCollection(operations)) {
    const place = { type, id, path: node.path };
    if (stages && isOpenToStages(node)) await readOrStage(environment, context, { node, own, place, read });
    else read.known.set(node, (await readNeed(environment, context, { own, place })) ?? []);
  }
  return read;
}

/** Whether what becomes of a collection can be told from a stage alone. */
export function isOpenToStages(node: AttributeNode): boolean {
  return canBeStaged(node) && node.attribute.mutability !== "immutable";
}

/** The operations on one collection. */
interface OwnOperations {
  readonly own: readonly RequestOperation[];
  readonly place: CollectionPlace;
  /** Most selected values that are held. Default: any number. */
  readonly most?: number;
}

async function readOrStage(
  environment: Environment,
  context: RequestContext,
  input: OwnOperations & { readonly node: AttributeNode; readonly read: NeededReferences },
): Promise<void> {
  const { node, own, place, read } = input;
  const { store, limits } = environment;
  const most = limits.heldReferences;
  const content = newContentOf(own);
  // An extension may go with its last value: who goes through the values one by one does not see that.
  const isPieced = node.extension === null && own.every(isPiecewise);
  if (content !== null || (isPieced && collectionNeed(own) === "all")) {
    const values = await store.references(scopeOf(context), place, { first: most + 1 });
    const isLong = values.length > most || (content?.list?.length ?? 0) > most;
    if (!isLong) read.known.set(node, values);
    else if (content !== null) read.renewed.set(node, content);
    else read.walked.set(node, own);
    return;
  }
  const values = await readNeed(environment, context, isPieced ? { own, place, most } : { own, place });
  if (values === null) read.walked.set(node, own);
  else read.known.set(node, values);
}

/** Reads what operations on one collection need; null where they select more than `most` values. */
async function readNeed(
  environment: Environment,
  context: RequestContext,
  { own, place, most = Number.POSITIVE_INFINITY }: OwnOperations,
): Promise<readonly ReferenceValue[] | null> {
  const { store } = environment;
  const scope = scopeOf(context);
  const need = collectionNeed(own);
  if (need === "all") return store.references(scope, place, need);
  if (need.selected.length > 0) return readSelected(environment, context, { place, need, most });
  const values: ReferenceValue[] = [];
  for (let start = 0; start < need.ids.length; start += IDS_AT_ONCE) {
    if (start > 0) await pause(context);
    const found = await store.references(scope, place, need.ids.slice(start, start + IDS_AT_ONCE));
    for (const value of found) values.push(value);
  }
  return values;
}

interface Selecting {
  readonly place: CollectionPlace;
  readonly need: SomeValues;
  readonly most: number;
}

/** Goes through the values, and keeps those that are selected or named; null where they are too many. */
async function readSelected(
  environment: Environment,
  context: RequestContext,
  { place, need, most }: Selecting,
): Promise<readonly ReferenceValue[] | null> {
  const { store, limits } = environment;
  const few = await store.references(scopeOf(context), place, { first: limits.heldReferences + 1 });
  if (few.length <= limits.heldReferences) return few;
  const named = new Set(need.ids);
  const kept: ReferenceValue[] = [];
  for await (const rows of referenceWindows(environment, context, place)) {
    for (const { value, rest } of rows) {
      const looked = { value, ...copyObject(rest) };
      if (named.has(value) || need.selected.some((test) => test(looked))) kept.push({ value, rest });
    }
    if (kept.length > most) return null;
  }
  return kept;
}
