/**
 * Tests a resource by a collection that is too long to be held: what a filter says of it is asked of some of its values at
 * a time. A comparison with a list holds where it holds for any value of it, `ne` also where none has the attribute
 * (RFC 7644 §3.4.2.2), and so each is told by what it says of the parts.
 * @module
 */
import { compileFilter, type BoundComparison } from "@scim/filter";
import { own } from "../../attributes/json-object.ts";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { AttributeNode, ReferenceCollection } from "../../model/attribute-node.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { pause } from "../../pause.ts";
import { collectionValues } from "../../projection/represent.ts";
import type { ResourceFilter } from "../../store/port.ts";
import { namedIds, topAttribute } from "../../store/query-reads.ts";
import type { RowPlace } from "../../store/reference-rows.ts";
import { scopeOf } from "../../store/scope.ts";
import type { ReferenceValue, StoredResource } from "../../store/stored-resource.ts";
import { viewOf } from "./view.ts";

/** Values that are asked about at once. */
const PART = 1000;

/** A resource to test, of which the store left a collection out. */
export interface LongResource {
  readonly model: ResourceModel;
  readonly filter: ResourceFilter;
  readonly stored: StoredResource;
}

/** The paths of the collections that a filter says something of. */
export function filteredCollections(model: ResourceModel, filter: ResourceFilter): readonly string[] {
  return model.collections
    .filter((collection) => leavesOf(filter, collection).length > 0)
    .map(({ node }) => node.path);
}

/** Whether a resource matches. Its missing collections are read in parts, and others have their turn between them. */
export async function matchesLong(
  environment: Environment,
  context: RequestContext,
  { model, filter, stored }: LongResource,
): Promise<boolean> {
  const told = new Map<ResourceFilter, boolean>();
  for (const collection of model.collections) {
    if (stored.collections.has(collection.node.path)) continue;
    const all = leavesOf(filter, collection).map((leaf) => new LeafOutcome(leaf));
    for (const leaves of Map.groupBy(all, ({ ids }) => ids === null).values()) {
      for await (const values of askedValues(environment, context, {
        part: { stored, collection },
        leaves,
      })) {
        const collections = new Map([[collection.node.path, values]]);
        const part = { collection, stored: { ...stored, collections } };
        for (const leaf of leaves) leaf.take(model, part, context);
        if (leaves.every(({ isDecided }) => isDecided)) break;
      }
    }
    for (const leaf of all) told.set(leaf.filter, leaf.outcome);
  }
  return compileFilter(withOutcomes(filter, told))(viewOf(model, stored, context.baseUrl));
}

/** The values that leaves ask about: those of the ids that they name, where all of them do. */
async function* askedValues(
  environment: Environment,
  context: RequestContext,
  { part, leaves }: { readonly part: Part; readonly leaves: readonly LeafOutcome[] },
): AsyncGenerator<readonly ReferenceValue[], void, undefined> {
  const ids = leaves.map((leaf) => leaf.ids);
  if (!ids.every((each) => each !== null)) {
    yield* partsOf(environment, context, part);
    return;
  }
  const { stored, collection } = part;
  const place = { type: stored.type, id: stored.id, path: collection.node.path };
  yield await environment.store.references(scopeOf(context), place, [...new Set(ids.flat())]);
}

/** A part of a filter that says something of values. */
type Leaf = Extract<ResourceFilter, { readonly kind: "comparison" | "presence" | "valuePath" }>;

/** What of a filter is about a collection. */
function leavesOf(filter: ResourceFilter, collection: ReferenceCollection): readonly Leaf[] {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.operands.flatMap((operand) => leavesOf(operand, collection));
    case "not":
      return leavesOf(filter.operand, collection);
    case "constant":
      return [];
    default:
      return topAttribute(filter.target.handle) === collection.node ? [filter] : [];
  }
}

/** A resource with some of the values of a collection, or none yet. */
export interface Part {
  readonly collection: ReferenceCollection;
  readonly stored: StoredResource;
}

/** What a leaf comes to over all values. */
class LeafOutcome {
  readonly filter: Leaf;
  /** The ids of all values that it can hold for; null where it does not tell them. */
  readonly ids: readonly string[] | null;
  readonly #test: (view: unknown) => boolean;
  #holds = false;
  /** Whether any value has what `ne` compares. */
  #hasAny = false;

  constructor(filter: Leaf) {
    this.filter = filter;
    this.ids = namedIds(filter);
    this.#test = compileFilter(filter);
  }

  /** Whether no value behind those that were taken can change it. */
  get isDecided(): boolean {
    return this.#holds;
  }

  get outcome(): boolean {
    return this.#holds || (isNe(this.filter) && !this.#hasAny);
  }

  take(model: ResourceModel, part: Part, { baseUrl }: RequestContext): void {
    if (this.#holds) return;
    const asked = isNe(this.filter) ? havingIt(this.filter, model, { ...part, baseUrl }) : part.stored;
    if (asked === null) return;
    this.#hasAny = true;
    this.#holds = this.#test(viewOf(model, asked, baseUrl));
  }
}

function isNe(filter: Leaf): filter is BoundComparison<AttributeNode> {
  return filter.kind === "comparison" && filter.operator === "ne";
}

/** The resource with those of its values that have what a comparison names; null for none. */
function havingIt(
  { target }: BoundComparison<AttributeNode>,
  model: ResourceModel,
  { collection, stored, baseUrl }: Part & { readonly baseUrl: string },
): StoredResource | null {
  if (target.missingIsFalse) return stored;
  const { path } = collection.node;
  const shown = collectionValues(model, collection, { stored, baseUrl });
  const name = target.handle.attribute.name;
  const values = (stored.collections.get(path) ?? []).filter((_, place) => {
    const value = shown[place];
    return value !== undefined && own(value, name) !== undefined;
  });
  return values.length === 0 ? null : { ...stored, collections: new Map([[path, values]]) };
}

/** The filter where some of its leaves are known. */
function withOutcomes(filter: ResourceFilter, told: ReadonlyMap<ResourceFilter, boolean>): ResourceFilter {
  switch (filter.kind) {
    case "and":
    case "or":
      return { ...filter, operands: filter.operands.map((operand) => withOutcomes(operand, told)) };
    case "not":
      return { ...filter, operand: withOutcomes(filter.operand, told) };
    default: {
      const value = told.get(filter);
      return value === undefined ? filter : { kind: "constant", value };
    }
  }
}

/** The values of a collection of a resource, in the order of adding. Others have their turn between the parts. */
export async function* partsOf(
  { store }: Environment,
  context: RequestContext,
  { stored: { type, id }, collection }: Part,
): AsyncGenerator<readonly ReferenceValue[], void, undefined> {
  const { path } = collection.node;
  let after: RowPlace | null = null;
  for (;;) {
    const rows: Awaited<ReturnType<typeof store.referenceRows>> = await store.referenceRows(
      scopeOf(context),
      {
        type,
        path,
        owner: id,
        value: null,
        displayKey: null,
        descending: false,
        after,
        offset: 0,
        limit: PART,
      },
    );
    if (rows.length > 0) yield rows;
    if (rows.length < PART) return;
    after = rows.at(-1) ?? null;
    await pause(context);
  }
}
