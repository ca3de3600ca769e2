/**
 * The component parameters and headers of a document.
 * @module
 */
import type { Header, Parameter, Reference, Schema } from "./document-types.ts";
import { refer } from "./document-types.ts";
import type { OpenApiFeatures } from "./features.ts";

/** Parameters that choose the attributes of an answer (RFC 7644 §3.9). */
export const PROJECTION: readonly Reference[] = parameterRefs("attributes", "excludedAttributes");

/** Headers of a change that a version may guard. */
export const CHANGE_HEADERS: readonly Reference[] = parameterRefs("If-Match");

/** References to parameters by component name. */
export function parameterRefs(...names: readonly string[]): readonly Reference[] {
  return names.map((name) => refer("parameters", name));
}

/** The parameters of a query in the address (RFC 7644 §3.4.2). */
export function queryParameters({ cursor }: OpenApiFeatures): readonly Reference[] {
  return [
    ...parameterRefs("filter", "sortBy", "sortOrder", "startIndex", "count"),
    ...(cursor ? parameterRefs("cursor") : []),
    ...PROJECTION,
  ];
}

const NAMES: Schema = { type: "array", items: { type: "string", minLength: 1 } };

/** The component parameters. */
export function parameters(features: OpenApiFeatures): Readonly<Record<string, Parameter>> {
  const { cursor, dryRun, versionRequired } = features;
  return {
    id: {
      name: "id",
      in: "path",
      required: true,
      description: "Identifier that the service gave to the resource.",
      schema: { type: "string", minLength: 1 },
    },
    attributes: {
      name: "attributes",
      in: "query",
      description: "Attributes to answer with, separated by commas: `userName,name.familyName`.",
      style: "form",
      explode: false,
      schema: NAMES,
    },
    excludedAttributes: {
      name: "excludedAttributes",
      in: "query",
      description: "Attributes to leave out of what is answered by default. Not beside `attributes`.",
      style: "form",
      explode: false,
      schema: NAMES,
    },
    tenantId: {
      name: "tenantId",
      in: "query",
      description: "The tenant of the token, which is meant also without it. For any other: 404.",
      schema: { type: "string" },
      examples: { own: { value: "default" } },
    },
    ...listParameters(features),
    ...(cursor
      ? {
          cursor: {
            name: "cursor",
            in: "query",
            description: "Where to go on (RFC 9865); empty for the first page. Not beside `startIndex`.",
            schema: { type: "string" },
          },
        }
      : {}),
    "If-Match": {
      name: "If-Match",
      in: "header",
      description: "The change is made only to one of these versions: `*`, an entity tag or a list.",
      required: versionRequired,
      schema: { type: "string" },
      examples: { version: { value: 'W/"x"' } },
    },
    "If-None-Match": {
      name: "If-None-Match",
      in: "header",
      description: "Answers 304 where the client's copy, of one of these versions, is current.",
      schema: { type: "string" },
      examples: { version: { value: 'W/"x"' } },
    },
    Prefer: {
      name: "Prefer",
      in: "header",
      description: "`return=minimal` leaves the resource out of the answer (RFC 7240).",
      schema: { type: "string" },
      examples: { minimal: { value: "return=minimal" }, whole: { value: "return=representation" } },
    },
    ...(dryRun
      ? {
          "SCIM-Dry-Run": {
            name: "SCIM-Dry-Run",
            in: "header",
            description:
              "`true` tries the change out: it answers 200 with a DryRunResponse, and nothing is written.",
            schema: { enum: ["true", "false"] },
          },
        }
      : {}),
  };
}

function listParameters({ maxResults, pageSize }: OpenApiFeatures): Readonly<Record<string, Parameter>> {
  const cut = maxResults === null ? "" : ` A greater number is cut to ${maxResults}.`;
  return {
    filter: {
      name: "filter",
      in: "query",
      description: "Which resources to answer with (RFC 7644 §3.4.2.2).",
      schema: { type: "string", minLength: 1 },
      examples: { equal: { value: 'externalId eq "701984"' } },
    },
    sortBy: {
      name: "sortBy",
      in: "query",
      description: "The attribute to sort by, such as `name.familyName`.",
      schema: { type: "string", minLength: 1 },
    },
    sortOrder: {
      name: "sortOrder",
      in: "query",
      description: "The direction of the sort.",
      schema: { enum: ["ascending", "descending"], default: "ascending" },
    },
    startIndex: {
      name: "startIndex",
      in: "query",
      description: "1-based place of the first resource of the page.",
      schema: { type: "integer", minimum: 1, default: 1 },
    },
    count: {
      name: "count",
      in: "query",
      description: `Most resources on the page; 0 asks for the number of matches alone.${cut}`,
      schema: { type: "integer", minimum: 0, ...(pageSize === null ? {} : { default: pageSize }) },
    },
  };
}

/** The component headers of answers. */
export const HEADERS: Readonly<Record<string, Header>> = {
  ETag: { description: "Version of the resource, as an entity tag.", schema: text('W/"x"') },
  Location: { description: "Address of the resource.", schema: { type: "string", format: "uri" } },
  "Preference-Applied": {
    description: "The preference that the answer follows.",
    schema: text("return=minimal"),
  },
  RateLimit: {
    description: 'What is left of the quota, and the seconds until there is more (`"requests";r=0;t=2`).',
    schema: { type: "string" },
  },
  "RateLimit-Policy": {
    description: 'The quota, and the seconds in which the whole of it comes back (`"requests";q=1000;w=2`).',
    schema: { type: "string" },
  },
  "Retry-After": { description: "When to try again, in seconds.", schema: { type: "integer", minimum: 0 } },
  "SCIM-Dry-Run": { description: "`true` where nothing was written.", schema: { const: "true" } },
  "SCIM-Filter-Plan": {
    description: "How the filter was served, where the store could not serve all of it.",
    schema: { type: "string" },
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750 §3).",
    schema: text('Bearer realm="scim"'),
  },
};

function text(example: string): Schema {
  return { type: "string", examples: [example] };
}

/** References to headers, by name. */
export function headerRefs(...names: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, refer("headers", name)]));
}
