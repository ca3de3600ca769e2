/**
 * Schemas and resource types of a SCIM service, made by `scim generate`: make it anew rather than change it.
 * @module
 */
import { defineResourceType, type ShapeOf } from "@scim/client";
import { defineSchema } from "@scim/schemas";

/**
 * *\/ globalThis.hacked = true; /* `${globalThis.hacked = true}` "); globalThis.hacked = true; ("
 * reversed * @returns nothing
 */
export const SHAPE_OF_GLOBAL_THIS_HACKED_TRUE_SCHEMA = defineSchema({
  id: "urn:evil:\"*/ globalThis.hacked = true; /* `${globalThis.hacked = true}` \"); globalThis.hacked = true; (\"",
  name: "ShapeOf */ globalThis.hacked = true; /* `${globalThis.hacked = true}` \"); globalThis.hacked = true; (\"",
  description: "*/ globalThis.hacked = true; /* `${globalThis.hacked = true}` \"); globalThis.hacked = true; (\"\u{2028}\u{202e}reversed\n * @returns nothing",
  attributes: [
    {
      name: "constructor",
      type: "string",
      description: "*/ globalThis.hacked = true; /* `${globalThis.hacked = true}` \"); globalThis.hacked = true; (\"",
      canonicalValues: [
        "*/ globalThis.hacked = true; /* `${globalThis.hacked = true}` \"); globalThis.hacked = true; (\"",
      ],
    },
    { name: "size", type: "string" },
    {
      name: "deep",
      type: "complex",
      multiValued: true,
      subAttributes: [
        { name: "deeper", type: "complex", subAttributes: [{ name: "deepest", type: "string" }] },
      ],
    },
  ],
});

/** The schema urn:evil:extension. */
export const EVIL_GLOBAL_THIS_HACKED_EXTENSION_SCHEMA = defineSchema({
  id: "urn:evil:extension",
  attributes: [{ name: "tag", type: "string" }],
});

/**
 * The resource type Evil"]; *\/ globalThis.hacked = true; /* `${globalThis.hacked = true}` ");
 * globalThis.hacked = true; (" at /Evils.
 */
export const EVIL_GLOBAL_THIS_HACKED_TRUE = defineResourceType({
  name: "Evil\"]; */ globalThis.hacked = true; /* `${globalThis.hacked = true}` \"); globalThis.hacked = true; (\"",
  endpoint: "/Evils",
  schema: SHAPE_OF_GLOBAL_THIS_HACKED_TRUE_SCHEMA,
  extensions: [EVIL_GLOBAL_THIS_HACKED_EXTENSION_SCHEMA],
});

/**
 * Evil"]; *\/ globalThis.hacked = true; /* `${globalThis.hacked = true}` "); globalThis.hacked =
 * true; (" as the service answers with it: *\/ globalThis.hacked = true; /* `${globalThis.hacked =
 * true}` "); globalThis.hacked = true; (" reversed * @returns nothing
 */
export type EvilGlobalThisHackedTrue = ShapeOf<typeof SHAPE_OF_GLOBAL_THIS_HACKED_TRUE_SCHEMA, readonly [typeof EVIL_GLOBAL_THIS_HACKED_EXTENSION_SCHEMA]>["Resource"];

/**
 * Evil"]; *\/ globalThis.hacked = true; /* `${globalThis.hacked = true}` "); globalThis.hacked =
 * true; (" as it is sent: without what is readOnly.
 */
export type EvilGlobalThisHackedTrueInput = ShapeOf<typeof SHAPE_OF_GLOBAL_THIS_HACKED_TRUE_SCHEMA, readonly [typeof EVIL_GLOBAL_THIS_HACKED_EXTENSION_SCHEMA]>["Input"];

/** The schema urn:twin. */
export const EVIL_GLOBALTHIS_SCHEMA = defineSchema({ id: "urn:twin", attributes: [] });

/** The resource type evil globalthis at /Twins. */
export const EVIL_GLOBALTHIS = defineResourceType({
  name: "evil globalthis",
  endpoint: "/Twins",
  schema: EVIL_GLOBALTHIS_SCHEMA,
});

/** evil globalthis as the service answers with it. */
export type EvilGlobalthis = ShapeOf<typeof EVIL_GLOBALTHIS_SCHEMA>["Resource"];

/** evil globalthis as it is sent: without what is readOnly. */
export type EvilGlobalthisInput = ShapeOf<typeof EVIL_GLOBALTHIS_SCHEMA>["Input"];

/** The schema urn:first. */
export const TYPE_1ST_SCHEMA = defineSchema({ id: "urn:first", attributes: [] });

/** The resource type 1st at /Firsts. */
export const TYPE_1ST = defineResourceType({
  name: "1st",
  endpoint: "/Firsts",
  schema: TYPE_1ST_SCHEMA,
});

/** 1st as the service answers with it. */
export type Type1st = ShapeOf<typeof TYPE_1ST_SCHEMA>["Resource"];

/** 1st as it is sent: without what is readOnly. */
export type Type1stInput = ShapeOf<typeof TYPE_1ST_SCHEMA>["Input"];

/** The resource type Type 1st at /Others. */
export const TYPE_1ST_2 = defineResourceType({
  name: "Type 1st",
  endpoint: "/Others",
  schema: TYPE_1ST_SCHEMA,
});

/** Type 1st as the service answers with it. */
export type Type1st2 = ShapeOf<typeof TYPE_1ST_SCHEMA>["Resource"];

/** Type 1st as it is sent: without what is readOnly. */
export type Type1stInput2 = ShapeOf<typeof TYPE_1ST_SCHEMA>["Input"];
