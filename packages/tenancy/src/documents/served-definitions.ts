/**
 * What a service had for a tenant when it last started, so that the next start knows what stored resources were made by.
 * @module
 */
import type { DefinitionList } from "@scim/schemas";

/** Definitions that the service has for a tenant beside the built-in ones, each in the order of their names. */
export interface ServedDefinitions {
  readonly tenant: string;
  /** What the last start served. */
  readonly served: DefinitionList;
  /** The same, and what it lacks that stored resources were made by. */
  readonly remembered: DefinitionList;
  /** Counts the changes; 1 for the first. */
  readonly revision: number;
}

/** Port of what was served. */
export interface ServedStore {
  /** What was served last; null where no start has told. */
  served(tenant: string): Promise<ServedDefinitions | null>;
  /** Which of the types a tenant has resources of; those that were deleted and can be restored count. */
  filled(tenant: string, types: readonly string[]): Promise<readonly string[]>;
  /** Writes what is served. Resolves to false, and writes nothing, where the stored one has not the revision before. */
  recordServed(definitions: ServedDefinitions): Promise<boolean>;
}
