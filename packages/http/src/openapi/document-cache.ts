/**
 * Documents as they are sent, kept as long as the resource types stay the same.
 * @module
 */
import { createModelCatalog, type RequestContext, type ScimService, type ServiceLimits } from "@scim/core";
import type { SchemaRegistry } from "@scim/schemas";
import { openApiDocument } from "./document.ts";
import { featuresOf } from "./features.ts";

/** A document as it is sent. */
export interface SentDocument {
  readonly text: string;
  /** Raw version: a digest of the text. */
  readonly version: string;
}

/** Documents by caller. */
export interface DocumentCache {
  /** The document for a caller. */
  get(context: RequestContext): Promise<SentDocument>;
}

/** Most documents kept: one for each base address and set of features. */
const MOST_KEPT = 16;

/** What documents are made of. */
export interface DocumentSource {
  readonly service: ScimService;
  /** The live registry of the service. */
  readonly registry: SchemaRegistry;
  readonly limits: Partial<ServiceLimits>;
  /** The address of the token endpoint for a base address of SCIM. */
  readonly tokenUrl?: ((baseUrl: string) => string) | undefined;
}

/** Makes a cache over a live service. */
export function createDocumentCache({ service, registry, limits, tokenUrl }: DocumentSource): DocumentCache {
  const catalog = createModelCatalog(registry);
  const kept = new Map<string, SentDocument>();
  let revision = registry.revision;
  return {
    get: async (context) => {
      const current = registry.revision;
      if (revision !== current) kept.clear();
      revision = current;
      const { baseUrl } = context;
      const features = await featuresOf(service, context);
      const key = JSON.stringify([baseUrl, features]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const text = JSON.stringify(
        openApiDocument({
          catalog,
          types: service.types(context),
          features,
          limits,
          baseUrl,
          tokenUrl: tokenUrl?.(baseUrl),
        }),
      );
      const made = { text, version: await digestOf(text) };
      const [oldest] = kept.keys();
      if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      // Types that changed meanwhile have made another document the right one.
      if (registry.revision === current) kept.set(key, made);
      return made;
    },
  };
}

/** Bytes of the digest that tell documents apart. */
const DIGEST_BYTES = 16;

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const bytes = new Uint8Array(digest, 0, DIGEST_BYTES);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
