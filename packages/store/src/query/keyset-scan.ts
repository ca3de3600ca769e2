/**
 * Goes through resources in the order of a query from a place on, some at a time, and stops where a page is full.
 * @module
 */
import type { KeysetPage, ReadSelection, StoredResource, StorePage } from "@scim/core";
import { completeRows } from "../resources/read.ts";
import { liveResources, RESOURCE_COLUMNS } from "../resources/rows.ts";
import { sql } from "../sql.ts";
import { type Row, textOf } from "../steps.ts";
import { type QuerySetting, sourceOf } from "./query-setting.ts";
import { type Scan, scannedPage } from "./scan.ts";
import type { ScanReader } from "./scan-reader.ts";
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
  const ids: string[] = [];
  for await (const { places, passed } of windowsFrom(reader, setting, { ...scan, keep: "ids" })) {
    const found = new Set(passed.places.map(({ id }) => id));
    ids.push(...places.flatMap(({ id }) => (found.has(id) ? [id] : [])));
    if (ids.length > limit) break;
  }
  const nearest = ids.slice(0, limit);
  return scannedPage(reader, setting, {
    total: null,
    more: ids.length > limit,
    ids: direction === "backward" ? nearest.toReversed() : nearest,
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
    const rows = places.flatMap(({ id }) => rowOrNone(byId.get(id)));
    if (rows.length > 0) yield await reader.run(completeRows(source, { rows, select }, setting.dialect));
  }
}

interface WindowedScan extends OrderedScan {
  readonly keep: "ids" | "rows";
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
    const places: readonly RowPlace[] = await reader.run(
      nextPlaces(sourceOf(setting), sort, {
        from,
        backward: page.direction === "backward",
        limit: size,
        dialect: setting.dialect,
      }),
    );
    if (places.length > 0) yield { places, passed: await sift(reader, setting, { scan, places }) };
    if (places.length < size) return;
    from = places.at(-1) ?? from;
    await reader.pause();
  }
}

function sift(
  reader: ScanReader,
  setting: QuerySetting,
  { scan, places }: { readonly scan: WindowedScan; readonly places: readonly RowPlace[] },
): Promise<Sifted> {
  const { tenant, type } = sourceOf(setting);
  const { plan, test } = scan;
  const keep: Keep = scan.keep === "rows" ? { kind: "rows" } : { kind: "ids", skip: 0, limit: places.length };
  const columns = test.filter === null && keep.kind === "ids" ? sql`r.id` : RESOURCE_COLUMNS;
  const ids = setting.dialect.idList(places.map(({ id }) => id));
  return reader.sift(
    sql`SELECT ${columns} FROM ${liveResources(tenant, type)} AND r.id IN ${ids} AND ${plan.predicate.test}`,
    { type, filter: test.filter, keep },
  );
}

function rowOrNone(row: Row | undefined): readonly Row[] {
  return row === undefined ? [] : [row];
}
