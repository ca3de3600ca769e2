/**
 * Plans, selections and filters that the contract gives to a store, made as the operations make them.
 * @module
 */
import { bindFilter, parseAttributePath, parseFilter } from "@scim/filter";
import type { JsonObject } from "@scim/schemas";
import { DEFAULT_LIMITS } from "../../limits.ts";
import { findAttribute } from "../../model/find-attribute.ts";
import { entriesOf, entryDelta } from "../../plan/entries.ts";
import { PROFILES } from "../../profiles/profile.ts";
import { boundPath, filterResolver } from "../../query/bind.ts";
import type { Sort } from "../../query/sort.ts";
import type {
  InverseSelection,
  ReadSelection,
  ResourceFilter,
  ResourceStore,
  StoreScope,
} from "../../store/port.ts";
import type { KeptResource } from "../../store/deleted-resources.ts";
import type { CollectionChange } from "../../store/event-feed.ts";
import type { ReferenceValue, StoredResource } from "../../store/stored-resource.ts";
import type {
  CollectionDelta,
  CreatePlan,
  DeletePlan,
  RestorePlan,
  UpdatePlan,
} from "../../store/write-plan.ts";
import { ContractViolation } from "./expect.ts";
import { modelOf, type SampleType } from "./models.ts";

/** Whose data the contract stores, where it does not say otherwise. */
export const SCOPE: StoreScope = { tenant: "north", connection: "first" };

/** Selects nothing beside the resource. */
export const NOTHING: ReadSelection = { collections: [], inverses: [] };

/** Selects the members of groups. */
export const MEMBERS: ReadSelection = { collections: ["members"], inverses: [] };

/** When plans are made, where a rule does not say. */
export const AT = "2026-03-01T08:00:00.000Z";

let plans = 0;

/** What never repeats within a run: also the part of versions that a counter would not be. */
function nextNonce(): string {
  plans += 1;
  return `n${plans.toString(36)}_-`;
}

/** The groups of users, up to a depth. */
export function groupsOf(depth: number): InverseSelection {
  const [inverse] = modelOf("User").inverses;
  if (inverse === undefined) throw new TypeError("User has no inverse");
  return { inverse, depth };
}

/** Selects the groups of users. */
export function withGroups(depth: number): ReadSelection {
  return { collections: [], inverses: [groupsOf(depth)] };
}

/** What a new resource is made of. */
export interface NewResource {
  readonly type: SampleType;
  readonly id: string;
  readonly body: JsonObject;
  /** Values of `members`. */
  readonly members?: readonly (string | ReferenceValue)[];
  readonly at?: string;
}

/** The plan of a new resource, with its index and unique entries. */
export function createPlan({ type, id, body, members = [], at = AT }: NewResource): CreatePlan {
  return {
    kind: "create",
    type,
    id,
    at,
    nonce: nextNonce(),
    body,
    ...entriesOf(modelOf(type), body, { constraints: [], connection: SCOPE.connection }),
    collections: members.length === 0 ? [] : [adding(...members)],
    event: { kind: "created", subject: null, changed: Object.keys(body) },
  };
}

/** What an update changes. */
export interface Change {
  readonly body?: JsonObject;
  readonly collections?: readonly CollectionDelta[];
  readonly at?: string;
}

/** The plan of a change to a resource as it was read. */
export function updatePlan(stored: StoredResource, { body, collections = [], at = AT }: Change): UpdatePlan {
  const model = modelOf(typeOf(stored));
  const rules = { constraints: [], connection: stored.connection };
  const before = entriesOf(model, stored.body, rules);
  const after = entriesOf(model, body ?? stored.body, rules);
  return {
    kind: "update",
    type: stored.type,
    id: stored.id,
    at,
    nonce: nextNonce(),
    expectedVersion: stored.version,
    bodyBefore: stored.body,
    body: body ?? null,
    index: entryDelta(before.index, after.index),
    unique: {
      add: entryDelta(before.unique, after.unique).add,
      remove: entryDelta([...before.unique, ...before.whereHeld], [...after.unique, ...after.whereHeld])
        .remove,
    },
    whereHeld: entryDelta(before.whereHeld, after.whereHeld).add,
    collections,
    event: { kind: "patched", subject: null, changed: Object.keys(body ?? {}) },
  };
}

