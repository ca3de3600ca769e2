/**
 * Pages by cursor (RFC 9865): whoever is there all the time is met once, whatever comes and goes.
 * @module
 */
import { ServiceError } from "../errors/service-error.ts";
import type { DynamicResource } from "../resources/shape.ts";
import type { Page } from "./page.ts";
import { walkByIndex } from "./index-walk.ts";
import type { Pages, Walk } from "./walk.ts";

/** Goes through a list by cursor; by index where the service turns out not to know cursors. */
export async function* walkByCursor(walk: Walk): Pages {
  const { ahead, progress, count } = walk;
  let met = new Set<string>();
  let cursor = "";
  /** Resources given out when the list was begun, the last time. */
  let before = 0;
  let again = false;
  for (;;) {
    const page = await read(walk, cursor, progress.resources > before);
    if (page === "expired") {
      progress.reread("expiredCursor");
      before = progress.resources;
      again = true;
      met = new Set();
      cursor = "";
      continue;
    }
    const { nextCursor } = page;
    if (cursor === "" && ignoresCursors(page)) {
      yield* walkByIndex(walk, page);
      return;
    }
    if (nextCursor !== null) {
      if (met.has(nextCursor)) throw progress.failure("pagesRepeat", "the cursors lead in a circle");
      met.add(nextCursor);
      ahead.expect({ cursor: nextCursor, count });
    }
    const fresh = progress.take(page, { overlap: again ? Number.POSITIVE_INFINITY : 0 });
    if (fresh.resources.length > 0) yield fresh;
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

/** A page, or that its cursor has expired and beginning anew makes sense. */
async function read(
  { ahead, progress, count }: Walk,
  cursor: string,
  advanced: boolean,
): Promise<Page<DynamicResource> | "expired"> {
  try {
    return await ahead.page({ cursor, count });
  } catch (error) {
    if (cursor === "" || !isRefusedCursor(error)) throw error;
    if (advanced) return "expired";
    throw progress.failure("pagesExpired", "the cursors expire before they are used", error);
  }
}

function isRefusedCursor(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === "expiredCursor" || error.code === "invalidCursor");
}

/** A service without cursors ignores the parameter (RFC 9865 §2.4), and answers with the first page. */
function ignoresCursors({ nextCursor, totalResults, resources }: Page<DynamicResource>): boolean {
  return nextCursor === null && totalResults !== null && totalResults > resources.length;
}
