/**
 * The OpenAPI document of a service, made from its resource types and from what it says of itself.
 * @module
 */
import {
  DEFAULT_LIMITS,
  type ModelCatalog,
  type ServedType,
  type ServiceLimits,
  withLimits,
} from "@scim/core";
import { withClientCredentials } from "./client-credentials.ts";
import { DIAGNOSTICS_SCHEMA, diagnosticsPaths } from "./diagnostics-paths.ts";
import { discoveryPaths } from "./discovery-paths.ts";
import { discoverySchemas } from "./discovery-schemas.ts";
import type { OpenApiDocument } from "./document-types.ts";
import { createErrorResponses } from "./errors-by-operation.ts";
import type { OpenApiFeatures } from "./features.ts";
import { messageSchemas } from "./message-schemas.ts";
import type { Describing } from "./operations.ts";
import { HEADERS, parameters } from "./parameters.ts";
import { componentNames, pageSchema, resourceSchemas } from "./resource-schemas.ts";
import { anyOf, bulkPaths, mePaths, rootPaths } from "./service-paths.ts";
import { typePaths } from "./type-paths.ts";

/** What a document is made of. */
export interface OpenApiSource {
  /** Compiled from the live registry, by `createModelCatalog` of `@scim/core`. */
  readonly catalog: ModelCatalog;
  /** The resource types that the service offers, in its order. */
  readonly types: readonly ServedType[];
  /** From {@link featuresOf}. */
  readonly features: OpenApiFeatures;
  /** The limits that the service was given. */
  readonly limits?: Partial<ServiceLimits>;
  /** Absolute address of the mount, without a trailing slash: `https://id.example/scim/v2`. */
  readonly baseUrl: string;
  /** Absolute address at which clients get access tokens for their credentials. Default: there is none. */
  readonly tokenUrl?: string | undefined;
}

/**
 * Makes the OpenAPI 3.1 document of a service. Equal input gives an equal document, member for member.
 *
 * HEAD, answered as GET without a body, and OPTIONS, answered with `Allow`, stand in no path: they follow from
 * the other methods. Every method that a path does not state is answered 405.
 *
 * @see {@link https://spec.openapis.org/oas/v3.1.1.html OpenAPI Specification 3.1.1}
 * @example
 * const document = openApiDocument({
 *   catalog: createModelCatalog(registry),
 *   types: service.types(context),
 *   features: await featuresOf(service, context),
 *   baseUrl: "https://id.example/scim/v2",
 * });
 */
export function openApiDocument(source: OpenApiSource): OpenApiDocument {
  const { types, features, baseUrl } = source;
  const describing: Describing = { features, errors: createErrorResponses(features.versionRequired) };
  const paths = {
    ...merged(types.map((type) => typePaths(type, describing))),
    ...rootPaths(describing),
    ...mePaths(types, describing),
    ...bulkPaths(describing),
    ...diagnosticsPaths(describing),
    ...discoveryPaths(describing),
  };
  const document: OpenApiDocument = {
    openapi: "3.1.1",
    info: { title: "SCIM 2.0", version: "2.0", description: DESCRIPTION },
    servers: [{ url: baseUrl }],
    tags: tagsOf(source),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: BEARER },
      schemas: schemasOf(source),
      parameters: parameters(features),
      headers: HEADERS,
      responses: describing.errors.components(),
    },
  };
  return source.tokenUrl === undefined ? document : withClientCredentials(document, source.tokenUrl);
}

const DESCRIPTION = `Provisioning by SCIM 2.0 (RFC 7643, RFC 7644, RFC 9865).

Made from the registered schemas and resource types. HEAD is answered as GET is, without a body; OPTIONS with the
methods of the address in \`Allow\`; any other method that is not described here with 405.`;

const BEARER = {
  type: "http",
  scheme: "bearer",
  description: "A token of the connection (RFC 6750). The scope `scim` stands for all others.",
};

function schemasOf(source: OpenApiSource): OpenApiDocument["components"]["schemas"] {
  const { catalog, types, features } = source;
  const { canonicalValuesOnly } = features;
  const limits = withLimits(DEFAULT_LIMITS, source.limits);
  const answers = types.map(({ name }) => componentNames(name).answer);
  return {
    ...merged(types.map(({ name }) => resourceSchemas(catalog.model(name), { canonicalValuesOnly, limits }))),
    "Scim.List": pageSchema(anyOf(answers), "A page of resources of any type."),
    ...messageSchemas(features),
    "Scim.ReferentialConsistency": DIAGNOSTICS_SCHEMA,
    ...discoverySchemas(),
  };
}

/** Records as one; their names differ. */
function merged<Value>(records: readonly Readonly<Record<string, Value>>[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(records.flatMap((record) => Object.entries(record)));
}

/** Where a type is called as a part of the service is, its tag is that of both: a name stands for one tag. */
function tagsOf({ catalog, types, features }: OpenApiSource): OpenApiDocument["tags"] {
  const named = new Set(types.map(({ name }) => name));
  return [
    ...types.map(({ name }) => ({
      name,
      description: catalog.model(name).definition.description ?? `Resources of type ${name}.`,
    })),
    ...partsOf(features).filter(({ name }) => !named.has(name)),
  ];
}

function partsOf(features: OpenApiFeatures): OpenApiDocument["tags"] {
  return [
    { name: "All resources", description: "Queries over all resource types." },
    ...(features.me === null ? [] : [{ name: "Me", description: "The resource that the caller is." }]),
    ...(features.bulk === null ? [] : [{ name: "Bulk", description: "Many operations in one request." }]),
    { name: "Diagnostics", description: "How references hold together: reported, never enforced." },
    { name: "Discovery", description: "What the service can do, its resource types and its schemas." },
    ...(features.dryRun
      ? [{ name: "Dry run", description: "Changes that are tried out: nothing is written." }]
      : []),
  ];
}