function typeOf({ type }: Pick<StoredResource, "type">): SampleType {
  if (type === "User" || type === "Group" || type === "Badge") return type;
  throw new TypeError(`${type} is no type of the contract`);
}

/** The plan of a delete. */
export function deletePlan(
  stored: Pick<StoredResource, "type" | "id" | "version">,
  at: string = AT,
): DeletePlan {
  return {
    kind: "delete",
    type: stored.type,
    id: stored.id,
    at,
    nonce: nextNonce(),
    expectedVersion: stored.version,
    event: { kind: "deleted", subject: null, changed: [] },
  };
}

/** The plan of a restoration. */
export function restorePlan(
  kept: KeptResource,
  {
    at = AT,
    returning = [],
  }: { readonly at?: string; readonly returning?: readonly CollectionChange[] } = {},
): RestorePlan {
  const { connection, deleted, body } = kept;
  return {
    kind: "restore",
    type: kept.type,
    id: kept.id,
    at,
    nonce: nextNonce(),
    expectedVersion: kept.version,
    deleted,
    body,
    ...entriesOf(modelOf(typeOf(kept)), body, { constraints: [], connection }),
    returning,
    event: { kind: "created", subject: null, changed: Object.keys(body) },
  };
}

/** Adds members. */
export function adding(...members: readonly (string | ReferenceValue)[]): CollectionDelta {
  return { path: "members", remove: [], add: members.map(referenceOf) };
}

/** Removes members. */
export function removing(...values: readonly string[]): CollectionDelta {
  return { path: "members", remove: values, add: [] };
}

function referenceOf(member: string | ReferenceValue): ReferenceValue {
  return typeof member === "string" ? { value: member, rest: {} } : member;
}

/** From how many resources on those that only fill a store are written together, where it can. */
const MANY = 500;

/** Creates resources, all at once. */
export async function seed(
  store: ResourceStore,
  resources: readonly NewResource[],
  scope: StoreScope = SCOPE,
): Promise<void> {
  if (store.imports !== undefined && resources.length >= MANY) {
    const { kind } = await store.imports.writeAll(scope, resources.map(createPlan), null);
    if (kind !== "written") throw new ContractViolation("creating many", kind, "written");
    return;
  }
  const results = await Promise.all(
    resources.map(async (resource) => store.write(scope, createPlan(resource))),
  );
  for (const [index, result] of results.entries()) {
    if (result.kind !== "written") {
      throw new ContractViolation(`creating ${resources[index]?.id ?? ""}`, result.kind, "written");
    }
  }
}

/** The resource of an id, which must exist. */
export async function fetchOne(
  store: ResourceStore,
  target: { readonly type: SampleType; readonly id: string },
  select: ReadSelection = NOTHING,
): Promise<StoredResource> {
  const stored = await store.read(SCOPE, target, select);
  if (stored === null) throw new ContractViolation(`reading ${target.id}`, null, "a resource");
  return stored;
}

const CONTEXT = { profile: PROFILES.strict, onSwitch: () => undefined };

/** A filter bound to a type; of at most so many characters. */
export function filterOf(
  type: SampleType,
  text: string,
  maxLength = DEFAULT_LIMITS.filterLength,
): ResourceFilter {
  return bindFilter(parseFilter(text, { maxLength }), filterResolver(modelOf(type), CONTEXT));
}

/** A sort by an attribute of a type. */
export function sortOf(type: SampleType, path: string, descending = false): Sort {
  const found = findAttribute(modelOf(type), parseAttributePath(path));
  if (found === null) throw new TypeError(`${type} has no attribute ${path}`);
  return { target: boundPath(found.node, found.node.keys), descending };
}
