/**
 * The plan of a change from one state of a resource to another; none where the states are the same.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { equalValues } from "../attributes/equal.ts";
import { own } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { collectionDeltas, type CollectionValues } from "../plan/collections.ts";
import { entriesOf, entryDelta } from "../plan/entries.ts";
import { ALL_CONSTRAINTS } from "../profiles/profile.ts";
import type { EntryDelta, ResourceEvent, StoredResource, UniqueEntry, UpdatePlan } from "../store/port.ts";

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
  const { connection } = stored;
  const before = entriesOf(model, stored.body, { constraints: ALL_CONSTRAINTS, connection });
  const { constraints } = context.profile;
  const after = entriesOf(model, body, { constraints, connection });
  return {
    kind: "update",
    type: model.name,
    id: stored.id,
    at: new Date(Math.max(sources.now(), Date.parse(stored.lastModified))).toISOString(),
    nonce: sources.newNonce(),
    expectedVersion: stored.version,
    body: changed.length === 0 ? null : body,
    index: entryDelta(before.index, after.index),
    unique: uniqueDelta(before.unique, after.unique, next),
    collections,
    event: {
      kind: next.kind,
      subject: context.subject,
      changed: [...changed, ...collections.map((delta) => delta.path), ...next.secrets],
    },
  };
}

/**
 * A constraint that the profile does not have takes no new value, and leaves those taken that stay the same: who
 * created the resource may have it.
 */
function uniqueDelta(
  before: readonly UniqueEntry[],
  active: readonly UniqueEntry[],
  { model, stored, body }: NextState,
): EntryDelta<UniqueEntry> {
  const { add, remove } = entryDelta(before, active);
  if (remove.length === 0) return { add, remove };
  const { connection } = stored;
  const after = entriesOf(model, body, { constraints: ALL_CONSTRAINTS, connection });
  return { add, remove: entryDelta(before, after.unique).remove };
}

/** Names of the members that differ. */
function changedMembers(before: JsonObject, after: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !equalValues(own(before, name), own(after, name)));
}
