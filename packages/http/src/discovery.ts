/**
 * The discovery addresses (RFC 7644 §4). Parameters are ignored, but for a filter, which is refused, and for names of
 * attributes of the configuration that are returned on request.
 * @module
 */
import type { ConfigRequest } from "@scim/core";
import { ScimError } from "@scim/schemas";
import type { Call } from "./call.ts";
import { preconditionOf, requireUntagged } from "./preconditions.ts";
import { requireAcceptable } from "./media-types.ts";
import { headerOf, type HttpResponse } from "./message.ts";
import { hasParameter, parseQuery, projectionOf } from "./query-parameters.ts";
import { pageResponse, resourceResponse } from "./responses.ts";
import type { DiscoveryRoute } from "./routes.ts";

/** Answers a discovery address. */
export async function discover(call: Call, route: DiscoveryRoute): Promise<HttpResponse> {
  requireAcceptable(headerOf(call.request, "accept"));
  if (hasParameter(call.query, "filter")) {
    throw new ScimError("forbidden", "Discovery takes no filter; read the whole list.");
  }
  const { service, context } = call;
  switch (route.kind) {
    case "serviceProviderConfig":
      return resourceResponse(await service.serviceProviderConfig(context, configRequestOf(call)));
    case "schemas":
      requireUntagged(call.request);
      return pageResponse(service.schemas(context));
    case "schema":
      return resourceResponse(service.schema(context, route.id, preconditionOf(call.request)));
    case "resourceTypes":
      requireUntagged(call.request);
      return pageResponse(service.resourceTypes(context));
    case "resourceType":
      return resourceResponse(service.resourceType(context, route.id, preconditionOf(call.request)));
  }
}

function configRequestOf(call: Call): ConfigRequest {
  const { attributes } = projectionOf(parseQuery(call.query));
  return { ...preconditionOf(call.request), attributes };
}
