/**
 * A resource type of one's own, with an extension, as a service serves it and as a client knows it.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import { type AttributeDefinition, createDefaultRegistry, type SchemaRegistry } from "@scim/schemas";

const URN = "urn:example:params:scim:schemas:acme:1.0:Device";

/** The schema that extends devices. */
export const BADGE = "urn:example:params:scim:schemas:extension:acme:1.0:Device";

/** An attribute that is text. */
export function text<Name extends string>(name: Name): { readonly name: Name; readonly type: "string" } {
  return { name, type: "string" };
}

/** Devices, on both sides. */
export interface Devices {
  readonly type: ClientResourceType;
  readonly registry: SchemaRegistry;
}

/** Makes them of their attributes, and of those of their badge. */
export function devicesOf(
  attributes: readonly AttributeDefinition[],
  badges: readonly AttributeDefinition[],
): Devices {
  const schema = { id: URN, name: "Device", attributes };
  const badge = { id: BADGE, name: "Badge", attributes: badges };
  const registry = createDefaultRegistry();
  for (const each of [schema, badge]) registry.addSchema(each);
  registry.addResourceType({
    name: "Device",
    endpoint: "/Devices",
    schema: URN,
    schemaExtensions: [{ schema: BADGE, required: false }],
  });
  return { type: { name: "Device", endpoint: "/Devices", schema, extensions: [badge] }, registry };
}
