/**
 * What the service asks of a store. A store applies each write in one atomic step and checks the
 * version in the statement that writes; `@scim/core/testing` holds the contract as data.
 * @module
 */
import type { BoundFilter, BoundPath, ComparisonKey } from "@scim/filter";
import type { AttributeNode, InverseCollection } from "../model/attribute-node.ts";
import type { TypeCapabilities } from "./capabilities.ts";
import type { ConnectionRules } from "./connection-rules.ts";
import type { Cutoff } from "./cutoff.ts";
import type { DeletedResources } from "./deleted-resources.ts";
import type { ImportStore } from "./import-store.ts";
import type { IndexCatalog } from "./index-catalog.ts";
import type { ReferenceRow, ReferenceRowFilter, ReferenceRowQuery } from "./reference-rows.ts";
import type { ResourceSnapshot } from "./resource-snapshot.ts";
import type { ReferenceStage } from "./reference-stage.ts";
import type { SecretHashes } from "../secrets/secret-sink.ts";
import type { ReferenceValue, StoredResource, StoredText } from "./stored-resource.ts";
import type { WritePlan, WriteResult } from "./write-plan.ts";

/** Whose data an operation touches. Every key and every query carries the tenant. */
export interface StoreScope {
  readonly tenant: string;
  /** The connection on whose behalf the operation runs; it is recorded, not a boundary. */
  readonly connection: string;
  /** Ends reads that take long: the client went away, or their time is over. */
  readonly signal?: AbortSignal | undefined;
}

/** A filter bound to the attributes of one resource type. */
export type ResourceFilter = BoundFilter<AttributeNode>;

/** What beside its own JSON is read with a resource. Nothing else is touched. */
export interface ReadSelection {
  /** Paths of collections. */
  readonly collections: readonly string[];
  /** Paths of further collections, of which the first value alone is read: `collections` names none of them. */
  readonly first?: readonly string[] | undefined;
  readonly inverses: readonly InverseSelection[];
  /**
   * Most values of one collection that a call reads, over all its resources. A collection that has more is missing in
   * `StoredResource.collections` of each of them: `ResourceStore.snapshot` gives it in batches. Default: no bound.
   */
  readonly most?: number | undefined;
}

/** An inverse to compute. */
export interface InverseSelection {
  readonly inverse: InverseCollection;
  /** 1: direct references only; n: through at most n - 1 resources in between. */
  readonly depth: number;
}

/** A page by number. */
export interface IndexPage {
  readonly kind: "index";
  /** Resources to leave out at the start: 0 or more. */
  readonly offset: number;
  /** At most so many resources: 0 or more. */
  readonly limit: number;
}

/**
 * Where a resource stands in the order of a query: by key, resources without one last (descending: first), and
 * those that are equal by id. The place stays when the resource changes or goes.
 */
export interface Place {
  /** What it is ordered by; null where it has no value, and in a query without sort. */
  readonly key: ComparisonKey | null;
  readonly id: string;
}

/** A page next to a place: page 10,000 costs what page 1 costs. */
export interface KeysetPage {
  readonly kind: "keyset";
  /** The place that the page begins behind, or ends before; null for the beginning, or the end. */
  readonly from: Place | null;
  /** `backward`: the resources before the place; the page holds them in the order of the query all the same. */
  readonly direction: "forward" | "backward";
  /** At most so many resources: 1 or more. */
  readonly limit: number;
}

/** A query over the resources of one type. */
export interface StoreQuery {
  readonly type: string;
  readonly filter: ResourceFilter | null;
  readonly sort: { readonly target: BoundPath<AttributeNode>; readonly descending: boolean } | null;
  readonly page: IndexPage | KeysetPage;
  /** Most places that a store may keep to find a page that no index gives (`FirstFew`). Default: any number. */
  readonly sortedResults?: number;
  /**
   * Whether it is enough to tell where the resources of the page stand: a store that finds places without reading the
   * resources answers `places`. Default false.
   */
  readonly placesOnly?: boolean;
  /**
   * What is read with the resources of the page. It must name the inverses that the filter and the sort key
   * read, since only a selection says how they are computed: one that is missing has no values.
   */
  readonly select: ReadSelection;
}

/** The store answered the whole query. */
export interface StorePage {
  readonly kind: "page";
  /** How many resources match; null on a keyset page where counting would mean going through them. */
  readonly total: number | null;
  /** Whether resources come behind a keyset page in its direction; false on an index page. */
  readonly more: boolean;
  /** In the order of the query. */
  readonly resources: readonly StoredResource[];
  /**
   * Where the resources stood when they were found: in place of those of a keyset page, where the query asks for no more
   * (`placesOnly`); beside them, where they were read later, and may have changed since so that they stand elsewhere or
   * match no more.
   */
  readonly places?: readonly Place[];
  /** How the query was served, for operators: `index of userName`, `scan`. */
  readonly plan: string;
  /** Whether values of all resources were compared that no index holds, which operators are told. Default false. */
  readonly scanned?: boolean;
}

