/**
 * Tests and orders resources by what their own rows say. What it takes and gives is plain data, so that it can run
 * in a thread beside the requests.
 * @module
 */
import {
  type BoundFilter,
  comparePlaces,
  compileFilter,
  type SortPath,
  type SortPlace,
  sortKeyOf,
} from "@scim/filter/evaluate";
import { type Row, textOf } from "../steps.ts";

/** What rows are tested by, and what is kept of those that pass. */
export interface Sieve {
  /** Name of the resource type of the rows. */
  readonly type: string;
  /** What the JSON of a row, with the columns beside it, is tested by; null where every row passes. */
  readonly filter: BoundFilter<null> | null;
  readonly keep: Keep;
}

/** What is kept of the rows that pass. */
export type Keep =
  /** All of them, whole. */
  | { readonly kind: "rows" }
  /** Ids of at most so many, behind so many others. */
  | { readonly kind: "ids"; readonly skip: number; readonly limit: number }
  | NearestPlaces;

/** The places next to one, in the direction of a page, nearest first. */
export interface NearestPlaces {
  readonly kind: "nearest";
  readonly sort: SortPath;
  readonly descending: boolean;
  /** Whether places before `from` are meant, in the reverse order. */
  readonly backward: boolean;
  /** Null for the beginning, or the end. */
  readonly from: SortPlace | null;
  /** Places behind this one are not wanted; null where all are. */
  readonly bound: SortPlace | null;
  /** At most so many. */
  readonly limit: number;
}

/** What came through. */
export interface Sifted {
  /** How many rows passed, kept or not. */
  readonly count: number;
  readonly rows: readonly Row[];
  readonly places: readonly SortPlace[];
}

/** What comes through where there is nothing to sift. */
export const NOTHING_SIFTED: Sifted = { count: 0, rows: [], places: [] };

/** Sifts rows with the columns of a resource. */
export function siftRows(rows: Iterable<Row>, { type, filter, keep }: Sieve): Sifted {
  const test = filter === null ? null : compileFilter(filter);
  const isRead = test !== null || keep.kind === "nearest";
  const kept = keeperOf(keep);
  let count = 0;
  for (const row of rows) {
    const values = isRead ? valuesOf(type, row) : null;
    if (test !== null && !test(values)) continue;
    kept.add(row, values, count);
    count += 1;
  }
  return { count, ...kept.end() };
}

/** Collects what is kept. */
interface Keeper {
  add(row: Row, values: unknown, index: number): void;
  end(): Omit<Sifted, "count">;
}

function keeperOf(keep: Keep): Keeper {
  switch (keep.kind) {
    case "rows": {
      const rows: Row[] = [];
      return { add: (row) => void rows.push(row), end: () => ({ rows, places: [] }) };
    }
    case "ids": {
      const places: SortPlace[] = [];
      const end = keep.skip + keep.limit;
      return {
        add: (row, _, index) => {
          if (index >= keep.skip && index < end) places.push({ key: null, id: textOf(row, "id") });
        },
        end: () => ({ rows: [], places }),
      };
    }
    case "nearest":
      return nearestKeeper(keep);
  }
}

function nearestKeeper({ sort, descending, backward, from, bound, limit }: NearestPlaces): Keeper {
  const places: SortPlace[] = [];
  const sign = backward ? -1 : 1;
  const compare = (left: SortPlace, right: SortPlace): number =>
    sign * comparePlaces(left, right, descending);
  return {
    add: (row, values) => {
      const place = { key: sortKeyOf(sort, values), id: textOf(row, "id") };
      if (from !== null && compare(place, from) <= 0) return;
      if (bound === null || compare(place, bound) < 0) places.push(place);
    },
    end: () => ({ rows: [], places: places.toSorted(compare).slice(0, limit) }),
  };
}

/** The JSON of a resource with `id` and `meta`, as filters and sorts see it. */
function valuesOf(type: string, row: Row): unknown {
  // The store wrote an object.
  const body = JSON.parse(textOf(row, "body")) as object;
  const meta = {
    resourceType: type,
    created: row["created"],
    lastModified: row["last_modified"],
    version: row["version"],
  };
  return { ...body, id: row["id"], meta };
}
