/**
 * The walk over all rows of all reference collections, once for each list of a report: some hundreds of rows are held
 * at a time, however many there are.
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { ResourceSnapshot } from "../store/resource-snapshot.ts";
import type { RowPlace } from "../store/reference-rows.ts";
import { EXAMINERS, type FoundAtRow, type Rows } from "./examine.ts";
import { FINDING_LISTS, type FindingList } from "./report.ts";
import type { WalkedCollection } from "./walked-collection.ts";

/** A list and a collection: the walk goes through one such part after another. */
export interface WalkPart {
  readonly list: FindingList;
  readonly collection: WalkedCollection;
}

/** Where a walk begins. */
export interface WalkStart {
  /** Place among the parts, from 0. */
  readonly part: number;
  /** Begin behind this row; null for the first. */
  readonly after: RowPlace | null;
}

/** Some rows that were looked at. */
export interface WalkStep {
  readonly part: number;
  readonly list: FindingList;
  /** How many rows. */
  readonly rows: number;
  readonly found: readonly FoundAtRow[];
  /** Where the walk goes on; null at its end. */
  readonly next: WalkStart | null;
}

/** Rows of one step. */
const STEP = 500;

/** The parts of a walk, in order. */
export function walkParts(collections: readonly WalkedCollection[]): readonly WalkPart[] {
  return FINDING_LISTS.flatMap((list) => collections.map((collection) => ({ list, collection })));
}

/** Walks from a place to the end. */
export async function* walk(
  { signal }: Pick<RequestContext, "signal">,
  snapshot: ResourceSnapshot,
  { parts, from }: { readonly parts: readonly WalkPart[]; readonly from: WalkStart },
): AsyncGenerator<WalkStep, void, undefined> {
  let start: WalkStart | null = from;
  while (start !== null) {
    signal?.throwIfAborted();
    const step: WalkStep | null = await takeStep({ snapshot, signal }, parts, start);
    if (step === null) return;
    yield step;
    start = step.next;
  }
}

async function takeStep(
  { snapshot, signal }: Pick<Rows, "snapshot" | "signal">,
  parts: readonly WalkPart[],
  { part, after }: WalkStart,
): Promise<WalkStep | null> {
  const current = parts[part];
  if (current === undefined) return null;
  const { list, collection } = current;
  const rows = await snapshot.referenceRows({
    type: collection.type,
    path: collection.path,
    owner: null,
    value: null,
    displayKey: null,
    descending: false,
    after,
    limit: STEP,
  });
  const found = rows.length === 0 ? [] : await EXAMINERS[list]({ snapshot, collection, rows, signal });
  const last = rows.at(-1);
  const hasMore = last !== undefined && rows.length === STEP;
  const following = part + 1 < parts.length ? { part: part + 1, after: null } : null;
  return { part, list, rows: rows.length, found, next: hasMore ? { part, after: last } : following };
}
