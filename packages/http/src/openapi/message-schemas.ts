/**
 * The component schemas of messages (RFC 7644 §8.2). Their names hold a dot, so that no resource type can
 * have the same.
 * @module
 */
import {
  DRY_RUN_RESPONSE_URN,
  ERROR_CODES,
  ERROR_URN,
  PATCH_OP_URN,
  SEARCH_REQUEST_URN,
  type ErrorCodeRow,
} from "@scim/schemas";
import { bulkRequestSchema, bulkResponseSchema } from "./bulk-schemas.ts";
import { refer, type Schema } from "./document-types.ts";
import type { OpenApiFeatures } from "./features.ts";
import { ANY_ERROR, ANY_OBJECT, ENTITY_TAG, messageUrn, STATUS } from "./message-members.ts";

/** The schemas of all messages, by component name. */
export function messageSchemas(features: OpenApiFeatures): Readonly<Record<string, Schema>> {
  return {
    "Scim.Meta": META,
    "Scim.Error": errorSchema(),
    "Scim.VersionError": VERSION_ERROR,
    "Scim.PatchOp": patchOpSchema(),
    "Scim.PatchOperation": PATCH_OPERATION,
    "Scim.SearchRequest": searchRequestSchema(features),
    ...(features.dryRun ? { "Scim.DryRunResponse": dryRunSchema() } : {}),
    ...(features.bulk === null
      ? {}
      : {
          "Scim.BulkRequest": bulkRequestSchema(features.bulk.maxOperations),
          "Scim.BulkResponse": bulkResponseSchema(),
        }),
  };
}

/** `meta` (RFC 7643 §3.1). Resources of discovery have no times. */
const META: Schema = {
  type: "object",
  description: "What the service knows about the resource itself.",
  readOnly: true,
  properties: {
    resourceType: { type: "string", description: "Name of the resource type." },
    created: { type: "string", format: "date-time", description: "When the resource was added." },
    lastModified: { type: "string", format: "date-time", description: "When it was last changed." },
    location: { type: "string", format: "uri", description: "Address of the resource." },
    version: ENTITY_TAG,
  },
  required: ["resourceType", "location", "version"],
};

/** Scalars that an error may name as its keyword, in the order of the table. */
function scimTypes(): readonly string[] {
  const rows: readonly ErrorCodeRow[] = Object.values(ERROR_CODES);
  return [...new Set(rows.flatMap(({ scimType }) => scimType ?? []))];
}

function errorSchema(): Schema {
  return {
    type: "object",
    description: "What went wrong (RFC 7644 §3.12).",
    properties: {
      schemas: messageUrn(ERROR_URN),
      status: STATUS,
      scimType: { enum: scimTypes(), description: "What kind of fault it is, where the RFC has a keyword." },
      detail: { type: "string", description: "What is wrong, where, and what to do." },
    },
    required: ["schemas", "status", "detail"],
  };
}

/** The error of a condition that does not hold tells both versions. */
const VERSION_ERROR: Schema = {
  type: "object",
  description: "A condition on the version does not hold.",
  properties: {
    schemas: messageUrn(ERROR_URN),
    status: STATUS,
    detail: { type: "string" },
    expectedVersion: {
      description: "The raw version that the request stated; a list for a list, `*` for `*`.",
      oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
    },
    currentVersion: { type: "string", description: "The raw version of the resource as it is." },
  },
  required: ["schemas", "status", "detail"],
};

function patchOpSchema(): Schema {
  return {
    type: "object",
    description: "Changes of a resource, done in order, all or none (RFC 7644 §3.5.2).",
    properties: {
      schemas: messageUrn(PATCH_OP_URN),
      Operations: { type: "array", minItems: 1, items: refer("schemas", "Scim.PatchOperation") },
    },
    required: ["schemas", "Operations"],
    examples: [
      {
        schemas: [PATCH_OP_URN],
        Operations: [
          { op: "replace", path: "displayName", value: "Babs Jensen" },
          { op: "remove", path: 'emails[type eq "home"]' },
        ],
      },
    ],
  };
}

const PATH: Schema = {
  type: "string",
  minLength: 1,
  description: 'An attribute, a value path such as `emails[type eq "work"]`, or a part of its values.',
};

const PATCH_OPERATION: Schema = {
  oneOf: [
    {
      type: "object",
      title: "Add or replace",
      properties: {
        op: { enum: ["add", "replace"] },
        path: PATH,
        value: { description: "The new value; without a path, an object of attributes." },
      },
      required: ["op", "value"],
    },
    {
      type: "object",
      title: "Remove",
      properties: {
        op: { const: "remove" },
        path: PATH,
        value: { description: "The values to remove from a list; without it, all that the path names." },
      },
      required: ["op", "path"],
    },
  ],
};

function searchRequestSchema({ cursor, maxResults }: OpenApiFeatures): Schema {
  const names: Schema = { type: "array", items: { type: "string", minLength: 1 } };
  return {
    type: "object",
    description: "A query, kept out of the address (RFC 7644 §3.4.3).",
    properties: {
      schemas: messageUrn(SEARCH_REQUEST_URN),
      attributes: { ...names, description: "Attributes to answer with." },
      excludedAttributes: { ...names, description: "Attributes to leave out." },
      filter: { type: "string", minLength: 1, description: "Which resources (RFC 7644 §3.4.2.2)." },
      sortBy: { type: "string", minLength: 1, description: "The attribute to sort by." },
      sortOrder: { enum: ["ascending", "descending"], default: "ascending" },
      startIndex: { type: "integer", minimum: 1, default: 1, description: "1-based place to begin at." },
      count: {
        type: "integer",
        minimum: 0,
        description: `Most resources on the page${maxResults === null ? "" : `; cut to ${maxResults}`}.`,
      },
      ...(cursor
        ? { cursor: { type: "string", description: "Where to go on; empty for the first page." } }
        : {}),
    },
    required: ["schemas"],
  };
}

function dryRunSchema(): Schema {
  return {
    type: "object",
    description: "What a change would have come to. Nothing was written.",
    properties: {
      schemas: messageUrn(DRY_RUN_RESPONSE_URN),
      valid: { type: "boolean", description: "Whether the change would have been made." },
      status: { ...STATUS, description: "The HTTP status that the change would have been answered with." },
      resource: {
        ...ANY_OBJECT,
        type: ["object", "null"],
        description: "The resource as it would be; null where the change fails or deletes it.",
      },
      diff: {
        type: "array",
        items: refer("schemas", "Scim.PatchOperation"),
        description: "What would change, as PATCH operations on the resource as it is.",
      },
      error: ANY_ERROR,
    },
    required: ["schemas", "valid", "status", "resource", "diff"],
  };
}
