/**
 * Reads the answer of a store to a query, whichever form it has, and works it out by itself.
 * @module
 */
import { compileFilter } from "@scim/filter";
import { compareOrdered, sortKey } from "../../query/sort.ts";
import { viewOf } from "../../query/view.ts";
import type {
  ReadSelection,
  ResourceStore,
  StoreCandidates,
  StoredResource,
  StoreQuery,
} from "../../store/port.ts";
import { expectTrue } from "./expect.ts";
import { modelOf, type SampleType } from "./models.ts";
import { NOTHING, SCOPE, withGroups } from "./sample.ts";

/** A query; its selection is that of the groups of users, where it does not say. */
export type CheckedQuery = Omit<StoreQuery, "select" | "type"> & {
  readonly type: SampleType;
  readonly select?: ReadSelection;
};

/** What a query finds. */
export interface Found {
  readonly total: number;
  readonly ids: readonly string[];
}

/** The ids of the page and the number of matches: from a page, or worked out from candidates. */
export async function matchingIds(store: ResourceStore, checked: CheckedQuery): Promise<Found> {
  const query: StoreQuery = { ...checked, select: checked.select ?? selectionFor(checked.type) };
  const answer = await store.query(SCOPE, query);
  if (answer.kind === "page") return { total: answer.total, ids: answer.resources.map(({ id }) => id) };
  return workOut(checked, await collect(answer));
}

function selectionFor(type: SampleType): ReadSelection {
  return type === "User" ? withGroups(1) : NOTHING;
}

async function collect(answer: StoreCandidates): Promise<readonly StoredResource[]> {
  const candidates: StoredResource[] = [];
  for await (const batch of answer.batches) candidates.push(...batch);
  const ids = candidates.map(({ id }) => id);
  expectTrue(
    ids.every((id, index) => index === 0 || (ids[index - 1] ?? "") < id),
    "candidates come in ascending order of id, each once",
  );
  return candidates;
}

/** Filters, sorts and pages resources as the service does with candidates. */
export function workOut(
  { type, filter, sort, offset, limit }: CheckedQuery,
  all: readonly StoredResource[],
): Found {
  const model = modelOf(type);
  const matches = filter === null ? (): boolean => true : compileFilter(filter);
  const found = all
    .map((stored) => ({ id: stored.id, view: viewOf(model, stored, "https://scim.example") }))
    .filter(({ view }) => matches(view))
    .map(({ id, view }) => ({ id, key: sort === null ? undefined : sortKey(sort, view) }))
    .toSorted((left, right) => compareOrdered(left, right, sort?.descending ?? false));
  return { total: found.length, ids: found.slice(offset, offset + limit).map(({ id }) => id) };
}
