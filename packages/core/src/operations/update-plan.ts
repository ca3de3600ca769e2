/**
 * The plan of a change from one state of a resource to another; none where the states are the same.
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";
import { equalValues } from "../attributes/equal.ts";
import { own } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { LongChanges } from "./long-body/staged-changes.ts";
import { collectionDeltas, type CollectionValues } from "../plan/collections.ts";
import { entriesOf, entryDelta } from "../plan/entries.ts";
import { type IndexedAttributes, indexedAttributes } from "../plan/indexed-attributes.ts";
import { ALL_CONSTRAINTS } from "../profiles/profile.ts";
import type { PlannedSecrets } from "../secrets/request-secrets.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import type {
  EntryDelta,
  IndexEntry,
  ResourceEvent,
  UniqueEntry,
  UpdatePlan,
  WritePlan,
  WrittenState,
} from "../store/write-plan.ts";
import { writeInstant } from "./write-instant.ts";

/** The state that a change leads to. */
export interface NextState {
  readonly model: ResourceModel;
  readonly stored: StoredResource;
  readonly body: JsonObject;
  /** Values of collections before, as far as they are known, and the wanted ones. */
  readonly collections: { readonly known: CollectionValues; readonly wanted: CollectionValues };
  /** How those change that were not read. */
  readonly long?: LongChanges | undefined;
  readonly secrets: PlannedSecrets;
  readonly kind: Extract<ResourceEvent["kind"], "replaced" | "patched">;
}

/** Plans the change; null where nothing changes, so that no version does. */
export function planUpdate(
  environment: Environment,
  context: RequestContext,
  next: NextState,
): UpdatePlan | null {
  const { model, stored, body } = next;
  const { deltas = [], staged } = next.long ?? {};
  const collections = [...collectionDeltas(next.collections.known, next.collections.wanted), ...deltas];
  const changed = changedMembers(stored.body, body);
  const paths = [...collections, ...(staged?.changes ?? [])].map(({ path }) => path);
  if (changed.length === 0 && paths.length === 0 && next.secrets.paths.length === 0) return null;
  const { sources } = environment;
  const indexed = indexedAttributes(model, environment.store.indexes, context.tenant);
  const { index, unique, whereHeld } =
    changed.length === 0 ? NO_ENTRIES : entryDeltas(context, next, { changed, indexed });
  return {
    kind: "update",
    type: model.name,
    id: stored.id,
    at: writeInstant(sources, stored),
    nonce: sources.newNonce(),
    expectedVersion: stored.version,
    bodyBefore: changed.length === 0 ? undefined : stored.body,
    body: changed.length === 0 ? null : body,
    index,
    indexRevision: indexed.revision,
    unique,
    whereHeld,
    collections,
    ...(staged === undefined ? {} : { staged }),
    ...(next.secrets.changes.length === 0 ? {} : { secrets: next.secrets.changes }),
    event: {
      kind: next.kind,
      subject: context.subject,
      origin: context.origin,
      changed: [...changed, ...paths, ...next.secrets.paths],
    },
  };
}

/** What was written of a plan: null where nothing was. */
export interface Written {
  readonly plan: WritePlan | null;
  /** Of the write, or the present one where nothing was written. */
  readonly version: string;
  /** What the store made of the plan, where it keeps resources in its own way. */
  readonly state?: WrittenState | undefined;
}

/**
 * The resource as a plan left it, its collections aside. Where nothing of the body changed it stays as it is stored,
 * also where it was spelled in another way.
 */
export function afterWrite(stored: StoredResource, { plan, version, state }: Written): StoredResource {
  if (plan === null || plan.kind === "delete" || plan.kind === "restore") return stored;
  return { ...stored, body: plan.body ?? stored.body, lastModified: plan.at, version, ...state };
}

interface EntryDeltas {
  readonly index: EntryDelta<IndexEntry>;
  readonly unique: EntryDelta<UniqueEntry>;
  readonly whereHeld: readonly UniqueEntry[];
}

interface Change {
  /** Members of the body that differ. */
  readonly changed: readonly string[];
  readonly indexed: IndexedAttributes;
}

const NO_ENTRIES: EntryDeltas = {
  index: { add: [], remove: [] },
  unique: { add: [], remove: [] },
  whereHeld: [],
};

/**
 * How entries change: only those of members that changed can. A constraint that the profile does not have takes a new
 * value where the store holds it for who created the resource, and leaves those taken that stay the same.
 */
function entryDeltas(
  context: RequestContext,
  next: NextState,
  { changed, indexed: { nodes } }: Change,
): EntryDeltas {
  const { model, stored, body } = next;
  const { connection } = stored;
  const { constraints } = context.profile;
  const indexed = nodes.filter(({ keys: [name = ""] }) => changed.includes(name));
  const old = { constraints: ALL_CONSTRAINTS, connection, whole: stored.body, indexed };
  const before = entriesOf(model, pick(stored.body, changed), old);
  const scope = { constraints, connection, whole: body, indexed };
  const after = entriesOf(model, pick(body, changed), scope);
  return {
    index: entryDelta(before.index, after.index),
    unique: {
      add: entryDelta(before.unique, after.unique).add,
      remove: entryDelta(before.unique, [...after.unique, ...after.whereHeld]).remove,
    },
    whereHeld: entryDelta(before.unique, after.whereHeld).add,
  };
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  const picked: Record<string, JsonValue> = {};
  for (const name of names) {
    const value = own(object, name);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/** Names of the members that differ. */
function changedMembers(before: JsonObject, after: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !equalValues(own(before, name), own(after, name)));
}
