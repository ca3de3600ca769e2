/**
 * Changes of a resource: read from a request, then made, or tried out in a dry run.
 * @module
 */
import type { ChangeRequest, CreateRequest, ServedType } from "@scim/core";
import { dryRunResponse, ScimError, type ResourceOperation } from "@scim/schemas";
import { bodyOf, type Call } from "./call.ts";
import { resourceBody } from "./long-body/resource-body.ts";
import { preconditionOf, requireUntagged } from "./preconditions.ts";
import { messageLimit, streamTimes } from "./limits.ts";
import { SCIM_MEDIA_TYPE, requireAcceptable } from "./media-types.ts";
import { headerOf, type HttpRequest, type HttpResponse } from "./message.ts";
import { parseQuery, projectionOf } from "./query-parameters.ts";
import { emptyResponse, resourceResponse } from "./responses.ts";

/** An operation that changes something. */
export type ChangeOperation = Exclude<ResourceOperation, "query" | "read">;

/** Where a change happens. */
export interface ChangeTarget {
  readonly type: ServedType;
  /** Empty for a resource that is to be created. */
  readonly id: string;
  /** Whether the address is one of `/.dry-run`; on the usual addresses a header decides. */
  readonly isDryRun: boolean;
}

/** Makes a change, or tries it out. */
export async function change(
  call: Call,
  operation: ChangeOperation,
  target: ChangeTarget,
): Promise<HttpResponse> {
  if (target.isDryRun || asksForDryRun(call.request))
    return tryOut(call, await readChange(call, operation, target));
  if (!target.type.hasCollections || operation === "delete" || operation === "patch")
    return make(call, await readChange(call, operation, target));
  const { body, staged, close } = await resourceBody(call, target.type);
  try {
    return await make(
      call,
      changeOf(call, operation, { ...target, body, ...(staged === undefined ? {} : { staged }) }),
    );
  } finally {
    await close();
  }
}

/** The operations that state a whole resource, or changes of one. */
type StatingOperation = Exclude<ChangeOperation, "delete">;

async function readChange(
  call: Call,
  operation: ChangeOperation,
  target: ChangeTarget,
): Promise<ChangeRequest> {
  const { request, limits } = call;
  if (operation === "delete") {
    // A body means nothing here, and is not looked at.
    const { type, id } = target;
    return { operation, request: { type: type.name, id, precondition: preconditionOf(request) } };
  }
  const body = await bodyOf(call, messageLimit(limits, target.type));
  return changeOf(call, operation, { ...target, body });
}

interface StatedChange extends ChangeTarget, Pick<CreateRequest, "body" | "staged"> {}

function changeOf(
  { request, query }: Call,
  operation: StatingOperation,
  { type, id, isDryRun, body, staged }: StatedChange,
): ChangeRequest {
  const resource = {
    type: type.name,
    body,
    ...(staged === undefined ? {} : { staged }),
    ...projectionOf(parseQuery(query)),
    ...(isDryRun || asksForDryRun(request) ? {} : { streams: true }),
  };
  if (operation === "create") {
    requireUntagged(request);
    return { operation, request: resource };
  }
  const precondition = preconditionOf(request);
  if (operation === "replace") return { operation, request: { ...resource, id, precondition } };
  return { operation, request: { ...resource, id, precondition, prefer: preferenceOf(request) } };
}

async function make({ service, context, limits }: Call, wanted: ChangeRequest): Promise<HttpResponse> {
  const times = streamTimes(limits);
  switch (wanted.operation) {
    case "create":
      return resourceResponse(await service.create(context, wanted.request), { status: 201, times });
    case "replace":
      return resourceResponse(await service.replace(context, wanted.request), { times });
    case "patch": {
      const answer = await service.patch(context, wanted.request);
      const { prefer } = wanted.request;
      const response = resourceResponse(answer, { times });
      if (prefer !== (response.body === null ? "minimal" : "representation")) return response;
      return { ...response, headers: { ...response.headers, "preference-applied": `return=${prefer}` } };
    }
    case "delete":
      await service.delete(context, wanted.request);
      return emptyResponse();
  }
}

/** Asks for a dry run on the usual addresses; the answer repeats it. */
const DRY_RUN_HEADER = "scim-dry-run";

/** Always 200, with neither address nor entity tag: nothing was made that they could name. */
async function tryOut(call: Call, wanted: ChangeRequest): Promise<HttpResponse> {
  requireAcceptable(headerOf(call.request, "accept"));
  const answer = await call.service.dryRun(call.context, wanted);
  call.trace.location = null;
  return {
    status: 200,
    headers: { "content-type": SCIM_MEDIA_TYPE, [DRY_RUN_HEADER]: "true" },
    body: JSON.stringify(dryRunResponse(answer)),
  };
}

/**
 * Whether the header asks for a dry run. A word that is misspelt must not let the change happen.
 * @throws ScimError `invalidValue`
 */
export function asksForDryRun(request: Pick<HttpRequest, "headers">): boolean {
  const word = headerOf(request, DRY_RUN_HEADER)?.trim().toLowerCase();
  if (word === undefined || word === "false") return false;
  if (word === "true") return true;
  throw new ScimError("invalidValue", "The header SCIM-Dry-Run must be true or false.");
}

/** `return=minimal` or `return=representation` among the preferences (RFC 7240 §4.2). */
function preferenceOf(request: Pick<HttpRequest, "headers">): "minimal" | "representation" | null {
  const header = headerOf(request, "prefer");
  if (header === undefined) return null;
  for (const preference of header.split(/[,;]/)) {
    const [name = "", value = ""] = preference.split("=");
    if (name.trim().toLowerCase() !== "return") continue;
    const wanted = value.trim().replaceAll('"', "").toLowerCase();
    if (wanted === "minimal" || wanted === "representation") return wanted;
  }
  return null;
}
