/**
 * Pages of all resources of a type, in an order that an index gives.
 * @module
 */
import type { KeysetPage, StorePage } from "@scim/core";
import { completeRows, readResources } from "../resources/read.ts";
import { liveResources, RESOURCE_COLUMNS } from "../resources/rows.ts";
import { sql } from "../sql.ts";
import { type Steps, textOf } from "../steps.ts";
import { liveCount } from "./live-count.ts";
import { type Order, type QuerySetting, sourceOf } from "./query-setting.ts";
import { orderBy, type RowPlace, rowPlace, type SortPlan } from "./sort.ts";
import { sortedIds } from "./sorted-page.ts";
import { nextPlaces } from "./walk.ts";

/** Resources that a page by number passes over together with their rows; beyond, by index alone. */
const SHORT_WAY = 1000;

/** Resources that a page by number walks past where no index gives its order as it is: some milliseconds. */
const WALKED = 10_000;

/** Answers a query that every resource matches. */
export function* everything(setting: QuerySetting, sort: SortPlan): Steps<StorePage> {
  const { query, dialect } = setting;
  const { page, select } = query;
  const source = sourceOf(setting);
  const total = yield* liveCount(source);
  const plan = sort.kind === "attribute" ? `index of ${sort.path}` : "index";
  if (page.kind === "keyset") {
    const { places, more } = yield* placesOfPage(setting, sort, page);
    const resources = yield* readResources(source, { ids: places.map(({ id }) => id), select }, dialect);
    return { kind: "page", total, more, resources, plan };
  }
  const { offset, limit } = page;
  if (limit === 0 || offset >= total) {
    return { kind: "page", total, more: false, resources: [], plan: "counter" };
  }
  if (sort.kind === "attribute") {
    const ids = yield* sortedIds(source, { ...sort, total, dialect }, { offset, limit });
    const resources = yield* readResources(source, { ids, select }, dialect);
    return { kind: "page", total, more: false, resources, plan };
  }
  if (runsAgainstIds(sort) && offset <= WALKED) {
    const walk = { from: null, backward: false, limit: offset + limit, dialect };
    const places = (yield* nextPlaces(source, sort, walk)).slice(offset);
    const resources = yield* readResources(source, { ids: places.map(({ id }) => id), select }, dialect);
    return { kind: "page", total, more: false, resources, plan };
  }
  if (offset > SHORT_WAY) {
    const ids = yield* farIds({ source, sort, dialect }, { offset, limit, total });
    const resources = yield* readResources(source, { ids, select }, dialect);
    return { kind: "page", total, more: false, resources, plan };
  }
  const { rows } = yield sql`SELECT ${RESOURCE_COLUMNS} FROM ${liveResources(source.tenant, source.type)}
    ORDER BY ${orderBy(sort, { source, dialect })} LIMIT ${limit} OFFSET ${offset}`;
  const resources = yield* completeRows(source, { rows, select }, dialect);
  return { kind: "page", total, more: false, resources, plan };
}

/** Whether keys fall while ids rise: an index gives equal keys the other way round, and there may be very many of them. */
function runsAgainstIds(sort: SortPlan): boolean {
  return sort.kind === "column" && sort.holds === "instants" && sort.descending;
}

/** The ids of a page far from the beginning: reached by index, from the nearer end. */
function* farIds(
  { sort, ...setting }: Order,
  { offset, limit, total }: { readonly offset: number; readonly limit: number; readonly total: number },
): Steps<readonly string[]> {
  const { tenant, type } = setting.source;
  const length = Math.min(limit, total - offset);
  const fromEnd = total - offset - length;
  const backward = fromEnd < offset;
  const { rows } = yield sql`SELECT r.id FROM ${liveResources(tenant, type)}
    ORDER BY ${orderBy(sort, setting, backward)} LIMIT ${length} OFFSET ${backward ? fromEnd : offset}`;
  const ids = rows.map((row) => textOf(row, "id"));
  return backward ? ids.toReversed() : ids;
}

/** The places of a keyset page, in the order of the query. */
function* placesOfPage(
  setting: QuerySetting,
  sort: SortPlan,
  { from, direction, limit }: KeysetPage,
): Steps<{ readonly places: readonly RowPlace[]; readonly more: boolean }> {
  const backward = direction === "backward";
  const start = from === null ? null : rowPlace(sort, from);
  const { dialect } = setting;
  const step = { from: start, backward, limit: limit + 1, dialect };
  const next = yield* nextPlaces(sourceOf(setting), sort, step);
  const places = next.slice(0, limit);
  return { places: backward ? places.toReversed() : places, more: next.length > limit };
}
