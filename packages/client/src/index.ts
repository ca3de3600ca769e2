/**
 * `@scim/client`: a typed client for any SCIM 2.0 service, on Node.js. This file and `portable.ts` are the whole public
 * surface.
 * @module
 */
import { createClient, type ScimClient } from "./client.ts";
import { createUndiciTransport } from "./node/undici-transport.ts";
import type { ClientOptions } from "./options.ts";

export { createUndiciTransport, type UndiciTransportOptions } from "./node/undici-transport.ts";
export * from "./portable.ts";

/**
 * Makes a client that sends its requests over a pool of connections. Close it when the program ends, or declare it with
 * `await using`.
 *
 * @example
 * await using client = createScimClient({ baseUrl: "https://id.example/scim/v2", auth: token });
 * const user = await client.users.create({ userName: "bjensen" });
 * await client.users.patch(user, [{ op: "replace", path: "active", value: false }]);
 * @throws {@link UsageError} `invalidOption`
 */
export function createScimClient(options: ClientOptions): ScimClient {
  return createClient(options, options.transport ?? createUndiciTransport());
}
