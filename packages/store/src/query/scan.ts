/**
 * Goes through the resources of a type, some at a time, so that reads and writes of others come between.
 * A resource that stays as it is through the whole scan is seen once.
 * @module
 */
import type { IndexPage, ReadSelection, StoredResource, StorePage } from "@scim/core";
import { completeRows, readResources } from "../resources/read.ts";
import { liveResources, RESOURCE_COLUMNS } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Executor, type Row, type Steps, textOf } from "../steps.ts";
import { fromPlace, narrowMatches, type QuerySetting, type ScanPlan } from "./answer.ts";

/** Resources that one step of a scan looks at where it reads them. */
const READ_WINDOW = 500;

/** Resources that one step looks at where it only tests a condition. */
const TEST_WINDOW = 2000;

/** A page of the resources in order of id that meet a condition, with their number. */
export async function scanForPage(
  executor: Executor,
  setting: QuerySetting,
  { plan, page: { offset, limit } }: { readonly plan: ScanPlan; readonly page: IndexPage },
): Promise<StorePage> {
  const { query, scope, dialect } = setting;
  const end = offset + limit;
  const ids: string[] = [];
  let total = 0;
  for await (const rows of windows(executor, setting, { ...plan, columns: sql`r.id`, size: TEST_WINDOW })) {
    for (const row of rows) {
      if (total >= offset && total < end) ids.push(textOf(row, "id"));
      total += 1;
    }
  }
  const source = { tenant: scope.tenant, type: query.type };
  const resources = await executor.snapshot(readResources(source, { ids, select: query.select }, dialect));
  return { kind: "page", total, more: false, resources, plan: "scan of indexes" };
}

/**
 * The resources that may match, with what a selection names: in order of id; those that a look-up finds, for a
 * keyset page, in the order of the query from its place on, where the database can give it.
 */
export async function* scanForCandidates(
  executor: Executor,
  setting: QuerySetting,
  { plan, select }: { readonly plan: ScanPlan; readonly select: ReadSelection },
): AsyncGenerator<readonly StoredResource[], void, undefined> {
  const source = { tenant: setting.scope.tenant, type: setting.query.type };
  if (plan.lookup !== null) {
    const matches = narrowMatches(setting, plan.predicate, plan.lookup);
    const { page } = setting.query;
    const ordered =
      page.kind === "keyset" && plan.sort !== null
        ? fromPlace(matches, { source, sort: plan.sort, dialect: setting.dialect }, page)
        : sql`${matches} ORDER BY r.id`;
    const found = await executor.read(idsOf(sql`SELECT r.id FROM ${ordered}`));
    for (let start = 0; start < found.length; start += READ_WINDOW) {
      if (start > 0) await executor.pause();
      const ids = found.slice(start, start + READ_WINDOW);
      yield await executor.snapshot(readResources(source, { ids, select }, setting.dialect));
    }
    return;
  }
  const window = { ...plan, columns: RESOURCE_COLUMNS, size: READ_WINDOW };
  for await (const rows of windows(executor, setting, window)) {
    if (rows.length > 0)
      yield await executor.snapshot(completeRows(source, { rows, select }, setting.dialect));
  }
}

interface WindowPlan extends ScanPlan {
  readonly columns: Sql;
  /** Resources that a window spans, matching or not. */
  readonly size: number;
}

/** Rows of the matches, window by window. */
async function* windows(
  executor: Executor,
  { scope, query }: QuerySetting,
  plan: WindowPlan,
): AsyncGenerator<readonly Row[], void, undefined> {
  const live = liveResources(scope.tenant, query.type);
  let after = "";
  for (;;) {
    const { rows, last } = await executor.snapshot(readWindow(live, after, plan));
    yield rows;
    if (last === null) return;
    after = last;
    await executor.pause();
  }
}

interface Window {
  readonly rows: readonly Row[];
  /** Its last id, or null where nothing comes behind it. */
  readonly last: string | null;
}

function* readWindow(live: Sql, after: string, { predicate, columns, size }: WindowPlan): Steps<Window> {
  const { rows: bounds }: Answer = yield sql`SELECT r.id FROM ${live} AND r.id > ${after}
    ORDER BY r.id LIMIT 1 OFFSET ${size - 1}`;
  const [bound] = bounds;
  const last = bound === undefined ? null : textOf(bound, "id");
  const upTo = last === null ? sql`` : sql` AND r.id <= ${last}`;
  const { rows } =
    yield sql`SELECT ${columns} FROM ${live} AND r.id > ${after}${upTo} AND ${predicate.test} ORDER BY r.id`;
  return { rows, last };
}

function* idsOf(statement: Sql): Steps<readonly string[]> {
  const { rows } = yield statement;
  return rows.map((row) => textOf(row, "id"));
}
