/**
 * A resource type whose attributes have an index or not, as a test wishes.
 * @module
 */
import { createDefaultRegistry, type SchemaRegistry } from "@scim/schemas";

const ASSET = "urn:example:params:scim:schemas:core:2.0:Asset";
/** URN of the extension of assets. */
export const LEASE = "urn:example:params:scim:schemas:extension:acme:1.0:Lease";

/** A registry with the type `Asset`, and indexes of some of its attributes. */
export function assets(indexed: readonly string[] = []): SchemaRegistry {
  const registry = createDefaultRegistry();
  registry.addSchema({
    id: ASSET,
    name: "Asset",
    attributes: [
      { name: "serial", type: "string", required: true },
      { name: "room", type: "string" },
      {
        name: "parts",
        type: "complex",
        multiValued: true,
        subAttributes: [{ name: "value", type: "string" }],
      },
    ],
  });
  registry.addSchema({ id: LEASE, name: "Lease", attributes: [{ name: "cost", type: "integer" }] });
  registry.addResourceType({
    name: "Asset",
    endpoint: "/Assets",
    schema: ASSET,
    schemaExtensions: [{ schema: LEASE, required: false }],
    annotations: Object.fromEntries(indexed.map((path) => [path, { indexed: true }])),
  });
  return registry;
}

/** The body of an asset. */
export function asset(serial: string, more: Readonly<Record<string, unknown>> = {}): Record<string, never> {
  // Tests write bodies that are JSON.
  return { schemas: [ASSET], serial, ...more } as unknown as Record<string, never>;
}
