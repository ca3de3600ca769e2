/**
 * Resource types that the contract stores: User and Group, and one with an indexed attribute of every type.
 * @module
 */
import { createDefaultRegistry, defineSchema } from "@scim/schemas";
import { createModelCatalog } from "../../model/catalog.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { indexSource } from "../../plan/index-source.ts";
import type { IndexSource } from "../../store/index-catalog.ts";

const BADGE_URN = "urn:example:params:scim:schemas:core:2.0:Badge";

const BADGE_SCHEMA = defineSchema({
  id: BADGE_URN,
  name: "Badge",
  description: "A badge, with an attribute of each type.",
  attributes: [
    { name: "label", type: "string" },
    { name: "code", type: "string", caseExact: true },
    { name: "note", type: "string" },
    { name: "level", type: "integer" },
    { name: "weight", type: "decimal" },
    { name: "valid", type: "boolean" },
    { name: "issued", type: "dateTime" },
    { name: "tags", type: "string", multiValued: true },
    {
      name: "doors",
      type: "complex",
      multiValued: true,
      subAttributes: [
        { name: "value", type: "string" },
        { name: "type", type: "string" },
        { name: "primary", type: "boolean" },
      ],
    },
    { name: "owner", type: "complex", subAttributes: [{ name: "name", type: "string" }] },
  ],
});

const INDEXED = ["label", "code", "level", "weight", "valid", "issued", "tags", "doors.value", "owner.name"];

const catalog = createModelCatalog(registry());

function registry(): ReturnType<typeof createDefaultRegistry> {
  const types = createDefaultRegistry();
  types.addSchema(BADGE_SCHEMA);
  types.addResourceType({
    name: "Badge",
    endpoint: "/Badges",
    schema: BADGE_URN,
    annotations: Object.fromEntries(INDEXED.map((path) => [path, { indexed: true }])),
  });
  return types;
}

/** What a store is told of the types of the contract, so that it builds their indexes. */
export const SAMPLE_INDEXES: IndexSource = indexSource(catalog);

/** The types that the contract uses. */
export type SampleType = "User" | "Group" | "Badge";

/** The model of a type. */
export function modelOf(type: SampleType): ResourceModel {
  return catalog.model(type);
}
