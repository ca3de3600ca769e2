/**
 * Registries to make documents of: the default one, and one whose documents try everything.
 * @module
 */
import { createDefaultRegistry, ENTERPRISE_USER_URN, USER_URN, type SchemaRegistry } from "@scim/schemas";

export const PROBE = "urn:example:params:scim:schemas:acme:1.0:Probe";
export const LABELS = "urn:example:params:scim:schemas:extension:acme:1.0:Labels";
export const BADGE = "urn:example:params:scim:schemas:extension:acme:1.0:Badge";

/** Every data type, every mutability, names that an object has by nature, annotations. */
const PROBE_SCHEMA = {
  id: PROBE,
  name: "Probe",
  description: "Tries everything.",
  attributes: [
    {
      name: "label",
      type: "string",
      required: true,
      uniqueness: "server",
      description: "What it is called.",
    },
    { name: "code", type: "string", mutability: "immutable" },
    { name: "pin", type: "string", mutability: "writeOnly", returned: "never" },
    { name: "state", type: "string", mutability: "readOnly" },
    { name: "notes", type: "string", multiValued: true, returned: "request" },
    { name: "kind", type: "string", canonicalValues: ["a", "b"] },
    { name: "constructor", type: "boolean" },
    { name: "ratio", type: "decimal" },
    { name: "rank", type: "integer" },
    { name: "seen", type: "dateTime" },
    { name: "image", type: "binary" },
    { name: "page", type: "reference", referenceTypes: ["external"] },
    {
      name: "places",
      type: "complex",
      multiValued: true,
      subAttributes: [
        { name: "value", type: "string", required: true },
        { name: "since", type: "dateTime", mutability: "readOnly" },
        { name: "toString", type: "string" },
      ],
    },
    {
      name: "owners",
      type: "complex",
      multiValued: true,
      subAttributes: [
        { name: "value", type: "string" },
        { name: "$ref", type: "reference", referenceTypes: ["User", "Group"] },
        { name: "type", type: "string", canonicalValues: ["User", "Group"] },
      ],
    },
  ],
};

const LABELS_SCHEMA = {
  id: LABELS,
  name: "Labels",
  attributes: [{ name: "colour", type: "string", required: true }],
};
const BADGE_SCHEMA = { id: BADGE, name: "Badge", attributes: [{ name: "number", type: "integer" }] };

/** Types that try everything: narrowed ones, one that can only be read, one with the name of a message. */
export function probingRegistry(): SchemaRegistry {
  const registry = createDefaultRegistry();
  for (const schema of [PROBE_SCHEMA, LABELS_SCHEMA, BADGE_SCHEMA]) registry.addSchema(schema);
  registry.addResourceType({
    name: "User",
    endpoint: "/Users",
    schema: USER_URN,
    schemaExtensions: [
      { schema: ENTERPRISE_USER_URN, required: false },
      { schema: BADGE, required: false },
    ],
  });
  registry.addResourceType({
    name: "Probe",
    description: "Tries everything.",
    endpoint: "/Probes",
    schema: PROBE,
    schemaExtensions: [{ schema: LABELS, required: true }],
    annotations: {
      code: { minLength: 2, maxLength: 5 },
      ratio: { minimum: 0, maximum: 1, precision: 4, scale: 2 },
      rank: { minimum: 1, default: 7 },
      [`${LABELS}:colour`]: { maxLength: 20 },
    },
  });
  registry.addResourceType({
    name: "Receipt",
    endpoint: "/Receipts",
    schema: PROBE,
    operations: ["read", "create"],
  });
  return registry;
}
