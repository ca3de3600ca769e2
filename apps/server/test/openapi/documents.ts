/**
 * Types of one's own: one with an extension that must be there and all kinds of attributes, one narrowed to
 * read and create.
 * @module
 */
import { schemaDocument } from "../over-http/documents.ts";

const DEVICE = "urn:example:params:scim:schemas:acme:1.0:Device";
const RECEIPT = "urn:example:params:scim:schemas:acme:1.0:Receipt";
const WARRANTY = "urn:example:params:scim:schemas:extension:acme:1.2.0:Warranty";

const TYPE = "urn:ietf:params:scim:schemas:core:2.0:ResourceType";

/** Documents as an operator gives them to the server. */
export const DOCUMENTS: readonly object[] = [
  schemaDocument({
    id: DEVICE,
    name: "Device",
    attributes: [
      { name: "serial", type: "string", required: true, caseExact: true, uniqueness: "server" },
      { name: "model", type: "string", mutability: "immutable" },
      { name: "pin", type: "string", mutability: "writeOnly", returned: "never" },
      { name: "health", type: "string", mutability: "readOnly" },
      { name: "class", type: "string", canonicalValues: ["phone", "laptop"] },
      { name: "weight", type: "decimal" },
      { name: "ports", type: "integer" },
      { name: "bought", type: "dateTime" },
      { name: "certificate", type: "binary" },
      { name: "manual", type: "reference", referenceTypes: ["external"] },
      { name: "notes", type: "string", multiValued: true, returned: "request" },
      {
        name: "owners",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string", required: true },
          { name: "$ref", type: "reference", referenceTypes: ["User"] },
          { name: "primary", type: "boolean" },
        ],
      },
    ],
  }),
  schemaDocument({
    id: WARRANTY,
    name: "Warranty",
    attributes: [{ name: "ends", type: "dateTime", required: true }],
  }),
  schemaDocument({
    id: RECEIPT,
    name: "Receipt",
    attributes: [{ name: "sum", type: "decimal", required: true }],
  }),
  {
    schemas: [TYPE],
    name: "Device",
    endpoint: "/Devices",
    schema: DEVICE,
    schemaExtensions: [{ schema: WARRANTY, required: true }],
    annotations: { model: { minLength: 2, maxLength: 8 }, ports: { minimum: 0, maximum: 64, default: 2 } },
  },
  {
    schemas: [TYPE],
    name: "Receipt",
    endpoint: "/Receipts",
    schema: RECEIPT,
    operations: ["read", "create"],
  },
];
