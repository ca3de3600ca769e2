/**
 * The handler: one request in, one answer out, through layers in a fixed order: method (405),
 * authentication (401), scope (403), media type (415), size (413), JSON syntax (400), then the service.
 * @module
 */
import {
  type Authenticator,
  type Principal,
  type RequestContext,
  type RequestLimiter,
  type ScimService,
  type ServiceOf,
  withLimits,
} from "@scim/core";
import { authenticate, type Verification } from "./authentication.ts";
import { CallContext } from "./call-context.ts";
import { watchStream } from "./body-stream.ts";
import { dispatch, findType } from "./dispatch.ts";
import { answeredError, errorResponse, toScimError } from "./errors.ts";
import { exchangeOf, type Exchange } from "./exchange.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "./limits.ts";
import type { LongBodyReader } from "./long-body/read-long-body.ts";
import { typeAtMe } from "./me.ts";
import { headerOf, type HttpRequest, type HttpResponse, type RequestRecord } from "./message.ts";
import { allowedMethods, methodNotAllowed, offeredMethod } from "./methods.ts";
import { withoutBody } from "./responses.ts";
import { matchRoute, routeName } from "./routes.ts";
import { isDiscovery, requireDiscovery, requireScope, scopeOf } from "./scopes.ts";
import { RequestTrace } from "./trace.ts";
import { isVisitor, type OpenDiscovery, visitorOf, type VisitorRules } from "./visitor.ts";

