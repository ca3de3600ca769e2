/**
 * A stored resource as filters and sorts see it: with `id`, `schemas`, `meta` and the collections that were read.
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";
import type { ResourceModel } from "../../model/resource-model.ts";
import { locationOf, putValue, schemasOf } from "../../projection/represent.ts";
import type { StoredResource } from "../../store/port.ts";

/** The view of a resource. `meta.version` is the raw version of the write. */
export function viewOf(model: ResourceModel, stored: StoredResource, baseUrl: string): JsonObject {
  const view: Record<string, JsonValue> = {
    ...stored.body,
    id: stored.id,
    schemas: schemasOf(model, stored.body),
    meta: {
      resourceType: model.name,
      created: stored.created,
      lastModified: stored.lastModified,
      location: locationOf(model, stored.id, baseUrl),
      version: stored.version,
    },
  };
  for (const { node } of model.collections) {
    const values = stored.collections.get(node.path);
    if (values === undefined || values.length === 0) continue;
    const list = values.map(({ value, rest }) => ({ value, ...rest }));
    putValue(view, node, list);
  }
  for (const { node } of model.inverses) {
    const values = stored.inverses.get(node.path);
    if (values === undefined) continue;
    view[node.attribute.name] = values.map(({ id, display, direct }) => ({
      value: id,
      ...(display === null ? {} : { display }),
      type: direct ? "direct" : "indirect",
    }));
  }
  return view;
}
