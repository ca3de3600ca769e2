/**
 * Adds the inverse collections that no single store can compute: those of handled types, and those of stored types that
 * handled ones refer to.
 * @module
 */
import { eachBatch } from "../store/each-batch.ts";
import { queryReads } from "../store/query-reads.ts";
import type {
  InverseSelection,
  ReadSelection,
  ResourceStore,
  StoreCandidates,
  StoreQuery,
  StoreScope,
} from "../store/port.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import { walkReferrers, type FindReferrers } from "./referrers.ts";

/** Where resources are kept, and who names them. */
export interface InversePlaces {
  readonly isHandled: (type: string) => boolean;
  readonly find: FindReferrers;
}

/** A store that reads resources as text, too. */
export interface TextStore extends ResourceStore {
  readonly readText: NonNullable<ResourceStore["readText"]>;
}

/** A store that answers all inverses, over one that answers only those within its own. */
export function withForeignInverses(store: TextStore, places: InversePlaces): TextStore {
  const fill = async <Stored extends Filled>(
    scope: StoreScope,
    resources: readonly Stored[],
    { foreign }: SplitSelection,
  ): Promise<readonly Stored[]> => fillInverses(places.find, scope, { resources, foreign });

  return {
    ...store,
    read: async (scope, target, select) => {
      const split = splitSelection(places, target.type, select);
      const stored = await store.read(scope, target, split.native);
      const [filled] = await fill(scope, stored === null ? [] : [stored], split);
      return filled ?? null;
    },
    readText: async (scope, target, select) => {
      const split = splitSelection(places, target.type, select);
      const stored = await store.readText(scope, target, split.native);
      const [filled] = await fill(scope, stored === null ? [] : [stored], split);
      return filled ?? null;
    },
    readMany: async (scope, targets, select) => {
      const split = splitSelection(places, targets.type, select);
      return fill(scope, await store.readMany(scope, targets, split.native), split);
    },
    snapshot: async (scope) => {
      const snapshot = await store.snapshot(scope);
      return {
        ...snapshot,
        readMany: async (targets, select) => {
          const split = splitSelection(places, targets.type, select);
          return fill(scope, await snapshot.readMany(targets, split.native), split);
        },
      };
    },
    query: async (scope, query) => {
      const split = splitSelection(places, query.type, query.select);
      if (split.foreign.length === 0) return store.query(scope, query);
      const read = splitSelection(places, query.type, queryReads(query));
      if (read.foreign.length > 0) return candidatesOf(store, places, { scope, query, read });
      const answer = await store.query(scope, { ...query, select: split.native });
      if (answer.kind === "candidates") return answer;
      return { ...answer, resources: await fill(scope, answer.resources, split) };
    },
  };
}

/** A selection in two: what the store of a type computes, and what has to be put together. */
interface SplitSelection {
  readonly native: ReadSelection;
  readonly foreign: readonly InverseSelection[];
}

function splitSelection({ isHandled }: InversePlaces, type: string, select: ReadSelection): SplitSelection {
  const isForeign = ({ inverse }: InverseSelection): boolean =>
    isHandled(type) || inverse.sources.some((source) => isHandled(source.type));
  const foreign = select.inverses.filter(isForeign);
  if (foreign.length === 0) return { native: select, foreign };
  return { native: { ...select, inverses: select.inverses.filter((each) => !isForeign(each)) }, foreign };
}

/** What inverses are added to, whatever else of a resource was read. */
type Filled = Pick<StoredResource, "id" | "inverses">;

async function fillInverses<Stored extends Filled>(
  find: FindReferrers,
  scope: StoreScope,
  {
    resources,
    foreign,
  }: { readonly resources: readonly Stored[]; readonly foreign: readonly InverseSelection[] },
): Promise<readonly Stored[]> {
  if (foreign.length === 0 || resources.length === 0) return resources;
  const ids = resources.map(({ id }) => id);
  let filled = resources;
  for (const selection of foreign) {
    const values = await walkReferrers(find, scope, { ids, selection });
    const { path } = selection.inverse.node;
    filled = filled.map((stored) => ({
      ...stored,
      inverses: new Map([...stored.inverses, [path, values.get(stored.id) ?? []]]),
    }));
  }
  return filled;
}

interface ForeignQuery {
  readonly scope: StoreScope;
  readonly query: StoreQuery;
  /** What the filter and the sort key read. */
  readonly read: SplitSelection;
}

/** A filter on what the store does not know goes through all resources of the type. */
function candidatesOf(
  store: ResourceStore,
  { find }: InversePlaces,
  { scope, query, read }: ForeignQuery,
): StoreCandidates {
  async function* batches(): AsyncGenerator<readonly StoredResource[], void, undefined> {
    const all = { type: query.type, filter: null, select: read.native };
    for await (const resources of eachBatch(store, scope, all))
      yield await fillInverses(find, scope, { resources, foreign: read.foreign });
  }
  return {
    kind: "candidates",
    order: "id",
    batches: batches(),
    plan: "scan with references of another store",
  };
}
