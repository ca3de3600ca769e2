/**
 * A stored resource as filters and sorts see it: with `id`, `schemas`, `meta`, the collections that were read, and
 * the `$ref` of each reference.
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";
import type { ResourceModel } from "../../model/resource-model.ts";
import { locationOf } from "../../projection/addresses.ts";
import {
  addAddresses,
  collectionValues,
  inverseValues,
  putValue,
  schemasOf,
} from "../../projection/represent.ts";
import type { StoredResource } from "../../store/stored-resource.ts";

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
  addAddresses(view, { model, baseUrl });
  for (const collection of model.collections) {
    const values = collectionValues(model, collection, { stored, baseUrl });
    if (values.length > 0) putValue(view, collection.node, values);
  }
  for (const inverse of model.inverses) {
    if (!stored.inverses.has(inverse.node.path)) continue;
    view[inverse.node.attribute.name] = inverseValues(model, inverse, { stored, baseUrl });
  }
  return view;
}
