/**
 * Goes through resources in the order of a query from a place on, some at a time, and stops where a page is full.
 * @module
 */
import type { KeysetPage, Place, ReadSelection, StoredResource, StorePage } from "@scim/core";
import { completeRows } from "../resources/read.ts";
import { liveResources, RESOURCE_COLUMNS } from "../resources/rows.ts";
import { sql } from "../sql.ts";
import { textOf } from "../steps.ts";
import { type QuerySetting, sourceOf } from "./query-setting.ts";
import { type Scan, scannedPage } from "./scan.ts";
import type { ScanReader, SiftedQuery } from "./scan-reader.ts";
import { scanSort } from "./sieve.ts";
import type { Keep, Sifted } from "./sift.ts";
import { type RowPlace, rowPlace, type SortPlan } from "./sort.ts";
import { nextPlaces } from "./walk.ts";

/** A scan in the order of a query. */
export interface OrderedScan extends Scan {
  readonly sort: SortPlan;
  readonly page: KeysetPage;
}

/** A page of the matches; how many there are behind it is not told. */
export async function scanFromPlace(
  reader: ScanReader,
  setting: QuerySetting,
  scan: OrderedScan,
): Promise<StorePage> {
  const { limit, direction } = scan.page;
  const found: Place[] = [];
  for await (const { places, passed } of windowsFrom(reader, setting, { ...scan, keep: "places" })) {
    const byId = new Map(passed.places.map((place) => [place.id, place]));
    found.push(...places.flatMap(({ id }) => thisOrNone(byId.get(id))));
    if (found.length > limit) break;
  }
  const nearest = found.slice(0, limit);
  return scannedPage(reader, setting, {
    total: null,
    more: found.length > limit,
    places: direction === "backward" ? nearest.toReversed() : nearest,
    isTold: scan.test.filter !== null,
    unready: scan.plan.unready,
  });
}

/** The resources that may match, nearest first, with what a selection names. */
export async function* candidatesFromPlace(
  reader: ScanReader,
  setting: QuerySetting,
  { select, ...scan }: OrderedScan & { readonly select: ReadSelection },
): AsyncGenerator<readonly StoredResource[], void, undefined> {
  const source = sourceOf(setting);
  for await (const { places, passed } of windowsFrom(reader, setting, { ...scan, keep: "rows" })) {
    const byId = new Map(passed.rows.map((row) => [textOf(row, "id"), row]));
    const rows = places.flatMap(({ id }) => thisOrNone(byId.get(id)));
    if (rows.length > 0) yield await reader.run(completeRows(source, { rows, select }, setting.dialect));
  }
}

interface WindowedScan extends OrderedScan {
  readonly keep: "places" | "rows";
}

/** Places in the order of the query, and what of them comes through, in any order. */
interface Window {
  readonly places: readonly RowPlace[];
  readonly passed: Sifted;
}

async function* windowsFrom(
  reader: ScanReader,
  setting: QuerySetting,
  scan: WindowedScan,
): AsyncGenerator<Window, void, undefined> {
  const { page, sort, keep, test } = scan;
  const size = keep === "rows" ? reader.givenWindow : reader.window(test.filter !== null);
  let from = page.from === null ? null : rowPlace(sort, page.from);
  for (;;) {
    const next = nextPlaces(sourceOf(setting), sort, {
      from,
      backward: page.direction === "backward",
      limit: size,
      dialect: setting.dialect,
    });
    // In one state: who moves in between would be met where it stood, with the key that it has got.
    const [places, passed] = await reader.siftFound(next, (found) =>
      siftedQuery(reader, setting, { scan, found }),
    );
    if (places.length > 0) yield { places, passed };
    if (places.length < size) return;
    from = places.at(-1) ?? from;
    await reader.pause();
  }
}

function siftedQuery(
  reader: ScanReader,
  setting: QuerySetting,
  { scan, found }: { readonly scan: WindowedScan; readonly found: readonly RowPlace[] },
): SiftedQuery | null {
  if (found.length === 0) return null;
  const { tenant, type } = sourceOf(setting);
  const { plan, test } = scan;
  const keep = keepOf(reader, setting, { scan, found });
  const columns = test.filter === null && keep.kind === "ids" ? sql`r.id` : RESOURCE_COLUMNS;
  const ids = setting.dialect.idList(found.map(({ id }) => id));
  return {
    query: sql`SELECT ${columns} FROM ${liveResources(tenant, type)} AND r.id IN ${ids} AND ${plan.predicate.test}`,
    sieve: { type, filter: test.filter, keep },
  };
}

/** What is kept of a window. Keys are asked for only where resources that are read later may have got others. */
function keepOf(
  { oneState }: ScanReader,
  { query }: QuerySetting,
  { scan, found }: { readonly scan: WindowedScan; readonly found: readonly RowPlace[] },
): Keep {
  if (scan.keep === "rows") return { kind: "rows" };
  const limit = found.length;
  const sort = oneState ? null : scanSort(query.sort);
  if (sort === null) return { kind: "ids", skip: 0, limit };
  const descending = query.sort?.descending ?? false;
  const backward = scan.page.direction === "backward";
  return { kind: "nearest", sort, descending, backward, from: null, bound: null, limit };
}

function thisOrNone<Item>(item: Item | undefined): readonly Item[] {
  return item === undefined ? [] : [item];
}
