/**
 * Documents of registries, without a server.
 * @module
 */
import { createHash } from "node:crypto";
import {
  createModelCatalog,
  createScimService,
  PROFILES,
  type Profile,
  type RequestContext,
  type ScimService,
} from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { createDefaultRegistry, type JsonObject, type SchemaRegistry } from "@scim/schemas";
import {
  featuresOf,
  openApiDocument,
  type OpenApiDocument,
  type OpenApiFeatures,
  type OpenApiSource,
  type Operation,
} from "../../src/openapi/index.ts";

export const BASE_URL = "https://id.example/scim/v2";

/** A service over a registry, which answers discovery; nothing is stored. */
export function serviceOf(registry: SchemaRegistry): ScimService {
  return createScimService({
    registry,
    store: createMemoryStore(),
    sources: {
      now: () => 0,
      newId: () => "id",
      newNonce: () => "nonce",
      digest: (text) => createHash("sha256").update(text).digest("base64url"),
    },
  });
}

export function contextOf(
  profile: Profile = PROFILES.tolerant,
  subject: string | null = null,
): RequestContext {
  return {
    tenant: "default",
    connection: "default",
    subject,
    profile,
    baseUrl: BASE_URL,
    signal: undefined,
    onSwitch: () => undefined,
  };
}

const DEFAULT_FEATURES = await featuresOf(serviceOf(createDefaultRegistry()), contextOf());

/** The document of a registry; `features` differ from those of a service with every default. */
export function documentOf(
  registry: SchemaRegistry = createDefaultRegistry(),
  features: Partial<OpenApiFeatures> = {},
  more: Pick<OpenApiSource, "limits" | "tokenUrl"> = {},
): OpenApiDocument {
  const service = serviceOf(registry);
  const context = contextOf();
  return openApiDocument({
    catalog: createModelCatalog(registry),
    types: service.types(context),
    features: { ...DEFAULT_FEATURES, ...features },
    ...more,
    baseUrl: BASE_URL,
  });
}

/** The operations of a document. */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  return Object.values(document.paths).flatMap(({ parameters: _shared, ...item }) => Object.values(item));
}

/** A component schema, as an object to look into. */
export function componentOf(document: OpenApiDocument, name: string): JsonObject {
  const schema = document.components.schemas[name];
  if (schema === undefined) throw new TypeError(`The document has no schema ${name}`);
  return schema;
}

/** What stands at a path of member names. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (held, name) =>
      typeof held === "object" && held !== null && Object.hasOwn(held, name)
        ? (held as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value,
  );
}
