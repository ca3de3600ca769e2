/**
 * Walks along the resources of several types (RFC 7644 §3.4.2.1): in the order of the types or, with a sort, merged.
 * What is equal stands in the order of types, then of ids.
 * @module
 */
import { compareKeys, compareSortKeys } from "@scim/filter";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { FIRST_ID, LAST_ID } from "../../store/edge-ids.ts";
import type { Place } from "../../store/port.ts";
import type { ListKeyset, ListPlace } from "../paging/cursor.ts";
import { findPlaces } from "../one-type/find-page.ts";
import type { TypeQuery } from "../one-type/type-query.ts";

/** A list over resource types. */
export interface ListQuery {
  /** The queries of the types that take part, in the order of the types. */
  readonly queries: readonly TypeQuery[];
  readonly order: "types" | "ascending" | "descending";
}

/** The places of a keyset page. */
export interface MergedPage {
  /** Null where not all resources were counted. */
  readonly total: number | null;
  /** Whether resources come behind the page in its direction. */
  readonly more: boolean;
  /** In the order of the list. */
  readonly places: readonly ListPlace[];
  readonly filterPlan: string | null;
}

/** A keyset page of a list: at most so many resources, 1 or more. */
export type ListPage = ListKeyset & { readonly limit: number };

/** Finds where the resources of a page stand. Every type is asked for as many as the page may take of it. */
export async function mergePlaces(
  environment: Environment,
  { list, page }: { readonly list: ListQuery; readonly page: ListPage },
  context: RequestContext,
): Promise<MergedPage> {
  const { direction } = page;
  const wanted = page.limit + 1;
  const sign = direction === "backward" ? -1 : 1;
  const found: ListPlace[] = [];
  const totals: (number | null)[] = [];
  const plans: string[] = [];
  for (const query of direction === "backward" ? list.queries.toReversed() : list.queries) {
    const limit = list.order === "types" ? wanted - found.length : wanted;
    const from = limit === 0 ? "nothing" : startOf(query, list, page);
    if (from === "nothing") {
      totals.push(null);
      continue;
    }
    const part = await findPlaces(
      environment,
      { query, page: { kind: "keyset", from, direction, limit } },
      context,
    );
    totals.push(part.total);
    if (part.filterPlan !== null) plans.push(`${query.model.name}: ${part.filterPlan}`);
    found.push(...part.places.map((place) => listPlace(query, place)));
  }
  const ordered = found.toSorted((left, right) => sign * compareInList(list, left, right));
  const places = ordered.slice(0, page.limit);
  return {
    total: totals.reduce<number | null>(
      (sum, each) => (sum === null || each === null ? null : sum + each),
      0,
    ),
    more: ordered.length > page.limit,
    places: direction === "backward" ? places.toReversed() : places,
    filterPlan: plans.length === 0 ? null : plans.join("; "),
  };
}

/** Where a resource that the query of a type finds stands in a list. */
export function listPlace({ model, sort, typeKey }: TypeQuery, place: Place): ListPlace {
  return { type: model.name, id: place.id, key: sort === null ? typeKey : place.key };
}

/** Orders the resources of a list: equal keys by type, then by id. */
export function compareInList(list: ListQuery, left: ListPlace, right: ListPlace): number {
  return (
    compareSortKeys(left.key, right.key, list.order === "descending") ||
    rankOf(list, left.type) - rankOf(list, right.type) ||
    compareKeys(left.id, right.id)
  );
}

function rankOf({ queries }: ListQuery, type: string): number {
  return queries.findIndex(({ model }) => model.name === type);
}

/** Where a page begins among the resources of one type; null for their beginning, or end. */
function startOf(query: TypeQuery, list: ListQuery, { from, direction }: ListPage): Place | null | "nothing" {
  if (from === null) return null;
  const distance = rankOf(list, query.model.name) - rankOf(list, from.type);
  // Of equal keys, all of an earlier type stand before the place, and all of a later type behind it.
  const edge = distance < 0 ? LAST_ID : FIRST_ID;
  const id = distance === 0 ? from.id : edge;
  if (query.sort !== null) return { key: from.key, id };
  const order = compareSortKeys(query.typeKey, from.key, list.order === "descending");
  if (order === 0) return { key: null, id };
  return order > 0 === (direction === "forward") ? null : "nothing";
}
