/**
 * A resource type of documents alone, Thing, with a unique label and one more attribute, `held`.
 * @module
 */
import { createSchemaRegistry, type JsonObject, type SchemaRegistry } from "@scim/schemas";

const THING_URN = "urn:example:params:scim:schemas:acme:1.0:Thing";

/** A registry of things, with the characteristics of `held`. */
export function things(held: JsonObject): SchemaRegistry {
  const label = { name: "label", type: "string", required: true, uniqueness: "server" };
  const registry = createSchemaRegistry();
  registry.addDocuments([
    { source: "thing", document: { id: THING_URN, attributes: [label, { name: "held", ...held }] } },
    { source: "type", document: { name: "Thing", endpoint: "/Things", schema: THING_URN } },
  ]);
  return registry;
}
