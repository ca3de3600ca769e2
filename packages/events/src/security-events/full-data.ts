/**
 * What the full form of an event holds: the final representation, or the PATCH that leads to it. Where the event does not
 * hold all of that, there is none, and the notice stands for it.
 * @module
 */
import type { AttributeNode, CollectionChange, FeedEvent, ResourceModel } from "@scim/core";
import { PATCH_OP_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import { sensitivityOf } from "../audit/sensitivity.ts";
import { shownResource } from "../delivery/shown-resource.ts";

/**
 * The final representation, with its id and without secrets (RFC 9967 §2.4.1, §2.4.3); null where the event does not hold
 * it: a collection of many values is only counted, and a replacement tells what came and went.
 */
export function representationOf(event: FeedEvent, model: ResourceModel | null): JsonObject | null {
  const resource = shownResource(event, model);
  if (resource === null) return null;
  if (event.kind !== "created") return event.collections.length === 0 ? resource : null;
  const collections = event.collections.map(({ path, added }) =>
    typeof added === "number" ? null : ([path, added.map((value) => ({ value }))] as const),
  );
  return collections.includes(null)
    ? null
    : { ...resource, ...Object.fromEntries(collections.filter((one) => one !== null)) };
}

/** The PATCH that leads from what was to what is (RFC 9967 §2.4.2); null where the event does not hold it. */
export function patchOf(event: FeedEvent, model: ResourceModel | null): JsonObject | null {
  const collections = event.collections.map(collectionOperations);
  if (model === null || collections.includes(null)) return null;
  const [was, is] = [event.before ?? {}, event.after ?? {}];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  const operations = [...names].flatMap((name) =>
    memberOperation(model, name, { was: was[name], is: is[name] }),
  );
  return {
    schemas: [PATCH_OP_URN],
    Operations: [...operations, ...collections.flatMap((each) => each ?? [])],
  };
}

function memberOperation(
  model: ResourceModel,
  name: string,
  { was, is }: { readonly was: JsonValue | undefined; readonly is: JsonValue | undefined },
): JsonObject[] {
  const node: AttributeNode | undefined = model.members.get(name.toLowerCase());
  if (JSON.stringify(was) === JSON.stringify(is) || sensitivityOf(node) === "secret") return [];
  return [is === undefined ? { op: "remove", path: name } : { op: "replace", path: name, value: is }];
}

function collectionOperations({ path, removed, added }: CollectionChange): JsonObject[] | null {
  if (typeof removed === "number" || typeof added === "number") return null;
  const removals =
    removed === "all"
      ? [{ op: "remove", path }]
      : removed.map((value) => ({ op: "remove", path: `${path}[value eq ${JSON.stringify(value)}]` }));
  const additions = added.length === 0 ? [] : [{ op: "add", path, value: added.map((value) => ({ value })) }];
  return [...removals, ...additions];
}
