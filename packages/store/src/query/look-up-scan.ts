/**
 * Goes through the resources that a look-up finds, some at a time.
 * @module
 */
import type { KeysetPage, ReadSelection, StoredResource } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { readResources, type RowSource } from "../resources/read.ts";
import { liveResources } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Executor, type Steps, textOf } from "../steps.ts";
import type { ScanPlan } from "./answer.ts";
import { fromPlace, narrowMatches } from "./narrowed.ts";
import type { Lookup } from "./predicate.ts";
import { type QuerySetting, sourceOf } from "./query-setting.ts";
import { orderingKey, type SortPlan } from "./sort.ts";

/** Resources that one step reads of those that an index finds. */
const READ_WINDOW = 200;

/** Candidates that an index finds. */
export interface LookupScan {
  readonly plan: ScanPlan;
  readonly lookup: Lookup;
  readonly select: ReadSelection;
}

/**
 * The resources that a look-up finds: in order of id; for a keyset page, in the order of the query from its place on,
 * where the database can give it.
 */
export async function* lookUpCandidates(
  executor: Executor,
  setting: QuerySetting,
  { plan, lookup, select }: LookupScan,
): AsyncGenerator<readonly StoredResource[], void, undefined> {
  const { scope, query, dialect } = setting;
  const source = sourceOf(setting);
  const matches = narrowMatches(setting, plan.predicate, lookup);
  const { rows, key } =
    query.page.kind === "keyset" && plan.sort !== null
      ? inOrder(matches, { source, sort: plan.sort, dialect }, query.page)
      : { rows: sql`${matches} ORDER BY r.id`, key: null };
  const found = await executor.read(standing(rows, key));
  for (let start = 0; start < found.length; start += READ_WINDOW) {
    if (start > 0) {
      await executor.pause();
      scope.signal?.throwIfAborted();
    }
    const window = found.slice(start, start + READ_WINDOW);
    yield await executor.snapshot(readStanding(source, { window, key, select }, dialect));
  }
}

/** Resources `r` in an order, and what gives it beside their ids. */
interface Ordered {
  readonly rows: Sql;
  readonly key: Sql | null;
}

function inOrder(
  matches: Sql,
  order: { readonly source: RowSource; readonly sort: SortPlan; readonly dialect: Dialect },
  page: KeysetPage,
): Ordered {
  return { rows: fromPlace(matches, order, page), key: orderingKey(order.sort, order) };
}

/** Where a resource stands. */
interface Standing {
  readonly id: string;
  /** What orders it beside its id, as text. */
  readonly key: string;
}

function* standing(rows: Sql, key: Sql | null): Steps<readonly Standing[]> {
  const answer = yield sql`SELECT r.id, ${key ?? sql`NULL`} AS key FROM ${rows}`;
  return answer.rows.map((row) => ({ id: textOf(row, "id"), key: String(row["key"]) }));
}

/**
 * Reads those of a window that still stand where they were found. Who has moved meanwhile is met where it stands now, or
 * not on this walk: met here, with the key that it has got, it would end the page there, and others be passed over.
 */
function* readStanding(
  source: RowSource,
  {
    window,
    key,
    select,
  }: Pick<Ordered, "key"> & {
    readonly window: readonly Standing[];
    readonly select: ReadSelection;
  },
  dialect: Dialect,
): Steps<readonly StoredResource[]> {
  const ids = window.map(({ id }) => id);
  if (key === null) return yield* readResources(source, { ids, select }, dialect);
  const live = sql`${liveResources(source.tenant, source.type)} AND r.id IN ${dialect.idList(ids)}`;
  const now = new Map((yield* standing(live, key)).map((each) => [each.id, each.key]));
  const staying = window.flatMap(({ id, key: before }) => (now.get(id) === before ? [id] : []));
  return yield* readResources(source, { ids: staying, select }, dialect);
}
