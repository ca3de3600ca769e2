/**
 * What a service tells a store so that it can compare the rows that it derives from resources with the resources.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { IndexSource } from "./index-catalog.ts";
import type { UniqueEntry } from "./write-plan.ts";

/** A resource whose values are asked for. */
export interface SourcedResource {
  /** The connection that created it. */
  readonly connection: string;
  readonly body: JsonObject;
}

/** The values that a resource holds against others. */
export interface SourcedValues {
  /** Of attributes that must be unique by their schema: the resource must hold them. */
  readonly demanded: readonly UniqueEntry[];
  /** Of rules of connections: the resource must hold them where the store holds the rule, and may elsewhere. */
  readonly ruled: readonly UniqueEntry[];
}

/** What a service knows and a store does not: which rows a resource leads to. */
export interface DerivedSource extends IndexSource {
  /** The values that a resource of a type holds; null where the service does not know the type. */
  values(type: string, resource: SourcedResource): SourcedValues | null;
}
