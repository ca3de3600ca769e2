/**
 * Where models are found, where tenants may have schemas of their own.
 * @module
 */
import type { ModelCatalog } from "./catalog.ts";

/** One catalog for every tenant, or what finds each tenant's. */
export type CatalogSource = ModelCatalog | ((tenant: string) => ModelCatalog | Promise<ModelCatalog>);

/** The catalog of a tenant. */
export function catalogFor(source: CatalogSource, tenant: string): ModelCatalog | Promise<ModelCatalog> {
  return typeof source === "function" ? source(tenant) : source;
}
