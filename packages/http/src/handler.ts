/**
 * The handler: one request in, one answer out, through layers in a fixed order: method (405),
 * authentication (401), scope (403), media type (415), size (413), JSON syntax (400), then the service.
 * @module
 */
import type { Authenticator, Principal, RequestContext, ScimService, ServedType } from "@scim/core";
import { ScimError, type ResourceOperation } from "@scim/schemas";
import { authenticate, requireScope } from "./authentication.ts";
import { discover } from "./discovery.ts";
import { errorResponse, toScimError } from "./errors.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import { headerOf, type HttpRequest, type HttpResponse, type RequestRecord } from "./message.ts";
import { OPERATIONS, type Call } from "./operations.ts";
import { emptyResponse, withoutBody } from "./responses.ts";
import {
  allowedMethods,
  matchRoute,
  methodNotAllowed,
  noSuchAddress,
  operationOf,
  requireMethod,
  ROUTE_NAMES,
  type Method,
  type Route,
} from "./routes.ts";
import { RequestTrace } from "./trace.ts";

/** What a handler is made of. */
export interface ScimHandlerOptions {
  readonly service: ScimService;
  /** Finds the principal of a token, such as `createAuthenticator` of `@scim/core` makes. */
  readonly authenticate: Authenticator;
  /** Limits that differ from {@link DEFAULT_HTTP_LIMITS}. */
  readonly limits?: Partial<HttpLimits>;
  /** Called once for each request, after its answer is made: the place for an access log. Must not throw. */
  readonly onRequestDone?: (record: RequestRecord) => void;
}

/** SCIM over HTTP as a function. */
export interface ScimHandler {
  /** Answers a request; never rejects. */
  handle(request: HttpRequest): Promise<HttpResponse>;
}

/** Asks for the header `SCIM-Switches`, which names the tolerances that a request made use of. */
const EXPLAIN_HEADER = "scim-explain";

/**
 * Makes a handler.
 *
 * @example
 * const handler = createScimHandler({ service, authenticate });
 * const response = await handler.handle({
 *   method: "GET",
 *   target: "/Users/2819c223?attributes=userName",
 *   headers: { authorization: "Bearer scim_default_…" },
 *   body: null,
 *   baseUrl: "https://id.example/scim/v2",
 *   tenant: null,
 *   signal: undefined,
 *   id: "request-1",
 * });
 */
export function createScimHandler(options: ScimHandlerOptions): ScimHandler {
  const { service, authenticate: authenticator, onRequestDone } = options;
  const limits: HttpLimits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };

  const answer = async (request: HttpRequest, trace: RequestTrace): Promise<HttpResponse> => {
    const mark = request.target.indexOf("?");
    const route = matchRoute(mark === -1 ? request.target : request.target.slice(0, mark));
    trace.route = ROUTE_NAMES[route.kind];
    const method = requireMethod(route, request.method);
    const principal = await authenticate(request, authenticator, () =>
      trace.onSwitch("bare-token", "Authorization"),
    );
    trace.tenant = principal.tenant;
    trace.connection = principal.connection;
    requireScope(principal, route, method);
    const context = contextOf(request, principal, trace);
    const query = mark === -1 ? "" : request.target.slice(mark + 1);
    return dispatch({ service, limits, request, context, trace, query }, route, method);
  };

  return {
    handle: async (request) => {
      const trace = new RequestTrace();
      const response = finishResponse(request, await guarded(request, trace, answer), trace);
      onRequestDone?.(trace.finish(request, response));
      return response;
    },
  };
}

type Answer = (request: HttpRequest, trace: RequestTrace) => Promise<HttpResponse>;

async function guarded(request: HttpRequest, trace: RequestTrace, answer: Answer): Promise<HttpResponse> {
  try {
    return await answer(request, trace);
  } catch (thrown) {
    const error = toScimError(thrown, request.id);
    trace.fail(error);
    return errorResponse(error);
  }
}

function finishResponse(request: HttpRequest, response: HttpResponse, trace: RequestTrace): HttpResponse {
  const bodied = request.method === "HEAD" ? withoutBody(response) : response;
  if (headerOf(request, EXPLAIN_HEADER)?.trim().toLowerCase() !== "true") return bodied;
  return { ...bodied, headers: { ...bodied.headers, "scim-switches": trace.switchNames() ?? "none" } };
}

function contextOf(request: HttpRequest, principal: Principal, trace: RequestTrace): RequestContext {
  return {
    tenant: principal.tenant,
    connection: principal.connection,
    subject: principal.subject,
    profile: principal.profile,
    baseUrl: request.baseUrl,
    // On demand: most operations never ask for it.
    get signal() {
      return request.signal;
    },
    onSwitch: trace.onSwitch,
  };
}

async function dispatch(call: Call, route: Route, method: Method): Promise<HttpResponse> {
  if (route.kind === "collection" || route.kind === "item") return dispatchResource(call, route, method);
  if (route.kind === "unknown" || route.kind === "search") throw noSuchAddress();
  if (method === "OPTIONS") return optionsResponse(route, null);
  if (route.kind === "me")
    throw new ScimError("notImplemented", "/Me is not offered; use the address of the resource.");
  if (route.kind === "bulk")
    throw new ScimError("notImplemented", "/Bulk is not offered; send the operations one by one.");
  return discover(call, route);
}

async function dispatchResource(
  call: Call,
  route: Extract<Route, { readonly kind: "collection" | "item" }>,
  method: Method,
): Promise<HttpResponse> {
  const type = call.service.types(call.context).find((candidate) => candidate.endpoint === route.endpoint);
  if (type === undefined) throw noSuchAddress();
  call.trace.route = route.kind === "item" ? `${type.endpoint}/{id}` : type.endpoint;
  if (method === "OPTIONS") return optionsResponse(route, type);
  const operation = offeredOperation(route, type, method);
  return OPERATIONS[operation](call, { type, id: route.kind === "item" ? route.id : "" });
}

function offeredOperation(
  route: Extract<Route, { readonly kind: "collection" | "item" }>,
  type: ServedType,
  method: Method,
): ResourceOperation {
  const operation = operationOf(route.kind, method);
  if (operation === null || !type.operations.has(operation)) {
    throw methodNotAllowed(method, allowedMethods(route, type));
  }
  return operation;
}

function optionsResponse(route: Route, type: ServedType | null): HttpResponse {
  return emptyResponse({ allow: allowedMethods(route, type).join(", ") });
}
