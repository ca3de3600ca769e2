/**
 * Memberships of groups as resources of their own: the rows of `Group.members`, which a service may serve beside it.
 * No RFC defines them; the URN is an example of one's own.
 * @module
 */
import type { ResourceTypeDefinition } from "../resource-type.ts";
import { defineSchema } from "../schema.ts";

/** Our own schema of memberships as resources. */
export const GROUP_MEMBERSHIP_URN = "urn:example:params:scim:schemas:scim:1.0:GroupMembership";

/** One member of one group. It is created and deleted, and never changes. */
export const GROUP_MEMBERSHIP_SCHEMA = defineSchema({
  id: GROUP_MEMBERSHIP_URN,
  name: "GroupMembership",
  description: "One member of one group.",
  attributes: [
    {
      name: "group",
      type: "complex",
      required: true,
      mutability: "immutable",
      description: "The group.",
      subAttributes: [
        {
          name: "value",
          type: "string",
          required: true,
          caseExact: true,
          mutability: "immutable",
          description: "Identifier of the group.",
        },
        {
          name: "$ref",
          type: "reference",
          referenceTypes: ["Group"],
          mutability: "immutable",
          description: "Address of the group.",
        },
        { name: "display", type: "string", mutability: "readOnly", description: "Name of the group." },
      ],
    },
    {
      name: "member",
      type: "complex",
      required: true,
      mutability: "immutable",
      description: "The member.",
      subAttributes: [
        {
          name: "value",
          type: "string",
          required: true,
          caseExact: true,
          mutability: "immutable",
          description: "Identifier of the member.",
        },
        {
          name: "$ref",
          type: "reference",
          referenceTypes: ["User", "Group"],
          mutability: "immutable",
          description: "Address of the member.",
        },
        {
          name: "type",
          type: "string",
          canonicalValues: ["User", "Group"],
          mutability: "immutable",
          description: "Resource type of the member.",
        },
        { name: "display", type: "string", mutability: "immutable", description: "Name of the member." },
      ],
    },
  ],
});

/** Memberships at `/GroupMemberships`. */
export const GROUP_MEMBERSHIP_RESOURCE_TYPE = {
  name: "GroupMembership",
  description: "Memberships of groups, each a resource of its own.",
  endpoint: "/GroupMemberships",
  schema: GROUP_MEMBERSHIP_URN,
  rowsOf: { type: "Group", path: "members", owner: "group", value: "member" },
} as const satisfies ResourceTypeDefinition;
