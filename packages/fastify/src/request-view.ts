/**
 * A Fastify request as `@scim/http` reads one. What is seldom asked for is made on demand.
 * @module
 */
import type { IncomingHttpHeaders } from "node:http";
import type { HttpRequest } from "@scim/http";
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
  readonly body: HttpRequest["body"];
  readonly tenant: string | null;
  readonly connection: string | null;
  readonly id: string;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #mount: Mount;
  readonly #mountPath: string;
  #signal: AbortSignal | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, mount: Mount) {
    const url = pathAndQuery(request.raw.url ?? "/");
    const end = endOfMount(url, mount.segments);
    this.method = request.method;
    this.target = url.slice(end);
    this.headers = request.headers;
    // Bodies that Fastify refused to look at are still unread.
    this.body = isByteStream(request.body) ? request.body : request.raw;
    this.tenant = mount.tenant ?? tenantOf(request.params);
    this.connection = mount.connection;
    this.id = request.id;
    this.#request = request;
    this.#reply = reply;
    this.#mount = mount;
    this.#mountPath = url.slice(0, end);
  }

  get baseUrl(): string {
    return this.#mount.publicUrl(this.#request) + this.#mountPath;
  }

  get address(): string {
    return this.#request.ip;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= abortedWith(this.#reply));
  }
}

/** Path and query; a request may state the whole address (RFC 9112 §3.2.2). */
function pathAndQuery(url: string): string {
  if (url.startsWith("/")) return url;
  const authority = url.indexOf("://");
  const path = authority === -1 ? -1 : url.indexOf("/", authority + 3);
  return path === -1 ? "/" : url.slice(path);
}

/** Offset of the slash, question mark or end behind the first so many segments. */
function endOfMount(url: string, segments: number): number {
  const query = url.indexOf("?");
  const pathEnd = query === -1 ? url.length : query;
  let end = 0;
  for (let passed = 0; passed < segments; passed += 1) {
    const slash = url.indexOf("/", end + 1);
    if (slash === -1 || slash >= pathEnd) return pathEnd;
    end = slash;
  }
  return end;
}

function isByteStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** The route parameter `tenant`, where the prefix has one (`/scim/:tenant/v2`). */
function tenantOf(params: unknown): string | null {
  if (typeof params !== "object" || params === null || !("tenant" in params)) return null;
  return typeof params.tenant === "string" ? params.tenant : null;
}

/** A signal that aborts when the connection ends before the answer does. */
function abortedWith(reply: FastifyReply): AbortSignal {
  const { raw } = reply;
  if (raw.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
