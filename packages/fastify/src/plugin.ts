/**
 * The plugin: a prefix of a Fastify application answers SCIM. It adds no rule of SCIM.
 * @module
 */
import {
  errorResponse,
  type HttpResponse,
  type PublicUrl,
  publicUrlOf,
  type ScimHandler,
  statusResponse,
  toScimError,
} from "@scim/http";
import { readableOf, sendingTurn } from "@scim/http/node";
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import plugin from "fastify-plugin";
import { RequestView, type Mount } from "./request-view.ts";

/** What the plugin is told beside Fastify's own `prefix`. */
export interface ScimPluginOptions {
  /** The handler that answers, from `createScimHandler` of `@scim/http`. */
  readonly handler: ScimHandler;
  /**
   * Address by which clients reach the application, without the prefix: `https://id.example`, or a function of
   * the request. `meta.location` begins with it. Default: protocol and host of the request, for which Fastify
   * heeds forwarded headers where `trustProxy` says so.
   */
  readonly publicUrl?: PublicUrl<FastifyRequest>;
  /** The tenant that the prefix is for; tokens of others find nothing. Default: what `:tenant` in the prefix names, if it is there. */
  readonly tenant?: string;
  /** The connection of that tenant that the prefix is for. Default: any. */
  readonly connection?: string;
}

/** A Content-Type that Fastify cannot read, or misses: the handler refuses such a request in its own order. */
const UNREAD: ReadonlySet<string> = new Set([
  "FST_ERR_CTP_INVALID_MEDIA_TYPE",
  "FST_ERR_ROUTE_MISSING_CONTENT_TYPE",
]);

const scim: FastifyPluginAsync<ScimPluginOptions> = async (instance, options) => {
  // Programs without types leave out what the compiler would ask for: each request would be answered 500.
  if (typeof options.handler?.handle !== "function")
    throw new TypeError("scimPlugin needs 'handler', which createScimHandler of @scim/http makes.");
  const mount: Mount = {
    segments: instance.prefix.split("/").filter((segment) => segment !== "").length,
    publicUrl: publicUrlOf(options.publicUrl, ({ protocol, host }) => `${protocol}://${host}`),
    tenant: options.tenant ?? null,
    connection: options.connection ?? null,
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const response = await options.handler.handle(new RequestView(request, reply, mount));
    await sendingTurn();
    send(reply, response);
  };
  // Fastify would watch the end of each answer for a handler that is a promise.
  const serve = (request: FastifyRequest, reply: FastifyReply): void => {
    answer(request, reply).catch((error: unknown) => void reply.send(error));
  };

  // Bodies reach the handler unread: limits, media types and syntax are its concern.
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("*", (_request, payload, done) => done(null, payload));

  instance.setErrorHandler<ForeignError>((error, request, reply) => {
    if (UNREAD.has(error.code)) serve(request, reply);
    else send(reply, foreignError(error, request));
  });
  // Methods that Fastify does not know end here too. Without a prefix the place belongs to the application.
  if (instance.prefix !== "") instance.setNotFoundHandler(serve);
  instance.all("/", serve);
  instance.all("/*", serve);
};

/**
 * SCIM under a prefix of a Fastify application; hooks, parsers and error handlers inside are its own.
 *
 * @example
 * app.register(scimPlugin, { prefix: "/scim/v2", handler });
 * app.register(scimPlugin, { prefix: "/scim/:tenant/v2", handler });
 * app.register(scimPlugin, { prefix: "/legacy/scim", handler, tenant: "acme" });
 */
export const scimPlugin: FastifyPluginAsync<ScimPluginOptions> = plugin(scim, {
  name: "@scim/fastify",
  fastify: "5.x",
  encapsulate: true,
});

/** No body is `undefined` to Fastify; `null` it would send as text. A body that fails cuts the connection. */
function send(reply: FastifyReply, { status, headers, body }: HttpResponse): void {
  const sent = body === null || typeof body === "string" ? (body ?? undefined) : readableOf(body);
  void reply.code(status).headers(headers).send(sent);
}

/** What hooks of the application throw; some libraries call the status otherwise, and Fastify heeds both. */
type ForeignError = FastifyError & { readonly status?: number | undefined };

function foreignError(error: ForeignError, request: FastifyRequest): HttpResponse {
  const answer = answerOf(error, request.id);
  if (answer.status >= 500) request.log.error({ err: error }, "request failed");
  return answer;
}

/** A `ScimError` as it is; of others, such as a rate limit, the status as a SCIM Error. */
function answerOf(error: ForeignError, requestId: string): HttpResponse {
  const told = toScimError(error, requestId);
  if (told === error) return errorResponse(told);
  const { statusCode = error.status ?? 500 } = error;
  if (statusCode >= 400 && statusCode < 500) return statusResponse(statusCode, error.message);
  return statusResponse(
    statusCode >= 500 && statusCode < 600 ? statusCode : 500,
    "The service failed to answer.",
  );
}
