/**
 * Answers of the service as HTTP (RFC 7644 §3.3 to §3.6, §3.14).
 * @module
 */
import {
  entityTag,
  type ListAnswer,
  type NoContentAnswer,
  type NotModifiedAnswer,
  type ResourceAnswer,
} from "@scim/core";
import { listResponse } from "@scim/schemas";
import { createBodyStream, type BodyStream, type StreamTimes } from "./body-stream.ts";
import { listText, resourceText } from "./json/object-text.ts";
import { DEFAULT_HTTP_LIMITS, streamTimes } from "./limits.ts";
import { SCIM_MEDIA_TYPE } from "./media-types.ts";
import type { HttpResponse } from "./message.ts";

/** How a resource is answered. */
export interface ResourceResponseOptions {
  /** Default 200. */
  readonly status?: 200 | 201;
  /** Of an answer that is streamed. */
  readonly times?: StreamTimes;
}

const DEFAULT_TIMES = streamTimes(DEFAULT_HTTP_LIMITS);

/** A resource with its address and entity tag; 304, 204, or 201 without a body, where there is none to send. */
export function resourceResponse(
  answer: ResourceAnswer | NotModifiedAnswer | NoContentAnswer,
  { status = 200, times = DEFAULT_TIMES }: ResourceResponseOptions = {},
): HttpResponse {
  switch (answer.kind) {
    case "resource":
      if (answer.isPartial === true) return bodyless(answer, status === 201 ? 201 : 204);
      return {
        status,
        headers: {
          "content-type": SCIM_MEDIA_TYPE,
          location: answer.location,
          ...tagOf(answer.version),
        },
        body: resourceBody(answer, times),
      };
    case "notModified":
      return { status: 304, headers: tagOf(answer.version), body: null };
    case "noContent":
      return bodyless(answer, 204);
  }
}

function bodyless(
  { location, version }: Pick<ResourceAnswer, "location" | "version">,
  status: 201 | 204,
): HttpResponse {
  return { status, headers: { location, ...tagOf(version) }, body: null };
}

/** The entity tag of a resource that has one. */
function tagOf(version: string): Readonly<Record<string, string>> {
  return version === "" ? {} : { etag: entityTag(version) };
}

/** A page (RFC 7644 §3.4.2): all four members, and `Resources` also where it is empty. */
export function pageResponse(answer: ListAnswer, times = DEFAULT_TIMES): HttpResponse {
  return {
    status: 200,
    headers: {
      "content-type": SCIM_MEDIA_TYPE,
      ...(answer.filterPlan === null ? {} : { "scim-filter-plan": printable(answer.filterPlan) }),
    },
    body: pageBody(answer, times),
  };
}

function resourceBody(answer: ResourceAnswer, times: StreamTimes): string | BodyStream {
  const { text, stream } = answer;
  if (stream === undefined) return text ?? JSON.stringify(answer.resource);
  const pieces = resourceText(answer.resource, stream.collections[0] ?? []);
  return createBodyStream({ pieces, ...times, close: () => stream.close() });
}

function pageBody(answer: ListAnswer, times: StreamTimes): string | BodyStream {
  const { stream } = answer;
  if (stream === undefined) return JSON.stringify(listResponse(answer));
  const { Resources = [], ...message } = listResponse(answer);
  const resources = Resources.map((resource, index) => ({
    resource,
    collections: stream.collections[index] ?? [],
  }));
  const pieces = listText(message, resources);
  return createBodyStream({ pieces, ...times, close: () => stream.close() });
}

/** Nothing to say (204). */
export function emptyResponse(headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status: 204, headers, body: null };
}

/** The same answer without its body, as for HEAD (RFC 9110 §9.3.2). The length of a streamed one is not known. */
export async function withoutBody(response: HttpResponse): Promise<HttpResponse> {
  const { body, headers } = response;
  if (body === null) return response;
  // What the body would have been made of has nothing to do with the answer, also where it cannot be let go.
  if (typeof body !== "string") await body.cancel().catch(() => undefined);
  const length = typeof body === "string" ? { "content-length": String(utf8Length(body)) } : {};
  return { ...response, headers: { ...headers, ...length }, body: null };
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Printable ASCII alone may stand in a header. */
function printable(text: string): string {
  return text.replaceAll(/[^\u0020-\u007e]/g, "?");
}