/**
 * The store could not answer all of it: it gives candidates, a superset of the matches, and the caller filters,
 * sorts and pages. Nothing is left out silently.
 */
export interface StoreCandidates {
  readonly kind: "candidates";
  /**
   * `id`: all candidates in ascending order of id. `query`: for a keyset page, those behind its place in the
   * order of the query, or before it in the reverse order, so that the caller stops where the page is full.
   */
  readonly order: "id" | "query";
  /**
   * Batches of candidates with the collections and inverses that filter and sort key read, and no others. A collection
   * that is too long to be held may be missing: `referenceRows` gives it to a filter, and `references` what sorts.
   */
  readonly batches: AsyncIterable<readonly StoredResource[]>;
  readonly plan: string;
}

/** Which values of a collection: those of these ids, every one, or the first so many. */
export type ReferenceSelection = readonly string[] | "all" | { readonly first: number };

/** Port of resources: what the operations of the service need. */
export interface ResourceStore {
  /** Which attributes have an index; a store that has none looks through what it holds. */
  readonly indexes?: IndexCatalog | undefined;
  /** What imports ask for; without it they write one resource after another, and cannot be resumed. */
  readonly imports?: ImportStore | undefined;
  /** Rules of connections that it holds; without it each write keeps those of its own profile alone. */
  readonly rules?: ConnectionRules | undefined;
  /** The hashes of secrets that it keeps; without it `WritePlan`s bring none. */
  readonly secrets?: SecretHashes | undefined;
  /** Deleted resources that can be restored; without it what is deleted is gone for good, and no `RestorePlan` comes. */
  readonly deleted?: DeletedResources | undefined;
  /** The resource, or null where it does not exist, is deleted, or belongs to another tenant. */
  read(
    scope: StoreScope,
    target: { readonly type: string; readonly id: string },
    select: ReadSelection,
  ): Promise<StoredResource | null>;
  /** As `read`, with the body as text: for stores that keep text. Without it, `read` is called. */
  readText?:
    | ((
        scope: StoreScope,
        target: { readonly type: string; readonly id: string },
        select: ReadSelection,
      ) => Promise<StoredText | null>)
    | undefined;
  /** The resources of these ids that exist, in the order of the ids. */
  readMany(
    scope: StoreScope,
    targets: { readonly type: string; readonly ids: readonly string[] },
    select: ReadSelection,
  ): Promise<readonly StoredResource[]>;
  /** The selected values of a collection of a resource, in the order of adding. */
  references(
    scope: StoreScope,
    owner: { readonly type: string; readonly id: string; readonly path: string },
    selection: ReferenceSelection,
  ): Promise<readonly ReferenceValue[]>;
  /**
   * Opens one state of the resources. It holds up neither writes nor other reads, and must be closed.
   * @throws ScimError `unavailable` where as many are open as the store can have
   */
  snapshot(scope: StoreScope): Promise<ResourceSnapshot>;
  /**
   * Opens a stage for the long collections of a resource of a type. It must be closed: a write that takes it over does
   * not do that.
   * @throws ScimError `unavailable` where as many are open as the store can have
   */
  stage(scope: StoreScope, type: string): Promise<ReferenceStage>;
  /**
   * A page of the rows of a collection over all its owners, ordered by place. What it costs depends on the page
   * and the offset, never on how many rows an owner has.
   */
  referenceRows(scope: StoreScope, query: ReferenceRowQuery): Promise<readonly ReferenceRow[]>;
  /** How many rows there are. It goes through them all by index, some at a time. */
  countReferenceRows(scope: StoreScope, filter: ReferenceRowFilter): Promise<number>;
  query(scope: StoreScope, query: StoreQuery): Promise<StorePage | StoreCandidates>;
  /**
   * Applies a plan: all of it, in one transaction that is durable when the promise resolves, or nothing.
   * @throws ScimError `unavailable` where the store cannot write now
   */
  write(scope: StoreScope, plan: WritePlan): Promise<WriteResult>;
  /**
   * What `write` would answer now. Nothing stays of it: no change, no event, no counter, and writes that run at
   * the same time do not notice.
   * @throws ScimError `unavailable` where the store cannot write now
   */
  preview(scope: StoreScope, plan: WritePlan): Promise<WriteResult>;
  /**
   * Removes what deleted resources left behind, where they were deleted before an instant: at most `limit`
   * rows a call. Resolves to the rows removed; fewer than `limit` when there are no more. A resource of which a row is
   * gone can never be restored, and its other rows go whatever the instant of a later call.
   */
  purge(before: Cutoff, limit: number): Promise<number>;
  /** What the store can do with the resources of a type; without, all of it but statements of an application. */
  capabilities?(type: string): TypeCapabilities;
}
