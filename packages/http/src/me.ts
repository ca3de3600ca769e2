/**
 * `/Me` (RFC 7644 §3.11): another address of the resource that the caller is.
 * @module
 */
import type { RequestContext, ScimService, ServedType } from "@scim/core";
import { ScimError } from "@scim/schemas";
import type { Call } from "./call.ts";
import type { Method } from "./methods.ts";
import { noSuchAddress, type Route } from "./routes.ts";

/**
 * The resource of the caller. From here on every answer tells its permanent address.
 * @throws ScimError `notImplemented` for POST and where `/Me` is switched off, `notFound` where the caller is
 *   no resource
 */
export function findMe(call: Call, method: Method): { readonly type: ServedType; readonly id: string } {
  const { service, context, trace } = call;
  if (method === "POST") {
    throw new ScimError("notImplemented", "POST to /Me is not offered; create at the address of the type.");
  }
  const { type: name, id } = service.me(context);
  const type = service.types(context).find((candidate) => candidate.name === name);
  if (type === undefined) throw noSuchAddress();
  trace.location = `${context.baseUrl}${type.endpoint}/${encodeURIComponent(id)}`;
  return { type, id };
}

/**
 * Name of the resource type that a caller is one of, where an address is `/Me`: a scope for that type alone is good there
 * as at the permanent address. Null for a caller without subject, and at other addresses.
 * @throws ScimError `notImplemented` where `/Me` is switched off
 */
export function typeAtMe(service: ScimService, context: RequestContext, route: Route): string | null {
  const address = route.kind === "dryRun" ? route.of : route;
  return address.kind === "me" && context.subject !== null ? service.me(context).type : null;
}
