/**
 * Refuses filters that would put personal data into an address (RFC 7644 §7.5.2): addresses end up in logs.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import type { QueryRequest } from "../../requests.ts";
import type { ResourceFilter } from "../../store/port.ts";
import { attributesOf } from "../../store/query-reads.ts";

/** A filter, and the type of the resources that it looks through. */
export interface ReadFilter {
  readonly filter: ResourceFilter;
  readonly model: Pick<ResourceModel, "schema">;
}

/**
 * Requires that a filter in an address names no attribute that is held sensitive, nor a part of one.
 * @param sensitive attribute paths in lower case, with or without the URN of the base schema
 * @throws ScimError `sensitive` naming the attribute
 */
export function requireInsensitive(
  { filter, model }: ReadFilter,
  source: QueryRequest["source"],
  sensitive: ReadonlySet<string>,
): void {
  if (source === "body" || sensitive.size === 0) return;
  const found = attributesOf(filter).find((node) => isSensitive(node, model, sensitive));
  if (found === undefined) return;
  throw new ScimError(
    "sensitive",
    `Filters on '${found.path}' must not stand in an address: send the query in the body of a POST to /.search.`,
  );
}

function isSensitive(
  node: AttributeNode,
  model: ReadFilter["model"],
  sensitive: ReadonlySet<string>,
): boolean {
  const { path, extension, parent } = node;
  return (
    sensitive.has(path.toLowerCase()) ||
    (extension === null && sensitive.has(`${model.schema}:${path}`.toLowerCase())) ||
    (parent !== null && isSensitive(parent, model, sensitive))
  );
}
