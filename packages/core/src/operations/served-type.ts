/**
 * Resource types as routes need them.
 * @module
 */
import { COMMON_ATTRIBUTES, RESOURCE_OPERATIONS } from "@scim/schemas";
import type { ResourceModel } from "../model/resource-model.ts";
import type { ServedType } from "../service.ts";

const COMMON_NAMES: ReadonlySet<string> = new Set(COMMON_ATTRIBUTES.map(({ name }) => name));
const served = new WeakMap<ResourceModel, ServedType>();

/** What is served of a type. One of which every attribute is readOnly can only be read. */
export function servedType(model: ResourceModel): ServedType {
  const known = served.get(model);
  if (known !== undefined) return known;
  const own = [...model.members.values()].filter((node) => !COMMON_NAMES.has(node.attribute.name));
  const isReadOnly = own.every((node) => node.attribute.mutability === "readOnly");
  const allowed = new Set(model.definition.operations ?? RESOURCE_OPERATIONS);
  const made: ServedType = {
    name: model.name,
    endpoint: model.definition.endpoint,
    operations: isReadOnly
      ? new Set([...allowed].filter((each) => each === "read" || each === "query"))
      : allowed,
    hasCollections: model.collections.length > 0,
  };
  served.set(model, made);
  return made;
}
