/**
 * Bounds what is read of collections for callers that take long ones as streams.
 * @module
 */
import type { Environment } from "../environment.ts";
import type { ProjectionRequest } from "../requests.ts";
import type { ReadSelection } from "../store/port.ts";
import type { StoredResource } from "../store/stored-resource.ts";

/** A selection for a caller, who takes streams or does not. */
export function boundedSelection(
  { limits }: Environment,
  { streams = false }: ProjectionRequest,
  select: ReadSelection,
): ReadSelection {
  return streams && select.collections.length > 0 ? { ...select, most: limits.heldReferences } : select;
}

/** Whether a resource was read with all collections of a selection: none was too long. */
export function isWhole(
  stored: Pick<StoredResource, "collections">,
  { collections }: ReadSelection,
): boolean {
  return collections.every((path) => stored.collections.has(path));
}
