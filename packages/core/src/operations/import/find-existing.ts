/**
 * Finds the resources that items of an import mean: by id where ids are kept, else by what identifies them.
 * @module
 */
import type { ComparisonKey } from "@scim/filter";
import { ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { keysOf } from "../../plan/entries.ts";
import { importsOf } from "../../store/capabilities.ts";
import type { KeyHolder } from "../../store/import-store.ts";
import type { ReadSelection } from "../../store/port.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import { scopeOf } from "../../store/scope.ts";
import { duplicate } from "../refusals.ts";
import { namesake } from "./claimed-names.ts";
import { queryHolders } from "./query-holders.ts";
import { identifyingNodes, isName, type Identity, type ReadItem } from "./read-item.ts";

/** The resource of an item; null where it is new, and an error where it cannot be told which one is meant. */
export type Match = StoredResource | ScimError | null;

/** Finds the resources of items. */
export async function findExisting(
  environment: Environment,
  context: RequestContext,
  items: readonly ReadItem[],
): Promise<ReadonlyMap<ReadItem, Match>> {
  const matches = new Map<ReadItem, Match>();
  for (const model of new Set(items.map((item) => item.model))) {
    const ofType = items.filter((item) => item.model === model);
    const found = await idsOf(environment, context, { model, items: ofType });
    const ids = [...found.values()].filter((id) => typeof id === "string");
    const stored = await readExisting(environment, context, { model, ids });
    for (const item of ofType) {
      const id = found.get(item) ?? null;
      matches.set(item, typeof id === "string" ? checked(item, stored.get(id) ?? null) : id);
    }
  }
  return matches;
}

interface Sought {
  readonly model: ResourceModel;
  readonly items: readonly ReadItem[];
}

/** The id of each item's resource; null for a new one. */
async function idsOf(
  environment: Environment,
  context: RequestContext,
  { model, items }: Sought,
): Promise<ReadonlyMap<ReadItem, string | ScimError | null>> {
  const ids = new Map<ReadItem, string | ScimError | null>(items.map((item) => [item, item.id]));
  for (const node of identifyingNodes(model)) {
    const sought = items.flatMap((item) => {
      const identity = item.identities.find((each) => each.node === node);
      const isOpen = ids.get(item) === null || typeof item.id === "string";
      return identity === undefined || !isOpen ? [] : [{ item, identity }];
    });
    for (const { item, identity } of sought)
      if (ids.get(item) === null && identity.claimedBy !== undefined) ids.set(item, namesake(item, identity));
    const holders = await holdersOf(environment, context, {
      model,
      identities: sought.map((each) => each.identity),
    });
    if (holders.size === 0) continue;
    const shared = sought
      .filter(({ item, identity }) => ids.get(item) === null && isShared(identity, holders))
      .map(({ identity }) => identity);
    const nameless = await namelessHolders(environment, context, { model, identities: shared });
    for (const { item, identity } of sought) {
      const held = holders.get(identity.key) ?? [];
      if (ids.get(item) === null && isShared(identity, holders))
        ids.set(item, namesakeOf(item, nameless.get(identity.key) ?? []));
      else if (ids.get(item) === null) ids.set(item, only(held, identity));
      else if (isExclusive(identity) && held.some((id) => id !== item.id)) ids.set(item, taken(identity));
    }
  }
  return ids;
}

type Holders = ReadonlyMap<ComparisonKey, readonly string[]>;

/** Whether a name is that of several resources. */
function isShared(identity: Identity, holders: Holders): boolean {
  return isName(identity) && (holders.get(identity.key) ?? []).length > 1;
}

/** The holders of names that have no `externalId`: a record that none of the others was found by means none of them. */
async function namelessHolders(
  environment: Environment,
  context: RequestContext,
  { model, identities }: Lookup,
): Promise<Holders> {
  const [name] = identities;
  const lacking = identifyingNodes(model).find((node) => node.attribute.name === "externalId");
  if (name === undefined) return new Map();
  const keys = keysIn(identities);
  const of = lacking === undefined ? {} : { lacking };
  return byKey(await queryHolders(environment, context, { model, node: name.node, keys, ...of }));
}

/** Which of the resources of a name that have no `externalId` a record means. */
function namesakeOf(item: ReadItem, held: readonly string[]): string | ScimError | null {
  const [first, ...others] = item.identities;
  const name = others.at(-1) ?? first;
  if (held.length > 0 && name !== undefined) return only(held, name);
  return others.length > 0 ? null : withoutExternalId(item);
}

/** Whether a resource that keeps its id must not share the value with another. */
function isExclusive({ node, unique }: Identity): boolean {
  return unique !== null || node.attribute.name === "externalId";
}

function only(ids: readonly string[], { node }: Identity): string | ScimError | null {
  const [id = null, ...others] = ids;
  if (others.length === 0) return id;
  return new ScimError(
    "uniqueness",
    `The value of attribute '${node.path}' belongs to ${ids.length} resources: it does not tell which one is meant.`,
  );
}

function taken({ node, key, unique }: Identity): ScimError {
  return duplicate({ path: node.path, scope: unique ?? "", key });
}

/**
 * A resource that was found by another value than its `externalId` must not belong to another `externalId`; and where a
 * name alone found it, to none.
 */
function checked(item: ReadItem, stored: StoredResource | null): Match {
  if (stored === null || item.id !== null) return stored;
  for (const node of identifyingNodes(item.model)) {
    const [held] = keysOf(node, stored.body);
    if (held === undefined) continue;
    const identity = item.identities.find((each) => each.node === node);
    if (held === identity?.key) return stored;
    const found = item.identities.find((each) => each.unique !== null);
    if (identity === undefined && found !== undefined) continue;
    if (identity === undefined) return withoutExternalId(item);
    return found === undefined ? null : taken(found);
  }
  return stored;
}

/** A name is no reason to take a resource from the `externalId` that it has. */
function withoutExternalId({ model, identities: [name] }: ReadItem): ScimError {
  return new ScimError(
    "uniqueness",
    `The ${model.name} of this '${name?.node.path ?? ""}' has an 'externalId': bring the record with it.`,
  );
}

/** The resources of ids, with what a replacement is compared with. */
async function readExisting(
  environment: Environment,
  context: RequestContext,
  { model, ids }: { readonly model: ResourceModel; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, StoredResource>> {
  if (ids.length === 0) return new Map();
  const select: ReadSelection = { collections: model.collections.map(({ node }) => node.path), inverses: [] };
  const targets = { type: model.name, ids: [...new Set(ids)] };
  const stored = await environment.store.readMany(scopeOf(context), targets, select);
  return new Map(stored.map((resource) => [resource.id, resource]));
}

interface Lookup {
  readonly model: ResourceModel;
  /** All of one attribute. */
  readonly identities: readonly Identity[];
}

async function holdersOf(
  environment: Environment,
  context: RequestContext,
  { model, identities }: Lookup,
): Promise<Holders> {
  const [first] = identities;
  if (first === undefined) return new Map();
  const { node, unique } = first;
  const keys = keysIn(identities);
  const { indexes } = environment.store;
  const imports = importsOf(environment.store, model.name);
  const isIndexed =
    indexes === undefined ? node.indexed : indexes.of(context.tenant, model.name).always.includes(node.path);
  const found =
    imports !== undefined && (unique !== null || isIndexed)
      ? await imports.holders(scopeOf(context), { type: model.name, path: node.path, unique, keys })
      : await queryHolders(environment, context, { model, node, keys });
  return byKey(found);
}

/** The keys to look for: items may have one together. */
function keysIn(identities: readonly Identity[]): readonly ComparisonKey[] {
  return [...new Set(identities.map(({ key }) => key))];
}

function byKey(found: readonly KeyHolder[]): Holders {
  const holders = new Map<ComparisonKey, Set<string>>();
  for (const { key, id } of found) {
    const ids = holders.get(key) ?? new Set();
    // Two items may have the same key.
    holders.set(key, ids.add(id));
  }
  return new Map([...holders].map(([key, ids]) => [key, [...ids]]));
}
