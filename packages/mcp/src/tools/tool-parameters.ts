/**
 * Parameters that many tools take.
 * @module
 */
import type { OutputSchema, ValueSchema } from "../tool.ts";
import { gives } from "../tool.ts";

export const TENANT_ID: ValueSchema = {
  type: "string",
  minLength: 1,
  description: "The tenant that is meant. Only that of the token will do; leave it out.",
};

export const START_INDEX: ValueSchema = {
  type: "integer",
  minimum: 1,
  description: "Position of the first result, from 1.",
};

export const COUNT: ValueSchema = {
  type: "integer",
  minimum: 0,
  description: "Greatest number of results; 0 counts only. The service may give fewer.",
};

const TEXT: ValueSchema = { type: "string" };
const NUMBER: ValueSchema = { type: "integer" };

/** A resource. */
export const RESOURCE: OutputSchema = gives({
  "id?": { ...TEXT, description: "Names the resource in other calls." },
  "schemas?": { type: "array", items: TEXT },
  "meta?": {
    type: "object",
    description: "`version` is what `expected_version` takes.",
    properties: { version: TEXT, resourceType: TEXT, lastModified: TEXT, created: TEXT, location: TEXT },
  },
  "dry_run?": { type: "boolean", description: "True where nothing was written." },
  "valid?": { type: "boolean", description: "Of a dry run: whether the change would be made." },
});

/** Resources. */
export const RESOURCES: OutputSchema = gives({
  "totalResults?": { ...NUMBER, description: "How many match; missing where the service does not count." },
  "startIndex?": NUMBER,
  itemsPerPage: NUMBER,
  "nextCursor?": { ...TEXT, description: "Give it as `cursor` for the next page; missing on the last one." },
  Resources: { type: "array", items: { type: "object" } },
});
