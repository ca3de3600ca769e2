/**
 * Pages by index (RFC 7644 §3.4.2.4), exact while resources come and go, as far as the service keeps one order.
 *
 * Each page begins with the last resource of the page before. Where it does not begin with one that is known, resources
 * before it went away and others moved to places that were read already: pages are read again, backwards, until
 * one begins with a known resource. Whoever is there all the time is met.
 * @module
 */
import type { DynamicResource } from "../resources/shape.ts";
import type { Page } from "./page.ts";
import type { Pages, Walk } from "./walk.ts";

/** Steps back in a row after which a list counts as one that cannot be read. */
const MOST_STEPS_BACK = 100;

/** Where the next page begins. */
interface Step {
  readonly startIndex: number;
  /** Resources at its beginning that were read before. */
  readonly overlap: number;
}

const BEGINNING: Step = { startIndex: 1, overlap: 0 };

/** Goes through a list by index. A first page that was read already is taken for what it is. */
export async function* walkByIndex(walk: Walk, first: Page<DynamicResource> | null): Pages {
  const { ahead, progress, count } = walk;
  let step = BEGINNING;
  let stepsBack = 0;
  let before: Page<DynamicResource> | null = null;
  let page = first ?? (await ahead.page({ startIndex: 1, count }));
  for (;;) {
    if (hasMoved(walk, step, page)) {
      if (stepsBack >= MOST_STEPS_BACK) {
        throw progress.failure("pagesUnstable", "resources move faster than they can be read");
      }
      stepsBack += 1;
      progress.reread("movedPages");
      step = { startIndex: Math.max(1, step.startIndex - count + 1), overlap: Number.POSITIVE_INFINITY };
    } else {
      // Only a page that joins on to the one before is progress: the first one always fits.
      if (step.overlap === 1) stepsBack = 0;
      if (isRepeated(step, { page, before })) {
        if (isWhole(walk, page)) return;
        throw progress.failure("pagesRepeat", `the page at ${step.startIndex} is the page of another place`);
      }
      const next = following(walk, step, { page, before });
      if (next !== null) ahead.expect({ startIndex: next.startIndex, count });
      const fresh = progress.take(page, step);
      if (fresh.resources.length > 0) yield fresh;
      if (next === null) return;
      step = next;
      before = page;
    }
    page = await ahead.page({ startIndex: step.startIndex, count });
  }
}

/** A page, and the one before it. */
interface Turn {
  readonly page: Page<DynamicResource>;
  readonly before: Page<DynamicResource> | null;
}

/** Whether a page does not join on to what was read. */
function hasMoved({ progress }: Walk, { startIndex, overlap }: Step, page: Page<DynamicResource>): boolean {
  if (startIndex === 1 || overlap === 0) return false;
  const [first] = page.resources;
  if (first !== undefined) return !progress.has(first);
  if (page.totalResults !== null && page.totalResults >= startIndex) {
    throw progress.failure(
      "pagesMissing",
      `there are ${page.totalResults} results, and none at ${startIndex}`,
    );
  }
  return true;
}

/** Whether the service gives the same page for another place. */
function isRepeated({ overlap }: Step, { page, before }: Turn): boolean {
  return (
    before !== null &&
    overlap <= 1 &&
    page.totalResults === before.totalResults &&
    page.resources.length > 1 &&
    page.resources.length === before.resources.length &&
    page.resources.every(({ id }, index) => id === before.resources[index]?.id)
  );
}

/**
 * Whether a page that comes for every place is all there is: paging is optional (RFC 7644 §3.4.2.4). A page of just as many
 * as were asked for may be cut, and its total be its own length.
 */
function isWhole({ count, progress }: Walk, { totalResults, resources }: Page<DynamicResource>): boolean {
  const { length } = resources;
  return totalResults === length && progress.resources === length && length !== count;
}

/** The next step, or null at the end. */
function following(walk: Walk, { startIndex }: Step, turn: Turn): Step | null {
  const { page } = turn;
  const length = page.resources.length;
  const last = startIndex + length - 1;
  if (length === 0) {
    if (page.totalResults === null || page.totalResults < startIndex) return null;
    throw walk.progress.failure("pagesMissing", `there are ${page.totalResults} results, and none is given`);
  }
  if (isEnd(walk, turn, last)) return null;
  // A service that gives one resource at a time gives no overlap.
  return length === 1 ? { startIndex: last + 1, overlap: 0 } : { startIndex: last, overlap: 1 };
}

/** Pages of fewer resources are taken for the last where their total says so. */
const SHORT = 10;

/**
 * Whether a page is the last. Its total alone does not tell: services exist that tell the length of the page. It counts
 * where the page is shorter than what was asked for and what the service gives at a time.
 */
function isEnd({ count, maxPageSize, progress }: Walk, { page, before }: Turn, last: number): boolean {
  const { totalResults, resources } = page;
  const length = resources.length;
  // Nothing but the overlap: the page before was the last.
  if (before !== null && length === 1 && resources[0]?.id === before.resources.at(-1)?.id) {
    if (totalResults === null || totalResults <= last) return true;
    throw progress.failure("pagesMissing", `there are ${totalResults} results, and none behind ${last}`);
  }
  if (totalResults === null ? length >= 1 : last < totalResults) return false;
  if (length < SHORT) return true;
  const asked = maxPageSize !== null && count <= maxPageSize;
  return asked && length < count && length !== before?.resources.length;
}