/** What a handler is made of. */
export interface ScimHandlerOptions {
  /** The service, or what finds that of a tenant, once it is known who asks. */
  readonly service: ScimService | ServiceOf;
  /** Finds the principal of a token, such as `createAuthenticator` of `@scim/tenancy` makes. */
  readonly authenticate: Authenticator;
  /** Counts requests, and refuses those that come too fast: `createRequestLimiter` of `@scim/tenancy`. Default: none is. */
  readonly limiter?: RequestLimiter | undefined;
  /**
   * Address of the metadata of the protected resource (RFC 9728 §5.1) for a base address of SCIM, which a 401 tells; null
   * where there are none. Default: there are none.
   */
  readonly resourceMetadata?: ((baseUrl: string) => string | null) | undefined;
  /**
   * Says whether everybody may read what the service tells of a tenant (RFC 7644 §4) at an address that names the tenant, and
   * under which profile. Default: whoever reads needs a token.
   */
  readonly openDiscovery?: OpenDiscovery | undefined;
  /** Limits that differ from `DEFAULT_HTTP_LIMITS`. */
  readonly limits?: Partial<HttpLimits>;
  /**
   * Reads bodies of POST and PUT that are too long to be held in memory, such as a Group of a million members:
   * `createBodyThreads` of `@scim/http/node`. Default: all are held, up to `limits.heldBodyBytes`.
   */
  readonly longBodies?: LongBodyReader;
  /** Called once for each request, after its answer is made: the place for an access log. Must not throw. */
  readonly onRequestDone?: (record: RequestRecord) => void;
  /**
   * Called behind `onRequestDone` with what was sent and answered: the place for a log of requests, such as
   * `createRequestLog` of `@scim/events` makes. It holds personal values. Must neither throw nor take time.
   */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** SCIM over HTTP as a function. */
export interface ScimHandler {
  /** Answers a request; never rejects. */
  handle(request: HttpRequest): Promise<HttpResponse>;
}

/** Who a request comes from. */
export interface Caller {
  readonly principal: Principal;
  readonly context: RequestContext;
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
 * @throws TypeError where `service` or `authenticate` is missing, or a limit is no number
 */
export function createScimHandler(options: ScimHandlerOptions): ScimHandler {
  requireParts(options);
  const { longBodies = null } = options;
  const serviceOf = options.service;
  const limits = withLimits(DEFAULT_HTTP_LIMITS, options.limits, "handler");

  const answer = async (request: HttpRequest, trace: RequestTrace): Promise<HttpResponse> => {
    const mark = request.target.indexOf("?");
    const route = matchRoute(mark === -1 ? request.target : request.target.slice(0, mark));
    trace.route = routeName(route);
    const method = offeredMethod(route, request.method);
    const caller = isDiscovery(route)
      ? identifyReader(request, options, trace)
      : identify(request, options, trace);
    if (method === null) {
      // Who is known is told what the resource type offers; others, what such an address offers at most.
      const known = await caller.catch(() => null);
      const type = known === null ? null : findType(await serviceFor(known, serviceOf), known.context, route);
      throw methodNotAllowed(request.method, allowedMethods(route, type));
    }
    const { principal, context } = await caller;
    const found = serviceFor({ principal }, serviceOf);
    // What is known at once is not waited for: that would cost each request a turn.
    const service = found instanceof Promise ? await found : found;
    const type = findType(service, context, route);
    if (isDiscovery(route)) {
      if (!isVisitor(principal)) requireDiscovery(principal);
    } else requireScope(principal, scopeOf(route, method), type?.name ?? typeAtMe(service, context, route));
    const query = mark === -1 ? "" : request.target.slice(mark + 1);
    return dispatch(
      { service, limits, longBodies, request, principal, context, trace, query, type },
      route,
      method,
    );
  };

  return {
    handle: async (request) => {
      const trace = new RequestTrace();
      const answered = await guarded(request, trace, answer);
      const bodied = request.method === "HEAD" ? await withoutBody(answered) : answered;
      const response = withTold(request, bodied, trace);
      return tellingDone(request, { response, trace, listeners: options });
    },
  };
}

/** Programs without types leave out what the compiler would ask for: each request would be answered 500. */
function requireParts(options: Partial<ScimHandlerOptions> | undefined): void {
  const { service = null, authenticate: authenticator } = options ?? {};
  if (service === null || !["object", "function"].includes(typeof service))
    throw new TypeError("createScimHandler needs 'service', which createScimService of @scim/core makes.");
  if (typeof authenticator !== "function")
    throw new TypeError("createScimHandler needs 'authenticate', a function that finds whose a token is.");
}

/** Finds out who reads what the service tells of itself: somebody without a token as well, where the tenant allows it. */
async function identifyReader(
  request: HttpRequest,
  options: Verification & VisitorRules,
  trace: RequestTrace,
): Promise<Caller> {
  const visitor = await visitorOf(request, options);
  if (visitor === null) return identify(request, options, trace);
  trace.tenant = visitor.tenant;
  return { principal: visitor, context: new CallContext(request, visitor, trace) };
}

/**
 * Finds out who a request comes from, and tells the log.
 * @throws ScimError `unauthorized`, `notFound`, `tooManyRequests`
 */
export async function identify(
  request: HttpRequest,
  verification: Verification,
  trace: RequestTrace,
): Promise<Caller> {
  const principal = await authenticate(request, verification, {
    onCaller: ({ tenant, connection, credential = null, profile }) => {
      trace.tenant = tenant;
      trace.connection = connection;
      trace.credential = credential;
      trace.plainAnswers = profile.switches.has("plain-answers");
    },
    onBareToken: () => trace.onSwitch("bare-token", "Authorization"),
  });
  return { principal, context: new CallContext(request, principal, trace) };
}

/** Answers a request, or throws. */
export type Answer = (request: HttpRequest, trace: RequestTrace) => Promise<HttpResponse>;

/** The answer, where something was thrown that of its error. */
export async function guarded(
  request: HttpRequest,
  trace: RequestTrace,
  answer: Answer,
): Promise<HttpResponse> {
  try {
    return await answer(request, trace);
  } catch (thrown) {
    const error = toScimError(thrown, request.id);
    trace.fail(error);
    return errorResponse(answeredError(error, trace.plainAnswers));
  }
}

interface Finished {
  readonly response: HttpResponse;
  readonly trace: RequestTrace;
  readonly listeners: Pick<ScimHandlerOptions, "onRequestDone" | "onExchange">;
}

/** Tells the log now, or where the body is made while it is sent, when that has come to its end. */
function tellingDone(request: HttpRequest, { response, trace, listeners }: Finished): HttpResponse {
  const { onRequestDone, onExchange } = listeners;
  if (onRequestDone === undefined && onExchange === undefined) return response;
  const { body } = response;
  const tell = (): void => {
    const record = trace.finish(request, response);
    onRequestDone?.(record);
    onExchange?.(exchangeOf(request, response, { record, body: trace.body }));
  };
  if (body === null || typeof body === "string") {
    tell();
    return response;
  }
  const watched = watchStream(body, (end) => {
    if (end.kind === "failed") trace.fail(toScimError(end.error, request.id));
    if (end.kind !== "sent") trace.isCut = true;
    if (end.kind === "late") trace.isLate = true;
    tell();
  });
  return { ...response, body: watched };
}

/** The answer with the headers that tell what happened on the way. */
function withTold(request: HttpRequest, response: HttpResponse, trace: RequestTrace): HttpResponse {
  const located = trace.location === null ? response : withHeader(response, "location", trace.location);
  if (headerOf(request, EXPLAIN_HEADER)?.trim().toLowerCase() !== "true") return located;
  return withHeader(located, "scim-switches", trace.switchNames() ?? "none");
}

function withHeader(response: HttpResponse, name: string, value: string): HttpResponse {
  return { ...response, headers: { ...response.headers, [name]: value } };
}

function serviceFor(
  { principal }: Pick<Caller, "principal">,
  service: ScimHandlerOptions["service"],
): ScimService | Promise<ScimService> {
  return typeof service === "function" ? service(principal.tenant) : service;
}
