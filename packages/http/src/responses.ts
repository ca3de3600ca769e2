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
import { SCIM_MEDIA_TYPE } from "./media-types.ts";
import type { HttpResponse } from "./message.ts";

/** A resource with its address and entity tag; 304 or 204 where there is none to send. */
export function resourceResponse(
  answer: ResourceAnswer | NotModifiedAnswer | NoContentAnswer,
  status: 200 | 201 = 200,
): HttpResponse {
  switch (answer.kind) {
    case "resource":
      return {
        status,
        headers: {
          "content-type": SCIM_MEDIA_TYPE,
          location: answer.location,
          ...tagOf(answer.version),
        },
        body: JSON.stringify(answer.resource),
      };
    case "notModified":
      return { status: 304, headers: tagOf(answer.version), body: null };
    case "noContent":
      return {
        status: 204,
        headers: { location: answer.location, ...tagOf(answer.version) },
        body: null,
      };
  }
}

/** The entity tag of a resource that has one. */
function tagOf(version: string): Readonly<Record<string, string>> {
  return version === "" ? {} : { etag: entityTag(version) };
}

/** A page (RFC 7644 §3.4.2): all four members, and `Resources` also where it is empty. */
export function pageResponse(answer: ListAnswer): HttpResponse {
  return {
    status: 200,
    headers: {
      "content-type": SCIM_MEDIA_TYPE,
      ...(answer.filterPlan === null ? {} : { "scim-filter-plan": printable(answer.filterPlan) }),
    },
    body: JSON.stringify(listResponse(answer)),
  };
}

/** Nothing to say (204). */
export function emptyResponse(headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status: 204, headers, body: null };
}

/** The same answer without its body, as for HEAD (RFC 9110 §9.3.2). */
export function withoutBody(response: HttpResponse): HttpResponse {
  if (response.body === null) return response;
  const length = String(utf8Length(response.body));
  return { ...response, headers: { ...response.headers, "content-length": length }, body: null };
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Printable ASCII alone may stand in a header. */
function printable(text: string): string {
  return text.replaceAll(/[^\u0020-\u007e]/g, "?");
}
