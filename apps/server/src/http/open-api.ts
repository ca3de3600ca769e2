/**
 * `/openapi.json`: loaded on the first request, so that the start does without it.
 * @module
 */
import type { HttpRequest, ScimHandler } from "@scim/http";
import type { OpenApiHandlerOptions } from "@scim/http/openapi";
import { OnFirstUse } from "../on-first-use.ts";
import { MOUNT } from "./mount.ts";

/** Where the document is served. */
export const OPENAPI_PATH = "/openapi.json";

/** Makes the handler of the document. */
export function openApiOnDemand(options: OpenApiHandlerOptions): ScimHandler {
  const handler = new OnFirstUse(() => load(options));
  return { handle: async (request) => (await handler.get()).handle(atMount(request)) };
}

async function load(options: OpenApiHandlerOptions): Promise<ScimHandler> {
  const { createOpenApiHandler } = await import("@scim/http/openapi");
  return createOpenApiHandler(options);
}

/** The request as if it had come to the mount of SCIM, whose address the document names. */
function atMount(request: HttpRequest): HttpRequest {
  const { method, target, headers, body, tenant, id } = request;
  const publicUrl = request.baseUrl.slice(0, -OPENAPI_PATH.length);
  return {
    method,
    target,
    headers,
    body,
    tenant,
    id,
    baseUrl: `${publicUrl}${MOUNT}`,
    get signal() {
      return request.signal;
    },
  };
}
