/**
 * References of a handler over all its resources: who names what.
 * @module
 */
import { compareKeys } from "@scim/filter";
import { own } from "../attributes/json-object.ts";
import type {
  ReferenceRow,
  ReferenceRowFilter,
  ReferenceRowQuery,
  RowPlace,
} from "../store/reference-rows.ts";
import type { StoreScope } from "../store/port.ts";
import type { ReferenceValue } from "../store/stored-resource.ts";
import type { HandledState } from "./handled-state.ts";
import { askList, EVERYTHING, inOrderOfId } from "./handler-list.ts";
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
  const { after, descending, offset, limit } = query;
  const sign = descending ? -1 : 1;
  const rows: ReferenceRow[] = [];
  for await (const row of allRows(type, scope, query))
    if (after === null || sign * comparePlaces(row, after) > 0) rows.push(row);
  return (descending ? rows.toReversed() : rows).slice(offset, offset + limit);
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

type RowsOf = Omit<ReferenceRowQuery, "descending" | "after" | "offset" | "limit">;

/** Rows in the order of their places. */
async function* allRows(
  type: HandlerType,
  scope: StoreScope,
  { path, owner, value, displayKey }: RowsOf,
): AsyncGenerator<ReferenceRow, void, undefined> {
  const select = { collections: [path], inverses: [] };
  for await (const states of owners(type, scope, owner)) {
    for (const stored of await withCollections(type, scope, { states, select })) {
      const display = displayKey === null ? undefined : own(stored.body, displayKey);
      const name = typeof display === "string" ? display : null;
      for (const [index, reference] of valuesAt(stored.collections, path)) {
        if (value !== null && reference.value !== value) continue;
        yield { owner: stored.id, position: index + 1, display: name, ...reference };
      }
    }
  }
}

function valuesAt(
  collections: ReadonlyMap<string, readonly ReferenceValue[]>,
  path: string,
): IterableIterator<[number, ReferenceValue]> {
  return (collections.get(path) ?? []).entries();
}

async function* owners(
  type: HandlerType,
  scope: StoreScope,
  owner: string | null,
): AsyncGenerator<readonly HandledState[], void, undefined> {
  if (owner === null) {
    yield* inOrderOfId(type, scope, await askList(type, scope, EVERYTHING));
    return;
  }
  const state = await readState(type, scope, owner);
  if (state !== null) yield [state];
}

function comparePlaces(left: RowPlace, right: RowPlace): number {
  return compareKeys(left.owner, right.owner) || left.position - right.position;
}
