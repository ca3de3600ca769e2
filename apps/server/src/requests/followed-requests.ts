/**
 * The request log as it grows: by the ids of its entries. A process that serves goes on with greater ids where its clock is
 * set back, while the times of entries go back with it.
 * @module
 */
import { beforeIdsOf, instantOfId, type RequestQuery, type StoredRequest } from "@scim/events";
import type { RequestReading } from "./request-reading.ts";

/** What is followed. */
export interface Following {
  readonly requests: Pick<RequestReading, "list">;
  readonly tenant: string;
  /** Which entries; `since` counts for those that are there already. */
  readonly query: RequestQuery;
}

/** Milliseconds that are looked at again: what another process logged may come behind what was shown. */
const OVERLAP_MS = 5000;

/** The log behind what is there already. */
export class FollowedRequests {
  readonly #following: Following;
  readonly #start: number;
  readonly #shown: Set<string>;
  #last: number;

  private constructor(following: Following, start: number, shown: Set<string>) {
    this.#following = following;
    this.#start = start;
    this.#last = start;
    this.#shown = shown;
  }

  /** Begins behind what is there, and tells what of it was asked for, the newest first. */
  static async begin(
    following: Following,
  ): Promise<{ readonly log: FollowedRequests; readonly there: readonly StoredRequest[] }> {
    const { requests, tenant, query } = following;
    const [newest] = await requests.list(tenant, { limit: 1 });
    const there = await requests.list(tenant, { ...query, limit: Math.max(query.limit, PAGE) });
    const start = newest === undefined ? 0 : instantOfId(newest.id);
    // The newest also where it is older than what was asked for.
    const known = [...there, ...(newest === undefined ? [] : [newest])];
    const log = new FollowedRequests(following, start, new Set(known.map(({ id }) => id)));
    return { log, there: there.slice(0, query.limit) };
  }

  /** What has come since the last look, the oldest first. */
  async *look(): AsyncGenerator<StoredRequest, void, undefined> {
    const { requests, tenant, query } = this.#following;
    const after = beforeIdsOf(Math.max(this.#start, this.#last - OVERLAP_MS));
    for await (const entry of entriesOf(requests, tenant, { ...query, since: undefined, after })) {
      if (this.#shown.has(entry.id)) continue;
      this.#shown.add(entry.id);
      this.#last = Math.max(this.#last, instantOfId(entry.id));
      yield entry;
    }
    const past = beforeIdsOf(this.#last - 2 * OVERLAP_MS);
    for (const id of this.#shown) if (id < past) this.#shown.delete(id);
  }
}

const PAGE = 200;

/** Entries from the oldest on. */
export async function* entriesOf(
  requests: Pick<RequestReading, "list">,
  tenant: string,
  query: Omit<RequestQuery, "limit">,
): AsyncGenerator<StoredRequest, void, undefined> {
  let after = query.after ?? "";
  for (;;) {
    const page = await requests.list(tenant, { ...query, after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? after;
  }
}
