/**
 * The page that a request asks for: by number, or next to a place.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { ListAnswer } from "../../answers.ts";
import type { ListRequest } from "../../requests.ts";
import { createCursors, type Cursors, type ListKeyset, type ListPlace } from "./cursor.ts";
import { readPaging, type NumberedPage } from "./page-parameters.ts";

/** A page of at most `limit` resources. */
export type RequestedPage =
  | NumberedPage
  | {
      readonly kind: "keyset";
      readonly keyset: ListKeyset;
      readonly limit: number;
      /** The cursors of the pages beside what was found. */
      readonly beside: (found: AdjacentPlaces) => PageCursors;
    };

/** What was found next to a place. */
export interface AdjacentPlaces {
  /** Whether resources come behind the page in its direction. */
  readonly more: boolean;
  /** In the order of the list. */
  readonly places: readonly ListPlace[];
}

type PageCursors = Pick<ListAnswer, "nextCursor" | "previousCursor">;

const BEGINNING: ListKeyset = { direction: "forward", from: null };

/**
 * Reads the page that a request asks for.
 * @param types names of the resource types that are asked for, in the order of the list
 * @throws ScimError as `readPaging` and `Cursors.read` do
 */
export function readPage(
  environment: Environment,
  { request, types }: { readonly request: ListRequest; readonly types: readonly string[] },
  context: RequestContext,
): RequestedPage {
  const paging = readPaging(environment, request, context);
  if (paging.kind === "index") return paging;
  const { limit, seal, text } = paging;
  const cursors = createCursors(environment, { request, types, limit, seal }, context);
  const keyset = text === "" ? BEGINNING : cursors.read(text);
  return { kind: "keyset", keyset, limit, beside: (found) => neighbours(found, keyset, cursors) };
}

/**
 * The cursors of the pages beside a page. Where it is empty, all resources stand before the place that it begins
 * behind, or behind the one that it ends before: then the page beside it is the last, or the first.
 */
function neighbours(
  { more, places }: AdjacentPlaces,
  { direction, from }: ListKeyset,
  cursors: Cursors,
): PageCursors {
  const forward = direction === "forward";
  const hasNext = forward ? more : from !== null;
  const hasPrevious = forward ? from !== null : more;
  return {
    nextCursor: hasNext ? cursors.write({ direction: "forward", from: places.at(-1) ?? null }) : null,
    previousCursor: hasPrevious ? cursors.write({ direction: "backward", from: places[0] ?? null }) : null,
  };
}
