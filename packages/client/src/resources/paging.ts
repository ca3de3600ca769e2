/**
 * Asks for a page of resources.
 * @module
 */
import type { EarlyText } from "../pages/ahead.ts";
import { readPage, type Page } from "../pages/page.ts";
import { queryOf, searchRequest } from "../pages/query.ts";
import { bodyText } from "../exchange/body-text.ts";
import type { Call } from "../exchange/call.ts";
import type { PageOptions } from "./options.ts";
import { checkedResource, type ResourceParts } from "./parts.ts";
import type { DynamicResource } from "./shape.ts";

/** One page of the resources of a type. Each resource is remembered with its version. */
export async function pageOf(
  parts: ResourceParts,
  options: PageOptions<string>,
  early?: EarlyText,
): Promise<Page<DynamicResource>> {
  const answer = await parts.engine.send({ ...callOf(parts, options), early });
  const page = readPage(answer);
  const resources = page.resources.map((each) => checkedResource(each, answer));
  for (const resource of resources) parts.memory.remember(resource, undefined);
  return { ...page, resources };
}

function callOf({ type }: ResourceParts, options: PageOptions<string>): Call {
  const { signal, timeout, headers = {}, post = false, ...query } = options;
  const common = { headers, repetition: "safe", signal, timeout } as const;
  if (post) {
    const body = bodyText(searchRequest(query));
    return { ...common, method: "POST", path: `${type.endpoint}/.search`, body };
  }
  return { ...common, method: "GET", path: type.endpoint, query: queryOf(query) };
}
