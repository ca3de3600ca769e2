/**
 * What a hostile or careless service may say of itself.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import type { JsonObject, SchemaDefinition } from "@scim/schemas";

const ESCAPE =
  '*/ globalThis.hacked = true; /* `${globalThis.hacked = true}` "); globalThis.hacked = true; ("';

function schema(document: JsonObject): SchemaDefinition {
  // As a client gives it, which checks no more than that attributes have names and types.
  return document as unknown as SchemaDefinition;
}

/** Types whose every text tries to become code, or is what SCIM does not know. */
export const HOSTILE_TYPES: readonly ClientResourceType[] = [
  {
    name: `Evil"]; ${ESCAPE}`,
    endpoint: "/Evils",
    schema: schema({
      id: `urn:evil:"${ESCAPE}`,
      name: `ShapeOf ${ESCAPE}`,
      description: `${ESCAPE}\u2028\u202Ereversed\n * @returns nothing`,
      attributes: [
        { name: "id", type: "string" },
        { name: "constructor", type: "String", description: ESCAPE, canonicalValues: [ESCAPE, 1] },
        { name: "__proto__", type: "string" },
        { name: `x: 1 }, ${ESCAPE}`, type: "string" },
        { name: "size", type: "float64", mutability: "WriteOnce", required: "yes" },
        { name: "Size", type: "integer" },
        {
          name: "deep",
          type: "complex",
          multiValued: true,
          subAttributes: [
            {
              name: "deeper",
              type: "complex",
              subAttributes: [{ name: "deepest", type: "complex", subAttributes: [] }],
            },
          ],
        },
      ],
    }),
    extensions: [schema({ id: "urn:evil:extension", attributes: [{ name: "tag", type: "STRING" }] })],
  },
  {
    name: "evil globalthis",
    endpoint: "/Twins",
    schema: schema({ id: "urn:twin", attributes: [] }),
    extensions: [],
  },
  {
    name: "Lost",
    endpoint: `/a"); ${ESCAPE}`,
    schema: schema({ id: "urn:lost", attributes: [] }),
    extensions: [],
  },
  { name: "1st", endpoint: "/Firsts", schema: schema({ id: "urn:first", attributes: [] }), extensions: [] },
  {
    name: "Type 1st",
    endpoint: "/Others",
    schema: schema({ id: "URN:FIRST", attributes: [] }),
    extensions: [],
  },
];
