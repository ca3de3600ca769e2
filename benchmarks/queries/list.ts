/**
 * Queries of a filled service.
 * @module
 */
import type { ListAnswer, ListRequest } from "@scim/core";
import { CONTEXT } from "../in-process.ts";
import type { FilledService } from "./filled.ts";

/** A query, without the parameters that it does not give. */
export type Query = Partial<ListRequest>;

const NO_QUERY: ListRequest = {
  type: "User",
  filter: null,
  sortBy: null,
  sortOrder: null,
  startIndex: null,
  count: 100,
  cursor: null,
  source: "body",
  attributes: null,
  excludedAttributes: null,
};

/** Runs a query; by default for the first hundred users. */
export function list({ service }: FilledService, query: Query): Promise<ListAnswer> {
  return service.list(CONTEXT, { ...NO_QUERY, ...query });
}
