/**
 * The discovery addresses (RFC 7644 §4). Parameters are ignored, but for a filter, which is refused.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { Call } from "./call.ts";
import { preconditionOf } from "./preconditions.ts";
import { requireAcceptable } from "./media-types.ts";
import { headerOf, type HttpResponse } from "./message.ts";
import { hasParameter } from "./query-parameters.ts";
import { pageResponse, resourceResponse } from "./responses.ts";
import type { DiscoveryRoute } from "./routes.ts";

/** Answers a discovery address. */
export function discover(call: Call, route: DiscoveryRoute): HttpResponse {
  requireAcceptable(headerOf(call.request, "accept"));
  if (hasParameter(call.query, "filter")) {
    throw new ScimError("forbidden", "Discovery takes no filter; read the whole list.");
  }
  const { service, context } = call;
  switch (route.kind) {
    case "serviceProviderConfig":
      return resourceResponse(service.serviceProviderConfig(context, preconditionOf(call.request)));
    case "schemas":
      return pageResponse(service.schemas(context));
    case "schema":
      return resourceResponse(service.schema(context, route.id, preconditionOf(call.request)));
    case "resourceTypes":
      return pageResponse(service.resourceTypes(context));
    case "resourceType":
      return resourceResponse(service.resourceType(context, route.id, preconditionOf(call.request)));
  }
}
