/**
 * References of a handler over all its resources: who names what.
 * @module
 */
import { compareKeys } from "@scim/filter";
import { own } from "../attributes/json-object.ts";
import { eachBatch } from "../store/each-batch.ts";
import type {
  ReferenceRow,
  ReferenceRowFilter,
  ReferenceRowQuery,
  RowPlace,
} from "../store/reference-rows.ts";
import type { ReadSelection, ResourceStore, StoreScope } from "../store/port.ts";
import type { ReferenceValue, StoredResource } from "../store/stored-resource.ts";
import { queryHandler } from "./handler-query.ts";
import { checkArray, readState, withCollections } from "./handler-reads.ts";
import { callHandler, type HandlerType } from "./handler-type.ts";
import type { Referrer, ReferrersQuery } from "./referrers.ts";
import type { HandledReferrer } from "./resource-handler.ts";

/** A page of rows. Without an owner it goes through all resources; rows stand where their owner holds them. */
export async function handledRows(
  type: HandlerType,
  scope: StoreScope,
  query: ReferenceRowQuery,
): Promise<readonly ReferenceRow[]> {
  const { descending, offset, limit } = query;
  const rows: ReferenceRow[] = [];
  if (descending) {
    for await (const row of allRows(type, scope, query)) rows.push(row);
    return rows.toReversed().slice(offset, offset + limit);
  }
  if (limit === 0) return rows;
  for await (const row of rowsBehind(type, scope, query)) if (rows.push(row) === offset + limit) break;
  return rows.slice(offset);
}

/** The rows behind a place, in order. A page is read when the first of its rows is asked for. */
export async function* rowsBehind(
  type: HandlerType,
  scope: StoreScope,
  query: RowsBehind,
): AsyncGenerator<ReferenceRow, void, undefined> {
  yield* allRows(type, scope, { ...query, from: query.after?.owner ?? null });
}

/** How many rows there are. */
export async function countHandledRows(
  type: HandlerType,
  scope: StoreScope,
  filter: ReferenceRowFilter,
): Promise<number> {
  let count = 0;
  for await (const row of allRows(type, scope, { ...filter, displayKey: null }))
    if (row.position > 0) count += 1;
  return count;
}

/** Who names any of some ids in a collection. */
export async function handledReferrers(
  type: HandlerType,
  scope: StoreScope,
  { collection, displayKey, ids }: ReferrersQuery,
): Promise<readonly Referrer[]> {
  if (type.handler.referrers !== undefined) {
    const wanted = { attribute: collection, values: ids };
    const found = await callHandler(
      type,
      scope,
      (context) => type.handler.referrers?.(context, wanted) ?? [],
    );
    checkArray(type, "referrers", found);
    return found.map((each) => referrerOf(type, each));
  }
  const wanted = new Set(ids);
  const referrers: Referrer[] = [];
  const query = { type: type.model.name, path: collection, owner: null, value: null, displayKey };
  for await (const { value, owner, display } of allRows(type, scope, query))
    if (wanted.has(value)) referrers.push({ value, owner, display });
  return referrers;
}

/** @throws TypeError where it is none: a number is equal to no id, and the reference would be lost without a word */
function referrerOf({ model }: HandlerType, answered: HandledReferrer): Referrer {
  // What is no object has no id either.
  const { value, id, display = null }: Partial<HandledReferrer> = answered ?? {};
  if (
    typeof value === "string" &&
    typeof id === "string" &&
    (display === null || typeof display === "string")
  )
    return { value, owner: id, display };
  throw new TypeError(
    `The handler of ${model.name} gave from 'referrers' what is not a 'value', an 'id' and a 'display' of text`,
  );
}

/** Rows of a collection, and the place that they come behind; null for its beginning. */
export type RowsBehind = Omit<ReferenceRowQuery, "descending" | "offset" | "limit">;

interface RowsOf extends Omit<RowsBehind, "after">, Partial<Pick<ReferenceRowQuery, "after" | "descending">> {
  /** The first owner to look at, where not one alone is asked for. Default: the first that there is. */
  readonly from?: string | null;
}

/** Rows in the order of their places; of those that are asked for behind a place, no others. */
async function* allRows(
  type: HandlerType,
  scope: StoreScope,
  { path, value, displayKey, after = null, descending = false, ...owned }: RowsOf,
): AsyncGenerator<ReferenceRow, void, undefined> {
  const select = { collections: [path], inverses: [] };
  for await (const owners of ownersOf(type, scope, { ...owned, select })) {
    for (const stored of owners) {
      const display = displayKey === null ? undefined : own(stored.body, displayKey);
      const name = typeof display === "string" ? display : null;
      const references = stored.collections.get(path) ?? [];
      const isBehind = after === null ? () => true : behind(after, descending, { id: stored.id, references });
      for (const [index, reference] of references.entries()) {
        if ((value !== null && reference.value !== value) || !isBehind(index)) continue;
        yield { owner: stored.id, position: index + 1, display: name, ...reference };
      }
    }
  }
}

interface OwnReferences {
  readonly id: string;
  readonly references: readonly ReferenceValue[];
}

/**
 * Tells which references of a resource stand behind a place. A handler counts them anew each time: where the one at the place
 * has moved, since others went, what follows it goes on behind it, and where it is gone itself, with what moved up to its place.
 */
function behind(
  after: RowPlace,
  descending: boolean,
  { id, references }: OwnReferences,
): (index: number) => boolean {
  const order = compareKeys(id, after.owner);
  if (order !== 0) return () => order > 0 !== descending;
  const found = references.findIndex(({ value }) => value === after.value);
  const isGone = found === -1 && after.value !== undefined;
  const at = found === -1 ? after.position - 1 : found;
  return (index) => (descending ? index < at : index > at || (isGone && index === at));
}

interface Owners extends Pick<RowsOf, "owner" | "from"> {
  readonly select: ReadSelection;
}

async function* ownersOf(
  type: HandlerType,
  scope: StoreScope,
  { owner, from = null, select }: Owners,
): AsyncGenerator<readonly StoredResource[], void, undefined> {
  const first = owner ?? from;
  const state = first === null ? null : await readState(type, scope, first);
  if (state !== null) yield await withCollections(type, scope, { states: [state], select });
  if (owner !== null) return;
  const query: ResourceStore["query"] = (asking, page) =>
    queryHandler(type, asking, { ...page, reads: select });
  const all = { type: type.model.name, filter: null, select, after: from };
  for await (const batch of eachBatch({ query }, scope, all))
    yield from === null ? batch : batch.filter(({ id }) => compareKeys(id, from) > 0);
}
