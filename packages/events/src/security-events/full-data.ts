/**
 * What the full form of an event holds: the final representation, or the PATCH that leads to it. Where the event does not
 * hold all of that, there is none, and the notice stands for it.
 * @module
 */
import {
  entityTag,
  type AttributeNode,
  type CollectionChange,
  type FeedEvent,
  type ResourceModel,
} from "@scim/core";
import { PATCH_OP_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import { shownResource, shownValue } from "../delivery/shown-resource.ts";

/** A change whose representation is told. */
export interface RepresentedChange {
  readonly event: FeedEvent;
  /** Null where the type is not served any more. */
  readonly model: ResourceModel | null;
  /** Address of the resource. */
  readonly location: string;
}

/**
 * The final representation, as an answer would hold it but for secrets (RFC 9967 §2.4.1, §2.4.3); null where the event does
 * not hold it: a collection of many values is only counted, and a replacement tells of collections what came and went.
 */
export function representationOf({ event, model, location }: RepresentedChange): JsonObject | null {
  const resource = shownResource(event, model);
  if (resource === null || model === null) return null;
  if (event.kind !== "created" && model.collections.length > 0) return null;
  const collections = event.collections.map(({ path, added }) =>
    typeof added === "number" ? null : ([path, added.map((value) => ({ value }))] as const),
  );
  if (collections.includes(null)) return null;
  const values = Object.fromEntries(collections.filter((one) => one !== null));
  return { ...resource, ...values, meta: metaOf(event, location) };
}

/** When a resource was created is told with the event that creates it, and with no other. */
function metaOf({ type, kind, at, version, versionBefore }: FeedEvent, location: string): JsonObject {
  const created = kind === "created" && versionBefore === null ? { created: at } : {};
  return { resourceType: type, ...created, lastModified: at, location, version: entityTag(version) };
}

/**
 * The PATCH that leads from what was to what is (RFC 9967 §2.4.2); null where the event does not hold it: where a secret
 * alone changed, or the content is gone with the person, there is no operation, and a PATCH has one at least
 * (RFC 7644 §3.5.2).
 */
export function patchOf(event: FeedEvent, model: ResourceModel | null): JsonObject | null {
  const collections = event.collections.map(collectionOperations);
  if (model === null || collections.includes(null)) return null;
  const [was, is] = [event.before ?? {}, event.after ?? {}];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  const operations = [...names].flatMap((name) =>
    memberOperation(model, name, { was: was[name], is: is[name] }),
  );
  operations.push(...collections.flatMap((each) => each ?? []));
  return operations.length === 0 ? null : { schemas: [PATCH_OP_URN], Operations: operations };
}

function memberOperation(
  model: ResourceModel,
  name: string,
  { was, is }: { readonly was: JsonValue | undefined; readonly is: JsonValue | undefined },
): JsonObject[] {
  const node: AttributeNode | undefined = model.members.get(name.toLowerCase());
  const [before, after] = [was, is].map((value) =>
    value === undefined ? undefined : shownValue(value, node),
  );
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [after === undefined ? { op: "remove", path: name } : { op: "replace", path: name, value: after }];
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
