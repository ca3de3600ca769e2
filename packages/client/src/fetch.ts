/**
 * `@scim/client/fetch`: the client for browsers, edge platforms, Deno and Bun. This file and `portable.ts` are the
 * whole public surface.
 * @module
 */
import { createClient, type ScimClient } from "./client.ts";
import type { ClientOptions } from "./options.ts";
import { createFetchTransport } from "./transport/fetch-transport.ts";

export * from "./portable.ts";

/**
 * Makes a client that sends its requests by `fetch`.
 *
 * @example
 * const client = createScimClient({ baseUrl: new URL("/scim/v2", location.href), auth: token });
 * @throws {@link UsageError} `invalidOption`
 */
export function createScimClient(options: ClientOptions): ScimClient {
  return createClient(options, options.transport ?? createFetchTransport());
}
