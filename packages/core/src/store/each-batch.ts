/**
 * Goes through all resources that a query finds, however many there are.
 * @module
 */
import { pause } from "../pause.ts";
import type { Place, ResourceStore, StoreCandidates, StorePage, StoreQuery, StoreScope } from "./port.ts";
import type { StoredResource } from "./stored-resource.ts";

/** Resources that are read at once. */
const PAGE = 500;

/** What is gone through. */
export interface BatchedQuery extends Pick<StoreQuery, "type" | "filter" | "select"> {
  /** The id that it begins behind. Default: the beginning. */
  readonly after?: string | null;
}

/**
 * The resources of a query in ascending order of id, in batches; where the store could not answer all of the filter, others, and
 * those before `after`, among them. Each batch is read when it is asked for, and other requests have their turn in between.
 * @throws the reason of the scope's signal, where it aborts meanwhile
 */
export async function* eachBatch(
  store: Pick<ResourceStore, "query">,
  scope: StoreScope,
  { after = null, ...query }: BatchedQuery,
): AsyncGenerator<readonly StoredResource[], void, undefined> {
  let from: Place | null = after === null ? null : { key: null, id: after };
  for (;;) {
    scope.signal?.throwIfAborted();
    const page = { kind: "keyset", from, direction: "forward", limit: PAGE } as const;
    const answer: StorePage | StoreCandidates = await store.query(scope, { ...query, sort: null, page });
    if (answer.kind === "candidates") {
      yield* answer.batches;
      return;
    }
    yield answer.resources;
    const last = answer.resources.at(-1);
    if (last === undefined || !answer.more) return;
    from = { key: null, id: last.id };
    await pause(scope);
  }
}
