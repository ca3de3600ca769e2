/**
 * Methods that an address does not offer, outside SCIM, whose handler answers every method itself.
 * @module
 */
import { errorResponse } from "@scim/http";
import { ScimError } from "@scim/schemas";
import type { FastifyInstance } from "fastify";
import { METHODS } from "./node-http.ts";

/** An address that something is at, and its methods in the order in which they were added. */
interface Address {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

/**
 * Answers a method that an address does not offer with 405 and `Allow` (RFC 9110 §15.5.6), before it is asked who
 * sends it. Routes that take all methods take every one that Node.js reads. `OPTIONS *`, which asks whether the server
 * speaks HTTP at all, is answered with 204 (§9.3.7). To be called before routes are added.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  const known = new Set(app.supportedMethods);
  for (const method of METHODS) if (!known.has(method)) app.addHttpMethod(method);
  const addresses = new Map<string, Address>();
  app.addHook("onRoute", ({ url, method }) => {
    const address = addresses.get(url) ?? { segments: url.split("/"), methods: new Set() };
    for (const each of [method].flat()) address.methods.add(each);
    addresses.set(url, address);
  });
  app.addHook("onRequest", (request, reply, done) => {
    if (request.method === "OPTIONS" && request.url === "*") return reply.code(204).send();
    const allowed = request.is404 ? allowedAt(request.url, addresses.values()) : null;
    if (allowed === null) return done();
    const { status, headers, body } = errorResponse(
      new ScimError("methodNotAllowed", `${request.method} is not offered here; use ${allowed}.`, {
        headers: { allow: allowed },
      }),
    );
    return reply.code(status).headers(headers).send(body);
  });
}

/** What an address offers, as `Allow` has it; null where there is nothing at it. */
function allowedAt(url: string, addresses: Iterable<Address>): string | null {
  const [path = ""] = url.split("?", 1);
  const segments = path.split("/");
  const methods = new Set<string>();
  for (const address of addresses) {
    if (isAt(segments, address)) for (const method of address.methods) methods.add(method);
  }
  return methods.size === 0 ? null : [...methods].join(", ");
}

/** Parameters of routes are whole segments. Routes that take whatever follows take all methods too. */
function isAt(asked: readonly string[], { segments }: Address): boolean {
  return (
    asked.length === segments.length &&
    segments.every((segment, at) => (segment.startsWith(":") ? asked[at] !== "" : segment === asked[at]))
  );
}
