/**
 * Reads: one resource, or a query, whose parameters stand in the address or in a body (RFC 7644 §3.4).
 * @module
 */
import type { QueryRequest, ServedType } from "@scim/core";
import { bodyOf, type Call } from "./call.ts";
import { preconditionOf, requireUntagged } from "./preconditions.ts";
import { messageLimit, streamTimes } from "./limits.ts";
import { requireAcceptable } from "./media-types.ts";
import { headerOf, type HttpResponse } from "./message.ts";
import { parseQuery, projectionOf, queryOf } from "./query-parameters.ts";
import { pageResponse, resourceResponse } from "./responses.ts";
import { readSearchRequest } from "./search-request.ts";

/** One resource, or that the client's copy is current. */
export async function read(call: Call, type: ServedType, id: string): Promise<HttpResponse> {
  requireAcceptable(headerOf(call.request, "accept"));
  const { attributes, excludedAttributes } = projectionOf(parseQuery(call.query));
  const answer = await call.service.read(call.context, {
    type: type.name,
    id,
    precondition: preconditionOf(call.request),
    attributes,
    excludedAttributes,
    streams: true,
    asText: true,
  });
  return resourceResponse(answer, { times: streamTimes(call.limits) });
}

/** A query by parameters in the address; without a type, over all of them. */
export async function query(call: Call, type: ServedType | null): Promise<HttpResponse> {
  requireAcceptable(headerOf(call.request, "accept"));
  return list(call, type, queryOf(parseQuery(call.query)));
}

/** A query by a SearchRequest; parameters in the address mean nothing here. */
export async function search(call: Call, type: ServedType | null): Promise<HttpResponse> {
  const body = await bodyOf(call, messageLimit(call.limits, null));
  return list(call, type, readSearchRequest(body, call.context));
}

async function list(call: Call, type: ServedType | null, request: QueryRequest): Promise<HttpResponse> {
  requireUntagged(call.request);
  const answer = await call.service.list(call.context, {
    type: type?.name ?? null,
    ...request,
    streams: true,
  });
  call.trace.filterPlan = answer.filterPlan;
  return pageResponse(answer, streamTimes(call.limits));
}
