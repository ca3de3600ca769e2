/**
 * Goes through resources in the order of a query from a place on, some at a time, and stops where a page is full.
 * A resource that stays as it is through the whole scan is seen once.
 * @module
 */
import type { KeysetPage, ReadSelection, StoredResource, StorePage } from "@scim/core";
import { completeRows, readResources, type RowSource } from "../resources/read.ts";
import { liveResources, RESOURCE_COLUMNS } from "../resources/rows.ts";
import { sql, type Sql } from "../sql.ts";
import { type Executor, type Row, type Steps, textOf } from "../steps.ts";
import type { QuerySetting, ScanPlan } from "./answer.ts";
import { type RowPlace, rowPlace, type SortPlan } from "./sort.ts";
import { nextPlaces } from "./walk.ts";

/** Resources that one step looks at where it reads them. */
const READ_WINDOW = 500;

/** Resources that one step looks at where it only tests a condition. */
const TEST_WINDOW = 2000;

/** A scan in the order of a query. */
export interface OrderedScan {
  readonly plan: ScanPlan;
  readonly sort: SortPlan;
  readonly page: KeysetPage;
}

/** A page of the resources that meet a condition; how many there are behind it is not told. */
export async function scanFromPlace(
  executor: Executor,
  setting: QuerySetting,
  scan: OrderedScan,
): Promise<StorePage> {
  const { limit, direction } = scan.page;
  const ids: string[] = [];
  const window = { columns: sql`r.id`, size: TEST_WINDOW };
  for await (const rows of windowsFrom(executor, setting, { ...scan, ...window })) {
    ids.push(...rows.map((row) => textOf(row, "id")));
    if (ids.length > limit) break;
  }
  const nearest = ids.slice(0, limit);
  const resources = await executor.snapshot(
    readResources(
      sourceOf(setting),
      { ids: direction === "backward" ? nearest.toReversed() : nearest, select: setting.query.select },
      setting.dialect,
    ),
  );
  return { kind: "page", total: null, more: ids.length > limit, resources, plan: "scan of indexes" };
}

/** The resources that may match, nearest first, with what a selection names. */
export async function* candidatesFromPlace(
  executor: Executor,
  setting: QuerySetting,
  { select, ...scan }: OrderedScan & { readonly select: ReadSelection },
): AsyncGenerator<readonly StoredResource[], void, undefined> {
  const window = { columns: RESOURCE_COLUMNS, size: READ_WINDOW };
  for await (const rows of windowsFrom(executor, setting, { ...scan, ...window })) {
    if (rows.length > 0) {
      yield await executor.snapshot(completeRows(sourceOf(setting), { rows, select }, setting.dialect));
    }
  }
}

function sourceOf({ scope, query }: QuerySetting): RowSource {
  return { tenant: scope.tenant, type: query.type };
}

interface WindowedScan extends OrderedScan {
  readonly columns: Sql;
  /** Resources that a window spans, matching or not. */
  readonly size: number;
}

/** Rows of the matches, window by window. */
async function* windowsFrom(
  executor: Executor,
  setting: QuerySetting,
  scan: WindowedScan,
): AsyncGenerator<readonly Row[], void, undefined> {
  const { page, sort, size } = scan;
  let from = page.from === null ? null : rowPlace(sort, page.from);
  for (;;) {
    const { rows, places } = await executor.snapshot(readWindow(setting, scan, from));
    yield rows;
    if (places.length < size) return;
    from = places.at(-1) ?? from;
    await executor.pause();
  }
}

interface Window {
  readonly places: readonly RowPlace[];
  /** The rows of those that meet the condition, in the order of the places. */
  readonly rows: readonly Row[];
}

function* readWindow(setting: QuerySetting, scan: WindowedScan, from: RowPlace | null): Steps<Window> {
  const { page, sort, size, plan, columns } = scan;
  const source = sourceOf(setting);
  const places = yield* nextPlaces(source, sort, {
    from,
    backward: page.direction === "backward",
    limit: size,
    dialect: setting.dialect,
  });
  if (places.length === 0) return { places, rows: [] };
  const ids = setting.dialect.idList(places.map(({ id }) => id));
  const { rows } = yield sql`SELECT ${columns} FROM ${liveResources(source.tenant, source.type)}
    AND r.id IN ${ids} AND ${plan.predicate.test}`;
  const byId = new Map(rows.map((row) => [textOf(row, "id"), row]));
  return { places, rows: places.flatMap(({ id }) => rowOrNone(byId.get(id))) };
}

function rowOrNone(row: Row | undefined): readonly Row[] {
  return row === undefined ? [] : [row];
}
