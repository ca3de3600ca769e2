/**
 * A list that is read when it is gone through.
 * @module
 */
import type { Page } from "./page.ts";

/** What was met while a list was read. */
export interface ListReport {
  /** Resources given out. */
  readonly resources: number;
  /** Pages read, those read again included. */
  readonly pages: number;
  /** How many resources match, as the service said last; null where it does not say. */
  readonly totalResults: number | null;
  /** Ids that the service listed more than once, although nothing had moved; at most 100. They were given out once. */
  readonly repeated: readonly string[];
  /** How often pages were read again, because resources came or went meanwhile. */
  readonly rereads: number;
}

/**
 * The resources of a list. Going through it sends the requests; leaving the loop early sends no more.
 *
 * @example
 * for await (const user of client.users.list({ filter: 'active eq true' })) console.log(user.userName);
 */
export interface ResourceList<Resource> extends AsyncIterable<Resource> {
  /** The pages as they are read, without what was given out before. */
  pages(): AsyncIterable<Page<Resource>>;
  /** The first resource, or null where there is none. */
  first(): Promise<Resource | null>;
  /** All resources in memory; where there are more than `most`, a RangeError. Default 10,000. */
  toArray(most?: number): Promise<readonly Resource[]>;
  /** What was met the last time that the list was gone through, up to now. */
  readonly report: ListReport;
}
