/**
 * A Fastify request as `@scim/http` reads one. What is seldom asked for is made on demand.
 * @module
 */
import type { IncomingHttpHeaders } from "node:http";
import { cutAddress, type HttpRequest } from "@scim/http";
import { abortedWith, arrivedBody } from "@scim/http/node";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Where a request meets the mount. */
export interface Mount {
  /** How many path segments the prefix has: 2 for `/scim/v2`. */
  readonly segments: number;
  /** Public origin, and prefix where a proxy strips one, without a trailing slash: `https://id.example`. */
  readonly publicUrl: (request: FastifyRequest) => string;
  /** The tenant that the mount is for, and the connection of it; null where the prefix has a parameter, or it is for any. */
  readonly tenant: string | null;
  readonly connection: string | null;
}

/** A request below a mount. */
export class RequestView implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly tenant: string | null;
  readonly connection: string | null;
  readonly id: string;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #mount: Mount;
  readonly #mountPath: string;
  #body: Exclude<HttpRequest["body"], null> | undefined;
  #signal: AbortSignal | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, mount: Mount) {
    const { path, target } = cutAddress(request.raw.url ?? "/", mount.segments);
    this.method = request.method;
    this.target = target;
    this.headers = request.headers;
    this.tenant = mount.tenant ?? tenantOf(request.params);
    this.connection = mount.connection;
    this.id = request.id;
    this.#request = request;
    this.#reply = reply;
    this.#mount = mount;
    this.#mountPath = path;
  }

  get body(): Exclude<HttpRequest["body"], null> {
    const { body, raw } = this.#request;
    // Bodies that Fastify refused to look at are still unread.
    return (this.#body ??= arrivedBody(isByteStream(body) ? body : raw));
  }

  get baseUrl(): string {
    return this.#mount.publicUrl(this.#request) + this.#mountPath;
  }

  get address(): string {
    return this.#request.ip;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= abortedWith(this.#reply.raw));
  }
}

function isByteStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** The route parameter `tenant`, where the prefix has one (`/scim/:tenant/v2`). */
function tenantOf(params: unknown): string | null {
  if (typeof params !== "object" || params === null || !("tenant" in params)) return null;
  return typeof params.tenant === "string" ? params.tenant : null;
}
