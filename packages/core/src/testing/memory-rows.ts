/**
 * Rows of a reference collection in memory, over all its owners.
 * @module
 */
import { compareKeys } from "@scim/filter";
import type {
  ReferenceRow,
  ReferenceRowFilter,
  ReferenceRowQuery,
  RowPlace,
} from "../store/reference-rows.ts";
import type { MemoryResource, MemoryTenant } from "./memory-tenant.ts";

/** A page of rows. */
export function rowsOf(tenant: MemoryTenant, query: ReferenceRowQuery): readonly ReferenceRow[] {
  const { after, descending, displayKey, offset, limit } = query;
  const rows = matching(tenant, query, displayKey);
  const ordered = descending ? rows.toReversed() : rows;
  const behind =
    after === null
      ? ordered
      : ordered.filter((row) => (descending ? comparePlaces(row, after) < 0 : comparePlaces(row, after) > 0));
  return behind.slice(offset, offset + limit);
}

/** How many rows there are. */
export function countRows(tenant: MemoryTenant, filter: ReferenceRowFilter): number {
  return matching(tenant, filter, null).length;
}

function matching(
  tenant: MemoryTenant,
  { type, path, owner, value, ofDeleted = false }: ReferenceRowFilter,
  displayKey: string | null,
): readonly ReferenceRow[] {
  const owners = ofDeleted ? tenant.deleted().filter((each) => each.type === type) : tenant.liveOf(type);
  return owners
    .filter(({ id }) => owner === null || id === owner)
    .flatMap((resource) => rowsOfOwner(resource, path, displayKey))
    .filter((row) => value === null || row.value === value);
}

function rowsOfOwner(
  { id, body, collections }: MemoryResource,
  path: string,
  displayKey: string | null,
): readonly ReferenceRow[] {
  const display = displayKey === null ? undefined : body[displayKey];
  return [...(collections.get(path)?.values() ?? [])].map(({ position, reference }) => ({
    owner: id,
    position,
    display: typeof display === "string" ? display : null,
    ...reference,
  }));
}

function comparePlaces(left: RowPlace, right: RowPlace): number {
  return compareKeys(left.owner, right.owner) || left.position - right.position;
}
