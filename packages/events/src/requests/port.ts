/**
 * Port of the request log: what recording, reading and upkeep ask of a store.
 * @module
 */
import type { LoggedRequest, RequestRun, StoredRequest } from "./entry.ts";

/** Entries of one connection that are kept together. */
export interface RequestBatch {
  readonly tenant: string;
  readonly connection: string;
  /** In the order of their ids. */
  readonly entries: readonly LoggedRequest[];
  /** Requests that were not logged since the batch before. */
  readonly skipped: number;
  /** Milliseconds without a request after which a new run begins. */
  readonly pause: number;
}

/** Which entries are read. What is left out does not narrow. */
export interface RequestQuery {
  readonly connection?: string | undefined;
  readonly run?: string | undefined;
  /** Both ends are within: `{ from: 400, to: 499 }`. */
  readonly status?: { readonly from: number; readonly to: number } | undefined;
  /** Answered at this instant or later, UTC with milliseconds. */
  readonly since?: string | undefined;
  /** The id by which other logs know the request. */
  readonly requestId?: string | undefined;
  /** Those behind this id, oldest first. */
  readonly after?: string | undefined;
  /** Those before this id, newest first; without it, and without `after`, from the newest on. */
  readonly before?: string | undefined;
  /** At most so many: 1 or more. */
  readonly limit: number;
}

/** Of which requests of a run the ids are read, oldest first. */
export interface RequestIdsQuery {
  readonly run: string;
  /** Those behind this id of an entry, which need not be one. */
  readonly after: string;
  /** And before this one. */
  readonly before: string;
  /** At most so many: 1 or more. */
  readonly limit: number;
}

/** Which runs are read, newest first. */
export interface RunQuery {
  readonly connection?: string | undefined;
  readonly run?: string | undefined;
  /** Ended at this instant or later. */
  readonly since?: string | undefined;
  /** Those that began before this run. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** What is known of a connection's habits. */
export interface RequestSource {
  readonly tenant: string;
  readonly connection: string;
  /** Its last request, UTC with milliseconds. */
  readonly last: string;
  /** Milliseconds between the beginnings of its last runs, the newest last: at most 10. */
  readonly intervals: readonly number[];
  /** When its silence was told; null where it was not, or a request came since. */
  readonly silenceTold: string | null;
}

/** Which entries of a tenant go. */
export interface RequestPurge {
  /** Those from before this instant. */
  readonly before: string;
  /** And the oldest, until the rest has at most so many characters. */
  readonly characters: number;
  /** At most so many: 1 or more. */
  readonly limit: number;
}

/** The request logs of a store. */
export interface RequestLogStore {
  /**
   * Keeps entries, and tells to which run each belongs. Several processes may do it at once. Those that name a subject that
   * was erased when their request had begun count as skipped: who removed its entries did not find them.
   */
  add(batch: RequestBatch): Promise<void>;
  list(tenant: string, query: RequestQuery): Promise<readonly StoredRequest[]>;
  find(tenant: string, id: string): Promise<StoredRequest | null>;
  /** The ids of entries and of their requests, without what else the entries hold. */
  requestIds(
    tenant: string,
    query: RequestIdsQuery,
  ): Promise<readonly Pick<StoredRequest, "id" | "requestId">[]>;
  runs(tenant: string, query: RunQuery): Promise<readonly RequestRun[]>;
  /** Tenants whose requests were logged, by name, behind one: at most `limit`. */
  tenants(after: string, limit: number): Promise<readonly string[]>;
  /** The connections of a tenant whose requests were logged, by name. */
  sources(tenant: string): Promise<readonly RequestSource[]>;
  /**
   * Notes that requests are listened to at an instant. Resolves to since when they are, by whatever process: longer pauses between
   * two such instants than so many milliseconds are none in which anybody listened.
   */
  listening(at: string, pause: number): Promise<string>;
  /** Notes that the silence of a connection was told. Resolves to false where another did, or a request came. */
  tellSilence(source: RequestSource, at: string): Promise<boolean>;
  /** Removes old entries of a tenant and runs that ended before. Resolves to how many entries it removed. */
  purge(tenant: string, purge: RequestPurge): Promise<number>;
}
