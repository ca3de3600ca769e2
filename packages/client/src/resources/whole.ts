/**
 * What has to be asked for so that a service shows all of a resource that it ever does (RFC 7643 §7).
 * @module
 */
import { isJsonObject, type AttributeDefinition } from "@scim/schemas";
import type { ClientResourceType } from "./resource-type.ts";
import type { DynamicResource } from "./shape.ts";

/** What answers leave out where attributes are named (RFC 7644 §3.9): `id` and `schemas` are always there. */
const COMMON = ["externalId", "meta"];

/**
 * All attributes of a type that a service shows, for `attributes` of a read, where some are shown on request alone
 * (`returned: request`); undefined where a service shows all that it ever does without being asked.
 */
export function wholeAttributes({
  schema,
  extensions,
}: Pick<ClientResourceType, "schema" | "extensions">): readonly string[] | undefined {
  const [shown, requested]: [string[], string[]] = [[], []];
  const add = (attributes: readonly AttributeDefinition[], prefix: string): void => {
    for (const attribute of attributes) {
      const path = `${prefix}${attribute.name}`;
      if (attribute.returned === "never") continue;
      (attribute.returned === "request" ? requested : shown).push(path);
      const parts = attribute.type === "complex" ? attribute.subAttributes : [];
      for (const { name, returned } of parts) if (returned === "request") requested.push(`${path}.${name}`);
    }
  };
  add(schema.attributes, "");
  for (const { id, attributes } of extensions) add(attributes, `${id}:`);
  return requested.length === 0 ? undefined : [...COMMON, ...shown, ...requested];
}

/** Adds to a resource, in place, what another reading of it has besides: attributes, and those of extensions. */
export function withMissing(resource: DynamicResource, other: DynamicResource): DynamicResource {
  for (const [name, value] of Object.entries(other)) {
    const held = Object.hasOwn(resource, name) ? resource[name] : undefined;
    const isExtension = name.includes(":") && isJsonObject(held) && isJsonObject(value);
    if (held === undefined) define(resource, name, value);
    else if (isExtension) define(resource, name, { ...value, ...held });
  }
  return resource;
}

/** Names come from services: none is taken for a property of objects. */
function define(resource: DynamicResource, name: string, value: unknown): void {
  Object.defineProperty(resource, name, { value, enumerable: true, configurable: true, writable: true });
}
