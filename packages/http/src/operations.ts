/**
 * One function for each operation: its inputs read from the request, its answer written as HTTP.
 * @module
 */
import type { RequestContext, ScimService, ServedType } from "@scim/core";
import type { JsonValue, ResourceOperation } from "@scim/schemas";
import { readBody } from "./body.ts";
import { preconditionOf } from "./entity-tags.ts";
import { decodeJson } from "./json/decode.ts";
import type { HttpLimits } from "./limits.ts";
import { requireAcceptable, requireJsonBody } from "./media-types.ts";
import { headerOf, type HttpRequest, type HttpResponse } from "./message.ts";
import { parseQuery, projectionOf, queryOf, type QueryParameters } from "./query-parameters.ts";
import { emptyResponse, pageResponse, resourceResponse } from "./responses.ts";
import type { RequestTrace } from "./trace.ts";

/** A request that may reach the service: who asks is known, and the form of address offers the method. */
export interface Call {
  readonly service: ScimService;
  readonly limits: HttpLimits;
  readonly request: HttpRequest;
  readonly context: RequestContext;
  readonly trace: RequestTrace;
  /** The part of the address behind the `?`. */
  readonly query: string;
}

/** A resource type and, for an item, the id that the address names. */
export interface Target {
  readonly type: ServedType;
  readonly id: string;
}

type Operation = (call: Call, target: Target) => Promise<HttpResponse>;

/** The operations on resources, by name. */
export const OPERATIONS: Readonly<Record<ResourceOperation, Operation>> = {
  query,
  create,
  read,
  replace,
  patch,
  delete: remove,
};

async function query(call: Call, target: Target): Promise<HttpResponse> {
  requireAcceptable(headerOf(call.request, "accept"));
  const answer = await call.service.list(call.context, {
    type: target.type.name,
    ...queryOf(parametersOf(call)),
  });
  call.trace.filterPlan = answer.filterPlan;
  return pageResponse(answer);
}

async function create(call: Call, target: Target): Promise<HttpResponse> {
  const body = await bodyOf(call, target.type);
  const projection = projectionOf(parametersOf(call));
  const answer = await call.service.create(call.context, { type: target.type.name, body, ...projection });
  return resourceResponse(answer, 201);
}

async function read(call: Call, target: Target): Promise<HttpResponse> {
  requireAcceptable(headerOf(call.request, "accept"));
  const answer = await call.service.read(call.context, {
    type: target.type.name,
    id: target.id,
    precondition: preconditionOf(call.request),
    ...projectionOf(parametersOf(call)),
  });
  return resourceResponse(answer);
}

async function replace(call: Call, target: Target): Promise<HttpResponse> {
  const body = await bodyOf(call, target.type);
  const answer = await call.service.replace(call.context, {
    type: target.type.name,
    id: target.id,
    body,
    precondition: preconditionOf(call.request),
    ...projectionOf(parametersOf(call)),
  });
  return resourceResponse(answer);
}

async function patch(call: Call, target: Target): Promise<HttpResponse> {
  const body = await bodyOf(call, target.type);
  const prefer = preferenceOf(headerOf(call.request, "prefer"));
  const answer = await call.service.patch(call.context, {
    type: target.type.name,
    id: target.id,
    body,
    precondition: preconditionOf(call.request),
    prefer,
    ...projectionOf(parametersOf(call)),
  });
  const response = resourceResponse(answer);
  if (prefer !== (answer.kind === "resource" ? "representation" : "minimal")) return response;
  return { ...response, headers: { ...response.headers, "preference-applied": `return=${prefer}` } };
}

async function remove(call: Call, target: Target): Promise<HttpResponse> {
  await call.service.delete(call.context, {
    type: target.type.name,
    id: target.id,
    precondition: preconditionOf(call.request),
  });
  return emptyResponse();
}

/** The checks of a body in their order: media types, size, syntax. */
async function bodyOf(call: Call, type: ServedType): Promise<JsonValue> {
  const { request, limits } = call;
  requireAcceptable(headerOf(request, "accept"));
  requireJsonBody(headerOf(request, "content-type"), headerOf(request, "content-encoding"));
  const bytes = await readBody(request, type.hasCollections ? limits.collectionBodyBytes : limits.bodyBytes);
  return decodeJson(bytes, limits.jsonDepth);
}

function parametersOf(call: Call): QueryParameters {
  return parseQuery(call.query);
}

/** `return=minimal` or `return=representation` among the preferences (RFC 7240 §4.2). */
function preferenceOf(header: string | undefined): "minimal" | "representation" | null {
  if (header === undefined) return null;
  for (const preference of header.split(/[,;]/)) {
    const [name = "", value = ""] = preference.split("=");
    if (name.trim().toLowerCase() !== "return") continue;
    const wanted = value.trim().replaceAll('"', "").toLowerCase();
    if (wanted === "minimal" || wanted === "representation") return wanted;
  }
  return null;
}
