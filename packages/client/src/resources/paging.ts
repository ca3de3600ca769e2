/**
 * Asks for a page of resources.
 * @module
 */
import type { EarlyText } from "../pages/ahead.ts";
import { UsageError } from "../errors/usage-error.ts";
import { readPage, type Page } from "../pages/page.ts";
import { queryOf, searchRequest } from "../pages/query.ts";
import { bodyText } from "../exchange/body-text.ts";
import type { Call } from "../exchange/call.ts";
import type { PageOptions } from "./options.ts";
import { checkedResource, type ResourceParts } from "./parts.ts";
import type { DynamicResource } from "./shape.ts";

/**
 * One page of the resources of a type. Each resource is remembered with its version.
 * @throws {@link UsageError} `invalidInput` where a place in the list is no whole number
 */
export async function pageOf(
  parts: ResourceParts,
  options: PageOptions<string>,
  early?: EarlyText,
): Promise<Page<DynamicResource>> {
  const { startIndex, count } = options;
  for (const [name, value] of Object.entries({ startIndex, count }))
    if (value !== undefined && !Number.isSafeInteger(value))
      throw new UsageError("invalidInput", `'${name}' of a page is a whole number.`);
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
