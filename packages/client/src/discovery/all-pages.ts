/**
 * Schemas and resource types, to the last page. RFC 7644 §4 has a service give them all at once; some cut them into
 * pages all the same, as they cut any list.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { PagingError, type PagingErrorCode } from "../errors/paging-error.ts";
import type { Answer } from "../exchange/answer.ts";
import { readPage, type Page } from "../pages/page.ts";
import { queryOf } from "../pages/query.ts";

/** Requests and resources after which a service counts as one that does not come to an end. */
const MOST_PAGES = 1000;
const MOST_RESOURCES = 10_000;

/** A resource, and the answer that it came with. */
export interface Discovered {
  readonly resource: JsonObject;
  readonly answer: Answer;
}

/**
 * All resources of a discovery endpoint: page by page, by cursor where the answer has one, until there are as many as its
 * total says. An answer without a total is taken for all there is.
 * @throws {@link PagingError} `pagesMissing` where fewer are given than the total says, `pagesRepeat` where a page brings
 * nothing new, `pagesEndless` past 1,000 pages or 10,000 resources
 */
export async function allPages(read: (query: string) => Promise<Answer>): Promise<readonly Discovered[]> {
  const found: Discovered[] = [];
  const known = new Set<string>();
  let query = "";
  for (let pages = 1; ; pages += 1) {
    const answer = await read(query);
    const page = readPage(answer);
    // What a first page holds twice is the service's word; what comes again on a later one is not new.
    const fresh = page.resources.filter((resource) => pages === 1 || !known.has(nameOf(resource)));
    for (const resource of fresh) {
      known.add(nameOf(resource));
      found.push({ resource, answer });
    }
    const next = nextQuery(page, found.length);
    if (next === null) return found;
    const failure = failureOf(page, { pages, read: found.length, fresh: fresh.length });
    if (failure !== null) {
      throw new PagingError(...failure, { request: answer.request, read: found.length });
    }
    query = next;
  }
}

/** The query of the page that follows; null behind the last. */
function nextQuery({ nextCursor, totalResults }: Page<JsonObject>, read: number): string | null {
  if (nextCursor !== null) return queryOf({ cursor: nextCursor });
  return totalResults === null || read >= totalResults ? null : queryOf({ startIndex: read + 1 });
}

/** How far the pages were read. */
interface Course {
  readonly pages: number;
  readonly read: number;
  /** Resources of the page that were not read before. */
  readonly fresh: number;
}

/** Why there is no use in asking for another page; null where there is. */
function failureOf(
  { resources, totalResults, nextCursor }: Page<JsonObject>,
  { pages, read, fresh }: Course,
): readonly [PagingErrorCode, string] | null {
  if (pages >= MOST_PAGES || read >= MOST_RESOURCES) {
    return ["pagesEndless", `there is more behind ${pages} pages and ${read} resources`];
  }
  if (fresh > 0) return null;
  if (resources.length > 0) return ["pagesRepeat", "a page holds what pages before it held"];
  const promised = nextCursor === null ? `there are ${totalResults} results` : "a cursor leads on";
  return ["pagesMissing", `${promised}, and none is given behind ${read}`];
}

/** What tells a schema or a resource type from others. */
function nameOf(resource: JsonObject): string {
  const { id, name } = resource;
  const own = id ?? name;
  return typeof own === "string" ? own.toLowerCase() : JSON.stringify(resource);
}
