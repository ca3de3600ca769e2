/**
 * The attributes of every resource (RFC 7643 §3 and §3.1). They belong to no schema.
 * @module
 */
import type { AttributeDefinition } from "../attribute.ts";

/**
 * `schemas`, `id`, `externalId` and `meta`. `schemas`, `id` and `meta` are part of every representation,
 * whatever a request leaves out. `id` is required of the service, never of a client.
 *
 * The RFC states no characteristics for `schemas`; these follow from its prose.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7643#section-3.1 RFC 7643 §3.1}
 */
export const COMMON_ATTRIBUTES = [
  {
    name: "schemas",
    type: "reference",
    referenceTypes: ["uri"],
    multiValued: true,
    required: true,
    caseExact: true,
    returned: "always",
    description: "URIs of the schemas that shape the resource.",
  },
  {
    name: "id",
    type: "string",
    required: true,
    caseExact: true,
    mutability: "readOnly",
    returned: "always",
    uniqueness: "server",
    description: "Identifier that the service gave to the resource.",
  },
  {
    name: "externalId",
    type: "string",
    caseExact: true,
    description: "Identifier that the client gave to the resource.",
  },
  {
    name: "meta",
    type: "complex",
    mutability: "readOnly",
    returned: "always",
    description: "What the service knows about the resource itself.",
    subAttributes: [
      {
        name: "resourceType",
        type: "string",
        caseExact: true,
        mutability: "readOnly",
        returned: "always",
        description: "Name of the resource type.",
      },
      {
        name: "created",
        type: "dateTime",
        mutability: "readOnly",
        returned: "always",
        description: "When the resource was added.",
      },
      {
        name: "lastModified",
        type: "dateTime",
        mutability: "readOnly",
        returned: "always",
        description: "When the resource was last changed.",
      },
      {
        name: "location",
        type: "reference",
        referenceTypes: ["uri"],
        caseExact: true,
        mutability: "readOnly",
        returned: "always",
        description: "Address of the resource.",
      },
      {
        name: "version",
        type: "string",
        caseExact: true,
        mutability: "readOnly",
        returned: "always",
        description: "Entity tag of the resource.",
      },
    ],
  },
] as const satisfies readonly AttributeDefinition[];
