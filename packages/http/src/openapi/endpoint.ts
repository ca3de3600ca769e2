/**
 * The address of the document: like discovery for the caller alone, and with an entity tag.
 * @module
 */
import {
  entityTag,
  type Authenticator,
  type RequestLimiter,
  type ScimService,
  type ServiceLimits,
} from "@scim/core";
import type { SchemaRegistry } from "@scim/schemas";
import { preconditionOf } from "../preconditions.ts";
import { guarded, identify, type ScimHandler } from "../handler.ts";
import type { HttpRequest, HttpResponse, RequestRecord } from "../message.ts";
import { methodNotAllowed, READ_METHODS } from "../methods.ts";
import { emptyResponse, withoutBody } from "../responses.ts";
import { noSuchAddress } from "../routes.ts";
import { requireDiscovery } from "../scopes.ts";
import { RequestTrace } from "../trace.ts";
import { createDocumentCache, type DocumentCache } from "./document-cache.ts";

/** A service, and what is behind it. */
export interface DescribedService {
  readonly service: ScimService;
  /** The live registry of the service. */
  readonly registry: SchemaRegistry;
  /** The limits that the service was given, which the document tells. */
  readonly limits?: Partial<ServiceLimits>;
}

/** What the address is made of: the parts of the SCIM handler, and the registry behind its service. */
export interface OpenApiHandlerOptions extends DescribedService {
  /**
   * Finds what a tenant is served by, where that is not the same for all; the same object while it is the same. Default:
   * the service that stands here.
   */
  readonly describedFor?: (tenant: string) => DescribedService | Promise<DescribedService>;
  readonly authenticate: Authenticator;
  /**
   * Absolute address at which clients get access tokens for their credentials, for a base address of SCIM. Default: there
   * is none, and the document names bearer tokens alone.
   */
  readonly tokenUrl?: ((baseUrl: string) => string) | undefined;
  /** Counts requests, and refuses those that come too fast. Default: none is refused. */
  readonly limiter?: RequestLimiter | undefined;
  /** Called once for each request, after its answer is made. Must not throw. */
  readonly onRequestDone?: (record: RequestRecord) => void;
}

/** What a log calls the address. */
const ROUTE = "/openapi.json";

/**
 * Makes a handler of the one address at which the OpenAPI document is served: requests come with what stands
 * behind that address as their target, which is a query at most. As discovery, it wants a token with the scope
 * `scim:read`; the document is that of the token's tenant and connection. The request's `baseUrl` is the mount of
 * SCIM, which the document names as its server.
 *
 * @example
 * const openApi = createOpenApiHandler({ service, registry, authenticate });
 * const { body } = await openApi.handle({ ...request, baseUrl: "https://id.example/scim/v2" });
 */
export function createOpenApiHandler(options: OpenApiHandlerOptions): ScimHandler {
  const { authenticate: authenticator, limiter, onRequestDone, describedFor = () => options } = options;
  const caches = new WeakMap<DescribedService, DocumentCache>();
  const documentsOf = (described: DescribedService): DocumentCache => {
    const known = caches.get(described);
    if (known !== undefined) return known;
    const { service, registry, limits = {} } = described;
    const made = createDocumentCache({ service, registry, limits, tokenUrl: options.tokenUrl });
    caches.set(described, made);
    return made;
  };

  const answer = async (request: HttpRequest, trace: RequestTrace): Promise<HttpResponse> => {
    requireNothingBelow(request.target);
    requireRead(request.method);
    const { principal, context } = await identify(request, { authenticate: authenticator, limiter }, trace);
    requireDiscovery(principal);
    if (request.method === "OPTIONS") return emptyResponse({ allow: READ_METHODS.join(", ") });
    const { ifNoneMatch } = preconditionOf(request);
    const documents = documentsOf(await describedFor(principal.tenant));
    const { text, version } = await documents.get(context);
    const headers = { etag: entityTag(version), "cache-control": "private, no-cache", vary: "Authorization" };
    if (ifNoneMatch === "*" || ifNoneMatch?.includes(version) === true) {
      return { status: 304, headers, body: null };
    }
    return { status: 200, headers: { "content-type": "application/json", ...headers }, body: text };
  };

  return {
    handle: async (request) => {
      const trace = new RequestTrace();
      trace.route = ROUTE;
      const whole = await guarded(request, trace, answer);
      const response = request.method === "HEAD" ? await withoutBody(whole) : whole;
      onRequestDone?.(trace.finish(request, response));
      return response;
    },
  };
}

/** The mount is the whole address; a slash at its end is tolerated. */
function requireNothingBelow(target: string): void {
  const [path = ""] = target.split("?", 1);
  if (path !== "" && path !== "/") throw noSuchAddress();
}

function requireRead(method: string): void {
  const isRead = READ_METHODS.some((offered) => offered === method);
  if (!isRead) throw methodNotAllowed(method, READ_METHODS);
}
