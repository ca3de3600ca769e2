/**
 * Which attributes have an index in a store, and what the store is told so that it can build them.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { IndexEntry } from "./write-plan.ts";

/** The attributes of a resource type whose entries every write must bring. The same object until they change. */
export interface TypeIndexes {
  /** Moves with every change of `declared`; a plan names the one that it was made by. */
  readonly revision: number;
  /** Paths of attributes that the catalog of the tenant declares. */
  readonly declared: readonly string[];
  /** Paths of attributes that always have an index, where the type has them. */
  readonly always: readonly string[];
}

/** An attribute that a schema wants an index of. */
export interface WantedIndex {
  /** Name of the resource type. */
  readonly type: string;
  /** Attribute path. */
  readonly path: string;
}

/** What a service knows and a store does not: its schemas, and what entries a resource has. */
export interface IndexSource {
  /** What the resource types want, unique attributes among them. */
  wanted(): readonly WantedIndex[];
  /** The entries of a resource's body for some attributes; null where the service does not know one of them. */
  entries(type: string, body: JsonObject, paths: readonly string[]): readonly IndexEntry[] | null;
}

/** Finds the source of each tenant, where they have schemas of their own; the same object while it is the same. */
export type IndexSourceOf = (tenant: string) => IndexSource | Promise<IndexSource>;

/** The catalog of indexes, as a process knows it: read from memory, and brought up to date in the background. */
export interface IndexCatalog {
  /** What writes to a resource type of a tenant must bring. It may be out of date: the store checks the revision. */
  of(tenant: string, type: string): TypeIndexes;
  /**
   * Begins to declare what a source wants, for each tenant, and to build what is declared, in the background, until
   * the store is closed. A second source takes the place of the first. What finds the source of each tenant is asked
   * again when the documents of the tenant have changed.
   */
  maintain(source: IndexSource | IndexSourceOf): void;
}
