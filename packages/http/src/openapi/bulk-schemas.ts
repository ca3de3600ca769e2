/**
 * The component schemas of bulk messages (RFC 7644 §3.7).
 * @module
 */
import { BULK_REQUEST_URN, BULK_RESPONSE_URN } from "@scim/schemas";
import type { Schema } from "./document-types.ts";
import { ANY_ERROR, ANY_OBJECT, ENTITY_TAG, messageUrn, STATUS } from "./message-members.ts";

const BULK_METHOD: Schema = { enum: ["POST", "PUT", "PATCH", "DELETE"] };

/** A bulk request of at most so many operations. */
export function bulkRequestSchema(maxOperations: number): Schema {
  return {
    type: "object",
    description: "Many operations in one request (RFC 7644 §3.7).",
    properties: {
      schemas: messageUrn(BULK_REQUEST_URN),
      failOnErrors: {
        type: "integer",
        minimum: 1,
        description: "After so many failures the rest is not tried. Default: everything is tried.",
      },
      Operations: {
        type: "array",
        maxItems: maxOperations,
        items: {
          type: "object",
          properties: {
            method: BULK_METHOD,
            bulkId: {
              type: "string",
              minLength: 1,
              description: "Name for what a POST makes; others refer to it as `bulkId:<name>`.",
            },
            version: ENTITY_TAG,
            path: { type: "string", description: "`/Users` for POST, else `/Users/<id>`." },
            data: { ...ANY_OBJECT, description: "The body; not for DELETE." },
          },
          required: ["method", "path"],
        },
      },
    },
    required: ["schemas", "Operations"],
  };
}

/** What became of a bulk request. */
export function bulkResponseSchema(): Schema {
  return {
    type: "object",
    description: "What became of a bulk request, in the order of its operations (RFC 7644 §3.7.3).",
    properties: {
      schemas: messageUrn(BULK_RESPONSE_URN),
      Operations: {
        type: "array",
        items: {
          type: "object",
          properties: {
            method: { type: "string" },
            bulkId: { type: "string" },
            version: ENTITY_TAG,
            location: { type: "string", format: "uri" },
            status: STATUS,
            response: ANY_ERROR,
          },
          required: ["method", "status"],
        },
      },
    },
    required: ["schemas", "Operations"],
  };
}
