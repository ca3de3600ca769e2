/**
 * The handler where requests and answers are those of the Fetch standard.
 * @module
 */
import { type AdapterOptions, publicUrlOf, randomId } from "../adapting/adapter-options.ts";
import { mountAt } from "../adapting/mounted-address.ts";
import { errorResponse } from "../errors.ts";
import type { ScimHandler } from "../handler.ts";
import type { HttpRequest } from "../message.ts";
import { noSuchAddress } from "../routes.ts";
import { FetchClient } from "./fetch-client.ts";
import { headResponseOf, responseOf } from "./response.ts";

/** What the adapter is told. `Rest` is what a runtime or framework passes behind the request. */
export interface FetchHandlerOptions<Rest extends readonly unknown[]> extends AdapterOptions<Request, Rest> {
  /** Path of the mount: `/scim/v2`, or `/scim/:tenant/v2`. What lies elsewhere is answered 404. Default: the root. */
  readonly prefix?: string | undefined;
  /** Network address of the client, as far as proxies are trusted: a `Request` does not tell. Default: unknown. */
  readonly address?: ((request: Request, ...rest: Rest) => string | undefined) | undefined;
}

/** Answers a request; rejects only where `requestId` throws. */
export type FetchHandler<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Promise<Response>;

/**
 * Makes a function for whatever speaks in `Request` and `Response`: Hono, Next.js, Bun, Deno. Bodies are read and made at
 * the pace of their readers, and a client that goes away aborts the request.
 * @throws TypeError for a prefix that is no path
 *
 * @example
 * const scim = createFetchHandler(handler, { prefix: "/scim/v2" });
 * app.all("/scim/v2/*", (c) => scim(c.req.raw)); // Hono
 */
export function createFetchHandler<Rest extends readonly unknown[] = readonly []>(
  handler: ScimHandler,
  options: FetchHandlerOptions<Rest> = {},
): FetchHandler<Rest> {
  const { tenant = null, connection = null, requestId = randomId, address } = options;
  const find = mountAt(options.prefix ?? "");
  const publicUrl = publicUrlOf(options.publicUrl, ({ url }) => new URL(url).origin);
  return async (request, ...rest) => {
    const place = find(request.url);
    if (place === null) return responseOf(errorResponse(noSuchAddress()), () => undefined);
    const client = new FetchClient(request);
    const asked: HttpRequest = {
      method: request.method,
      target: place.target,
      headers: Object.fromEntries(request.headers),
      get body() {
        return client.body;
      },
      get baseUrl() {
        return publicUrl(request, ...rest) + place.path;
      },
      tenant: tenant ?? place.tenant,
      connection,
      get signal() {
        return client.signal;
      },
      id: requestId(request, ...rest),
      get address() {
        return address?.(request, ...rest);
      },
    };
    const answer = await handler.handle(asked);
    return request.method === "HEAD" ? headResponseOf(answer) : responseOf(answer, client.left);
  };
}
