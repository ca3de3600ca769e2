/**
 * Reads more of a server than it gives at once.
 * @module
 */
import type { JsonObject } from "@scim/schemas";

/** The most that a server gives at once. */
export const MOST_AT_ONCE = 1000;

/** Some entries, and where those behind them begin. */
export interface ReadPart<Entry, Place> {
  readonly entries: readonly Entry[];
  readonly next: Place;
  /** Whether there may be more behind it. Default: where there are as many as were asked for. */
  readonly more?: boolean;
}

/** Whether there is more behind a page of a server, where it says so: an older one does not. */
export function moreIn({ more }: JsonObject): Pick<ReadPart<unknown, unknown>, "more"> {
  return typeof more === "boolean" ? { more } : {};
}

/** Reads up to so many entries from a place on, in as many requests as it takes. */
export async function upTo<Entry, Place>(
  limit: number,
  from: Place,
  read: (place: Place, count: number) => Promise<ReadPart<Entry, Place>>,
): Promise<ReadPart<Entry, Place>> {
  const entries: Entry[] = [];
  for (let next = from; ;) {
    const count = Math.min(limit - entries.length, MOST_AT_ONCE);
    const part = await read(next, count);
    for (const entry of part.entries) entries.push(entry);
    next = part.next;
    const more = part.more ?? part.entries.length >= count;
    if (!more || entries.length >= limit) return { entries, next };
  }
}
