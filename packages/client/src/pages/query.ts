/**
 * Queries as they are sent: in the address, or in the body of a POST to `/.search` (RFC 7644 §3.4.2, §3.4.3).
 * @module
 */
import { SEARCH_REQUEST_URN, type SearchRequest } from "@scim/schemas";
import { UsageError } from "../errors/usage-error.ts";
import { filterText } from "../filter/filter-text.ts";
import type { PageOptions, Projection } from "../resources/options.ts";

/**
 * The query of an address, with its `?`; empty for none.
 * @throws {@link UsageError} `invalidInput` for a half surrogate, which no address can hold
 */
export function queryOf(options: Omit<PageOptions<string>, "signal" | "headers">): string {
  const { filter, sortBy, sortOrder, startIndex, count, cursor, ...projection } = options;
  const parts = projectionParts(projection);
  add(parts, "filter", filter === undefined ? undefined : filterText(filter));
  add(parts, "sortBy", sortBy);
  add(parts, "sortOrder", sortOrder);
  add(parts, "startIndex", startIndex);
  add(parts, "count", count);
  add(parts, "cursor", cursor);
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/**
 * The query of an address that reads one resource.
 * @throws {@link UsageError} as {@link queryOf}
 */
export function projectionQuery(projection: Projection<string>): string {
  const parts = projectionParts(projection);
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** The body of a POST to `/.search`. */
export function searchRequest(options: PageOptions<string>): SearchRequest {
  const { filter, sortBy, sortOrder, startIndex, count, cursor, attributes, excludedAttributes } = options;
  return {
    schemas: [SEARCH_REQUEST_URN],
    ...(attributes === undefined ? {} : { attributes }),
    ...(excludedAttributes === undefined ? {} : { excludedAttributes }),
    ...(filter === undefined ? {} : { filter: filterText(filter) }),
    ...(sortBy === undefined ? {} : { sortBy }),
    ...(sortOrder === undefined ? {} : { sortOrder }),
    ...(startIndex === undefined ? {} : { startIndex }),
    ...(count === undefined ? {} : { count }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

function projectionParts({ attributes, excludedAttributes }: Projection<string>): string[] {
  const parts: string[] = [];
  add(parts, "attributes", attributes?.join(","));
  add(parts, "excludedAttributes", excludedAttributes?.join(","));
  return parts;
}

function add(parts: string[], name: string, value: string | number | undefined): void {
  if (value === undefined) return;
  if (typeof value === "string" && !value.isWellFormed())
    throw new UsageError("invalidInput", `'${name}' holds half a character, which no address can.`);
  parts.push(`${name}=${encodeURIComponent(value)}`);
}
