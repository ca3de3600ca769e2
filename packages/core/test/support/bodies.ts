/**
 * Bodies of resources as clients send them.
 * @module
 */
import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN, type JsonObject, type JsonValue } from "@scim/schemas";

/** A User with no more than it must have, and what is added. */
export function user(members: JsonObject = {}): JsonObject {
  return { schemas: [USER_URN], userName: "bjensen", ...members };
}

/** A Group with no more than it must have, and what is added. */
export function group(members: JsonObject = {}): JsonObject {
  return { schemas: [GROUP_URN], displayName: "Tour Guides", ...members };
}

/** The Enterprise User extension as a member of a User. */
export function enterprise(values: JsonValue): JsonObject {
  return { [ENTERPRISE_USER_URN]: values };
}

/** A resource without what the service adds to every one: `schemas`, `id` and `meta`. */
export function ownValues(resource: JsonObject): JsonObject {
  const { schemas: _schemas, id: _id, meta: _meta, ...own } = resource;
  return own;
}

/** The value of `meta` of a resource by its name. */
export function metaOf(resource: JsonObject, name: string): JsonValue | undefined {
  const { meta } = resource;
  return typeof meta === "object" && meta !== null && !Array.isArray(meta)
    ? (meta as JsonObject)[name]
    : undefined;
}
