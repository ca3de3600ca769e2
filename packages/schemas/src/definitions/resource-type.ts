/**
 * The ResourceType schema (RFC 7643 §6 and §8.7.2, with its verified errata).
 * @module
 */
import { defineSchema } from "../schema.ts";
import { RESOURCE_TYPE_URN } from "../urns.ts";

/**
 * A resource type: where its resources are, and which schemas shape them (RFC 7643 §6).
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7643#section-6 RFC 7643 §6}
 */
export const RESOURCE_TYPE_SCHEMA = defineSchema({
  id: RESOURCE_TYPE_URN,
  name: "ResourceType",
  description: "A kind of resource that the service offers.",
  attributes: [
    {
      name: "name",
      type: "string",
      required: true,
      caseExact: true,
      mutability: "readOnly",
      uniqueness: "server",
      description: "Name of the resource type.",
    },
    {
      name: "description",
      type: "string",
      mutability: "readOnly",
      description: "What the resource type is.",
    },
    {
      name: "endpoint",
      type: "reference",
      referenceTypes: ["uri"],
      required: true,
      caseExact: true,
      mutability: "readOnly",
      uniqueness: "server",
      description: "Path of the resources below the base address.",
    },
    {
      name: "schema",
      type: "reference",
      referenceTypes: ["uri"],
      required: true,
      caseExact: true,
      mutability: "readOnly",
      description: "URI of the base schema.",
    },
    {
      name: "schemaExtensions",
      type: "complex",
      multiValued: true,
      mutability: "readOnly",
      description: "Extensions of the base schema.",
      subAttributes: [
        {
          name: "schema",
          type: "reference",
          referenceTypes: ["uri"],
          required: true,
          caseExact: true,
          mutability: "readOnly",
          description: "URI of the extension.",
        },
        {
          name: "required",
          type: "boolean",
          required: true,
          mutability: "readOnly",
          description: "Whether every resource must carry the extension.",
        },
      ],
    },
  ],
});
