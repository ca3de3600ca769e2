/**
 * The Enterprise User extension (RFC 7643 §4.3 and §8.7.1).
 * @module
 */
import { defineSchema } from "../schema.ts";
import { ENTERPRISE_USER_URN } from "../urns.ts";

/**
 * What an employer knows about a user (RFC 7643 §4.3).
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7643#section-4.3 RFC 7643 §4.3}
 */
export const ENTERPRISE_USER_SCHEMA = defineSchema({
  id: ENTERPRISE_USER_URN,
  name: "EnterpriseUser",
  description: "A user's place in an organization.",
  attributes: [
    { name: "employeeNumber", type: "string", description: "Number or code of the employee." },
    { name: "costCenter", type: "string", description: "Cost center that the user belongs to." },
    { name: "organization", type: "string", description: "Organization that the user belongs to." },
    { name: "division", type: "string", description: "Division that the user belongs to." },
    { name: "department", type: "string", description: "Department that the user belongs to." },
    {
      name: "manager",
      type: "complex",
      description: "The user's manager.",
      subAttributes: [
        { name: "value", type: "string", caseExact: true, description: "Identifier of the manager's user." },
        {
          name: "$ref",
          type: "reference",
          referenceTypes: ["User"],
          caseExact: true,
          description: "Address of the manager's user.",
        },
        {
          name: "displayName",
          type: "string",
          mutability: "readOnly",
          description: "Name of the manager, set by the service.",
        },
      ],
    },
  ],
});
