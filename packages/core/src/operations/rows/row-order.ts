/**
 * The order of rows: by owner, and those of one owner in the order of adding.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { Sort } from "../../query/sort.ts";
import type { RowModel } from "./represent-row.ts";
import type { RowFilter } from "./row-filter.ts";

/**
 * Whether a sort puts the last row first. Rows can be sorted by their owner, and by what a filter makes the same for
 * all of them: other orders would have to read them all.
 * @throws ScimError `invalidValue` for another sort
 */
export function isRowOrderDescending(
  { model, source }: RowModel,
  sort: Sort | null,
  filter: RowFilter,
): boolean {
  if (sort === null) return false;
  const { handle } = sort.target;
  if (handle === source.owner.subAttributes.get("value")) return filter.owner === null && sort.descending;
  if (handle === source.value.subAttributes.get("value") && filter.value !== null) return false;
  const [byOwner, byValue] = [`${source.owner.path}.value`, `${source.value.path}.value`];
  throw new ScimError(
    "invalidValue",
    `'sortBy' must be '${byOwner}', or '${byValue}' beside a filter that names one: ${model.name} has no other order.`,
  );
}
