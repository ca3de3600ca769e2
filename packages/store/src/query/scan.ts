/**
 * Goes through the resources of a type in order of id, some at a time, so that others come between.
 * @module
 */
import {
  FirstFew,
  type IndexPage,
  type KeysetPage,
  type Place,
  type ReadSelection,
  type StoredResource,
  type StorePage,
} from "@scim/core";
import { comparePlaces, type SortPath } from "@scim/filter/evaluate";
import { completeRows, readResources } from "../resources/read.ts";
import { RESOURCE_COLUMNS } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Steps, textOf } from "../steps.ts";
import type { ScanPlan } from "./answer.ts";
import { foundBy } from "./narrowed.ts";
import { type QuerySetting, sourceOf } from "./query-setting.ts";
import type { ScanReader } from "./scan-reader.ts";
import type { Keep, Sifted } from "./sift.ts";
import type { ScanTest } from "./sieve.ts";

/** What a scan looks for. */
export interface Scan {
  readonly plan: ScanPlan;
  readonly test: ScanTest;
}

/** A page of the matches in order of id, with their number. */
export async function scanForPage(
  reader: ScanReader,
  setting: QuerySetting,
  { page: { offset, limit }, ...scan }: Scan & { readonly page: IndexPage },
): Promise<StorePage> {
  const found: Place[] = [];
  let total = 0;
  // Of each window, no more comes back than may be on the page.
  const keep = (): Keep => ({ kind: "ids", skip: Math.max(0, offset - total), limit: limit - found.length });
  for await (const { count, places } of windows(reader, setting, { ...scan, keep })) {
    found.push(...places);
    total += count;
  }
  return scannedPage(reader, setting, {
    total,
    more: false,
    places: found,
    isTold: scan.test.filter !== null,
    unready: scan.plan.unready,
  });
}

/** A page of the matches in an order that no index gives, with their number. */
export async function sortForPage(
  reader: ScanReader,
  setting: QuerySetting,
  { sort, ...scan }: Scan & { readonly sort: SortPath },
): Promise<StorePage> {
  const { page, sort: order, sortedResults = Number.POSITIVE_INFINITY, placesOnly = false } = setting.query;
  const descending = order?.descending ?? false;
  const { size, from, backward } = reachOf(page);
  const sign = backward ? -1 : 1;
  const first = new FirstFew<Place>({
    size,
    compare: (left, right) => sign * comparePlaces(left, right, descending),
    ceiling: sortedResults,
  });
  const keep = (): Keep => {
    const { bound } = first;
    return { kind: "nearest", sort, descending, backward, from, bound, limit: size };
  };
  let total = 0;
  for await (const { count, places } of windows(reader, setting, { ...scan, keep })) {
    for (const place of places) first.add(place);
    total += count;
  }
  const nearest = first.sorted();
  const told = { isTold: true, unready: scan.plan.unready };
  if (page.kind === "index") {
    return scannedPage(reader, setting, { ...told, total, more: false, places: nearest.slice(page.offset) });
  }
  const next = nearest.slice(0, page.limit);
  const places = backward ? next.toReversed() : next;
  const more = nearest.length > page.limit;
  if (placesOnly) return { kind: "page", total, more, resources: [], places, ...planOf(told) };
  return scannedPage(reader, setting, { ...told, total, more, places });
}

/** How many places are looked for, and from where on. */
function reachOf(page: IndexPage | KeysetPage): {
  readonly size: number;
  readonly from: Place | null;
  readonly backward: boolean;
} {
  return page.kind === "index"
    ? { size: page.limit === 0 ? 0 : page.offset + page.limit, from: null, backward: false }
    : { size: page.limit + 1, from: page.from, backward: page.direction === "backward" };
}

/** What a scan found. */
export interface FoundPage {
  readonly total: number | null;
  readonly more: boolean;
  /** In the order of the query; where the reader sees one state, only their ids count. */
  readonly places: readonly Place[];
  /** Whether values were compared that no index holds. */
  readonly isTold: boolean;
  /** Which indexes are not ready, for operators; or nothing. */
  readonly unready: string;
}

/** The page of what was found: from the same state of the database, or with where it stood when it was found. */
export async function scannedPage(
  reader: ScanReader,
  setting: QuerySetting,
  { total, more, places, ...told }: FoundPage,
): Promise<StorePage> {
  const { select } = setting.query;
  const ids = places.map(({ id }) => id);
  const resources = await reader.run(readResources(sourceOf(setting), { ids, select }, setting.dialect));
  const stood = reader.oneState ? {} : { places };
  return { kind: "page", total, more, resources, ...stood, ...planOf(told) };
}

function planOf({
  isTold,
  unready,
}: Pick<FoundPage, "isTold" | "unready">): Pick<StorePage, "plan" | "scanned"> {
  return { plan: `${isTold ? "scan" : "scan of indexes"}${unready}`, scanned: isTold };
}

/** The resources that may match in order of id, with what a selection names. */
export async function* scanForCandidates(
  reader: ScanReader,
  setting: QuerySetting,
  { select, ...scan }: Scan & { readonly select: ReadSelection },
): AsyncGenerator<readonly StoredResource[], void, undefined> {
  const source = { tenant: setting.scope.tenant, type: setting.query.type };
  const keep = (): Keep => ({ kind: "rows" });
  for await (const { rows } of windows(reader, setting, { ...scan, keep })) {
    if (rows.length > 0) yield await reader.run(completeRows(source, { rows, select }, setting.dialect));
  }
}

interface WindowedScan extends Scan {
  /** What is kept of the next window. */
  readonly keep: () => Keep;
}

/** What comes through of each window. */
async function* windows(
  reader: ScanReader,
  setting: QuerySetting,
  { plan, test, keep }: WindowedScan,
): AsyncGenerator<Sifted, void, undefined> {
  const { query } = setting;
  const found = foundBy(setting, plan.lookup);
  let after = "";
  for (;;) {
    const kept = keep();
    const readsRows = test.filter !== null || kept.kind !== "ids";
    const size = kept.kind === "rows" ? reader.givenWindow : reader.window(readsRows);
    const last = await reader.run(lastOfWindow(found, after, size));
    const upTo = last === null ? sql`` : sql` AND r.id <= ${last}`;
    const columns = readsRows ? RESOURCE_COLUMNS : sql`r.id`;
    const { predicate } = plan;
    yield await reader.sift(
      sql`SELECT ${columns} FROM ${found} AND r.id > ${after}${upTo} AND ${predicate.test} ORDER BY r.id`,
      { type: query.type, filter: test.filter, keep: kept },
    );
    if (last === null) return;
    after = last;
    await reader.pause();
  }
}

/** The last id of so many behind one; null where no more come behind them. */
function* lastOfWindow(found: Sql, after: string, size: number): Steps<string | null> {
  const { rows }: Answer = yield sql`SELECT r.id FROM ${found} AND r.id > ${after}
    ORDER BY r.id LIMIT 1 OFFSET ${size - 1}`;
  const [row] = rows;
  return row === undefined ? null : textOf(row, "id");
}
