/**
 * From an address and a method to what answers them.
 * @module
 */
import type { RequestContext, ScimService, ServedType } from "@scim/core";
import type { ScimError } from "@scim/schemas";
import { bulk, noDryRun } from "./bulk.ts";
import type { Call } from "./call.ts";
import { change } from "./changes.ts";
import { diagnose } from "./diagnostics.ts";
import { discover } from "./discovery.ts";
import { findMe } from "./me.ts";
import type { HttpResponse } from "./message.ts";
import { allowedMethods, requireOperation, type Method } from "./methods.ts";
import { query, read, search } from "./reads.ts";
import { emptyResponse } from "./responses.ts";
import { noSuchEndpoint, routeName, type Route, type TellingRoute } from "./routes.ts";

/** What is told at once is not waited for. */
type Answering = HttpResponse | Promise<HttpResponse>;

/** Answers a request whose method its form of address offers. */
export function dispatch(call: Call, route: Route, method: Method): Answering {
  const address = route.kind === "dryRun" ? route.of : route;
  switch (address.kind) {
    case "unknown":
      throw unserved(call, route);
    case "root":
      return method === "OPTIONS" ? options(route, null) : query(call, null);
    case "search":
      return atSearch(call, { route, method }, address.endpoint === null ? null : requireType(call, route));
    case "collection":
      return atType(call, { route, method }, { type: requireType(call, route), id: "" });
    case "item":
      return atType(call, { route, method }, { type: requireType(call, route), id: address.id });
    case "me":
      return atType(call, { route, method }, findMe(call, method));
    case "bulk":
      if (method === "OPTIONS") return options(route, null);
      if (route.kind === "dryRun") throw noDryRun();
      return bulk(call);
    default:
      return method === "OPTIONS" ? options(route, null) : tell(call, address);
  }
}

/** What the service tells of itself, and of how references hold together. */
function tell(call: Call, address: TellingRoute): Answering {
  return address.kind === "diagnostics" ? diagnose(call) : discover(call, address);
}

/** How an address was called. */
interface Visit {
  readonly route: Route;
  readonly method: Method;
}

/** The resource type whose endpoint an address begins with; null where it is none that is served. */
export function findType(service: ScimService, context: RequestContext, route: Route): ServedType | null {
  const named = endpointOf(route);
  return named === null ? null : (service.types(context).find(({ endpoint }) => endpoint === named) ?? null);
}

function endpointOf(route: Route): string | null {
  const address = route.kind === "dryRun" ? route.of : route;
  return "endpoint" in address ? address.endpoint : null;
}

function requireType(call: Call, route: Route): ServedType {
  const { type } = call;
  if (type === null) throw unserved(call, route);
  call.trace.route = routeName(route, type.endpoint);
  return type;
}

/** Why nothing is served at an address. */
function unserved({ service, context, request }: Call, route: Route): ScimError {
  const served = service.types(context).map(({ endpoint }) => endpoint);
  const [path = ""] = request.target.split("?", 1);
  return noSuchEndpoint({ endpoint: endpointOf(route) ?? "", path }, served);
}

function atSearch(call: Call, { route, method }: Visit, type: ServedType | null): Answering {
  if (method === "OPTIONS") return options(route, type);
  if (type !== null) requireOperation(route, method, type);
  return search(call, type);
}

function atType(
  call: Call,
  { route, method }: Visit,
  { type, id }: { readonly type: ServedType; readonly id: string },
): Answering {
  if (method === "OPTIONS") return options(route, type);
  const operation = requireOperation(route, method, type);
  if (operation === "query") return query(call, type);
  if (operation === "read") return read(call, type, id);
  return change(call, operation, { type, id, isDryRun: route.kind === "dryRun" });
}

function options(route: Route, type: ServedType | null): HttpResponse {
  return emptyResponse({ allow: allowedMethods(route, type).join(", ") });
}
