/**
 * The Group schema (RFC 7643 §4.2 and §8.7.1, with its verified errata).
 * @module
 */
import { defineSchema } from "../schema.ts";
import { GROUP_URN } from "../urns.ts";

/**
 * A group of users and of other groups (RFC 7643 §4.2). A member is added or removed as a whole: its
 * sub-attributes are immutable, and `value` is required, which RFC 7643 §4.2 leaves to the service.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7643#section-4.2 RFC 7643 §4.2}
 */
export const GROUP_SCHEMA = defineSchema({
  id: GROUP_URN,
  name: "Group",
  description: "A group of users and of other groups.",
  attributes: [
    {
      name: "displayName",
      type: "string",
      required: true,
      description: "Name under which the group is shown.",
    },
    {
      name: "members",
      type: "complex",
      multiValued: true,
      description: "Members of the group.",
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
          caseExact: true,
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
