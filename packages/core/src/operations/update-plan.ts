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
import { collectionDeltas, type CollectionValues } from "../plan/collections.ts";
import { entriesOf, entryDelta } from "../plan/entries.ts";
import { ALL_CONSTRAINTS } from "../profiles/profile.ts";
import type {
  EntryDelta,
  IndexEntry,
  ResourceEvent,
  StoredResource,
  UniqueEntry,
  UpdatePlan,
} from "../store/port.ts";

/** The state that a change leads to. */
export interface NextState {
  readonly model: ResourceModel;
  readonly stored: StoredResource;
  readonly body: JsonObject;
  /** Values of collections before, as far as they are known, and the wanted ones. */
  readonly collections: { readonly known: CollectionValues; readonly wanted: CollectionValues };
  /** Paths of secrets that the request set. Nobody can tell whether they are new, so they count as a change. */
  readonly secrets: readonly string[];
  readonly kind: Extract<ResourceEvent["kind"], "replaced" | "patched">;
}

/** Plans the change; null where nothing changes, so that no version does. */
export function planUpdate(
  environment: Environment,
  context: RequestContext,
  next: NextState,
): UpdatePlan | null {
  const { model, stored, body } = next;
  const collections = collectionDeltas(next.collections.known, next.collections.wanted);
  const changed = changedMembers(stored.body, body);
  if (changed.length === 0 && collections.length === 0 && next.secrets.length === 0) return null;
  const { sources } = environment;
  const { index, unique } = changed.length === 0 ? NO_ENTRIES : entryDeltas(context, next, changed);
  return {
    kind: "update",
    type: model.name,
    id: stored.id,
    at: new Date(Math.max(sources.now(), Date.parse(stored.lastModified))).toISOString(),
    nonce: sources.newNonce(),
    expectedVersion: stored.version,
    body: changed.length === 0 ? null : body,
    index,
    unique,
    collections,
    event: {
      kind: next.kind,
      subject: context.subject,
      changed: [...changed, ...collections.map((delta) => delta.path), ...next.secrets],
    },
  };
}

/**
 * The resource that a plan leads to, its version and collections aside. Where nothing of the body changes it stays
 * as it is stored, also where it was spelled in another way.
 */
export function afterPlan(stored: StoredResource, plan: UpdatePlan): StoredResource {
  return { ...stored, body: plan.body ?? stored.body, lastModified: plan.at };
}

interface EntryDeltas {
  readonly index: EntryDelta<IndexEntry>;
  readonly unique: EntryDelta<UniqueEntry>;
}

const NO_ENTRIES: EntryDeltas = { index: { add: [], remove: [] }, unique: { add: [], remove: [] } };

/** How entries change: only those of members that changed can. */
function entryDeltas(context: RequestContext, next: NextState, changed: readonly string[]): EntryDeltas {
  const { model, stored, body } = next;
  const { connection } = stored;
  const { constraints } = context.profile;
  const old = { constraints: ALL_CONSTRAINTS, connection, whole: stored.body };
  const before = entriesOf(model, pick(stored.body, changed), old);
  const after = entriesOf(model, pick(body, changed), { constraints, connection, whole: body });
  return {
    index: entryDelta(before.index, after.index),
    unique: uniqueDelta(before.unique, after.unique, { next, changed }),
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

/**
 * A constraint that the profile does not have takes no new value, and leaves those taken that stay the same: who
 * created the resource may have it.
 */
function uniqueDelta(
  before: readonly UniqueEntry[],
  active: readonly UniqueEntry[],
  { next, changed }: { readonly next: NextState; readonly changed: readonly string[] },
): EntryDelta<UniqueEntry> {
  const { model, stored, body } = next;
  const { add, remove } = entryDelta(before, active);
  if (remove.length === 0) return { add, remove };
  const { connection } = stored;
  const rules = { constraints: ALL_CONSTRAINTS, connection, whole: body };
  const after = entriesOf(model, pick(body, changed), rules);
  return { add, remove: entryDelta(before, after.unique).remove };
}

/** Names of the members that differ. */
function changedMembers(before: JsonObject, after: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !equalValues(own(before, name), own(after, name)));
}
