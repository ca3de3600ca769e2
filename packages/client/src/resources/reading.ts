/**
 * Reads single resources, and serves what has not changed from the cache (RFC 7644 §3.4.1, §3.14).
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";
import { InvalidAnswerError } from "../errors/answer-error.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Answer } from "../exchange/answer.ts";
import { isHeaderValue } from "../exchange/header-text.ts";
import { projectionQuery } from "../pages/query.ts";
import { idOf } from "../versions/version-memory.ts";
import type { CallOptions, Projection, ReadOptions } from "./options.ts";
import { checkedResource, pathOf, resourceOf, type ResourceParts } from "./parts.ts";
import { derivedAttributes } from "./resource-type.ts";
import type { DynamicResource } from "./shape.ts";

/** Reads one resource. */
export async function read(
  parts: ResourceParts,
  id: string,
  options: ReadOptions & Projection<string> = {},
): Promise<DynamicResource> {
  const { engine, cache } = parts;
  const path = pathOf(parts, idOf(id));
  const query = projectionQuery(options);
  const address = path + query;
  const cached = options.fresh === true ? undefined : cache?.get(address);
  const answer = await engine.send({
    method: "GET",
    path,
    query,
    headers: { ...options.headers, ...(cached === undefined ? {} : { "if-none-match": cached.tag }) },
    repetition: "safe",
    signal: options.signal,
    timeout: options.timeout,
  });
  if (answer.status === 304) {
    if (cached !== undefined) return fromCache(parts, answer, cached.text);
    const { request, status } = answer;
    throw new InvalidAnswerError("invalidMessage", "the service says that nothing has changed, unasked", {
      request,
      status,
    });
  }
  const resource = resourceOf(parts, answer, id);
  keep(parts, address, answer);
  return resource;
}

/** Whether there is a resource of an id. */
export async function exists(parts: ResourceParts, id: string, options: CallOptions = {}): Promise<boolean> {
  try {
    await read(parts, id, { ...options, fresh: true, attributes: ["id"] });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "notFound") return false;
    throw error;
  }
}

function keep({ cache, memory }: ResourceParts, address: string, answer: Answer): void {
  if (cache === null || answer.body === null) return;
  const tag = memory.tagOf(checkedResource(answer.body, answer));
  if (tag !== null && isHeaderValue(tag)) cache.set(address, { tag, text: answer.text });
}

/**
 * A copy of what was read before. Derived attributes such as `groups` stay only where the service is known to cover them
 * by its versions: elsewhere a user may have left a group while the version stayed the same.
 */
async function fromCache(parts: ResourceParts, answer: Answer, text: string): Promise<DynamicResource> {
  const { memory, type, engine } = parts;
  // It was read as a JSON object before.
  const whole = JSON.parse(text) as JsonObject;
  const derived = new Set(derivedAttributes(type).map(({ name }) => name.toLowerCase()));
  const isDerived = ([name]: [string, JsonValue]): boolean => derived.has(name.toLowerCase());
  const members = Object.entries(whole);
  const uncertain = members.some(isDerived) && !(await coversDerived(parts));
  const kept = uncertain ? Object.fromEntries(members.filter((member) => !isDerived(member))) : whole;
  const resource = checkedResource(kept, answer);
  if (uncertain) {
    engine.tell({
      kind: "tolerance",
      path: answer.request.path,
      what: "uncoveredGroups",
      ids: [resource.id],
    });
  }
  memory.remember(resource, answer.headers["etag"]);
  return resource;
}

async function coversDerived({ discovery }: ResourceParts): Promise<boolean> {
  try {
    return (await discovery.configExtension()).versionCoversDerived;
  } catch {
    return false;
  }
}
