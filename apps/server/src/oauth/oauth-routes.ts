/**
 * `/oauth2/token`, `/oauth2/authorize` and their metadata as a Fastify plugin. What is decided is decided by `@scim/tenancy`.
 * @module
 */
import type { TokenEndpoint } from "@scim/tenancy";
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { addMetadataRoutes } from "./metadata-routes.ts";

/** Where access tokens are given. */
export const TOKEN_PATH = "/oauth2/token";
/** Where a person would be asked, if any grant began with one. */
const AUTHORIZATION_PATH = "/oauth2/authorize";

/** What the routes are made of. */
export interface OAuthRoutes {
  readonly tokenEndpoint: TokenEndpoint;
  /** The public address of the server, or what tells it. */
  readonly publicUrl: string | ((request: FastifyRequest) => string);
}

/** Greatest body, in bytes (32 KiB): an assertion of the greatest length that is looked at fits twice. */
const MOST_BYTES = 32_768;

/** The routes of OAuth, at the root of the server. */
export const oauthRoutes: FastifyPluginAsync<OAuthRoutes> = async (instance, options) => {
  const { tokenEndpoint } = options;

  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("*", { parseAs: "string", bodyLimit: MOST_BYTES }, (_request, body, done) => {
    done(null, body);
  });
  instance.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 400 && status < 500) return refuse(reply, status, "invalid_request");
    request.log.error({ err: error }, "request failed");
    return refuse(reply, 500, "server_error");
  });

  instance.post(TOKEN_PATH, async (request, reply) => {
    const { status, headers, body } = await tokenEndpoint({
      contentType: request.headers["content-type"],
      authorization: request.headers.authorization,
      body: typeof request.body === "string" ? request.body : "",
      address: request.ip,
      id: request.id,
    });
    return reply.code(status).headers(headers).send(body);
  });
  const refuseMethod = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    refuse(reply.header("allow", "POST"), 405, "invalid_request");
  // Nobody is led back to a client (RFC 6749 §4.1.2.1): no client has an address to be led to.
  instance.get(AUTHORIZATION_PATH, async (_request, reply) =>
    refuse(reply, 400, "unsupported_response_type"),
  );
  instance.route({
    method: instance.supportedMethods.filter((method) => method !== "POST"),
    url: TOKEN_PATH,
    // Before Fastify looks at what comes with the method.
    onRequest: refuseMethod,
    handler: refuseMethod,
  });

  addMetadataRoutes(instance, {
    publicUrl: options.publicUrl,
    tokenPath: TOKEN_PATH,
    authorizationPath: AUTHORIZATION_PATH,
  });
};

function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply
    .code(status)
    .headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
    .send(
      JSON.stringify({
        error,
        error_description: DESCRIPTIONS.get(error) ?? DESCRIPTIONS.get(status) ?? "The request is not valid.",
      }),
    );
}

/** By the error, or the status where that says enough. */
const DESCRIPTIONS: ReadonlyMap<string | number, string> = new Map<string | number, string>([
  [
    "unsupported_response_type",
    `No grant begins with a person here: ask for a token at ${TOKEN_PATH}, with grant_type=client_credentials.`,
  ],
  [405, "Tokens are asked for by POST."],
  [413, `The body is larger than ${MOST_BYTES} bytes.`],
  [500, "The service failed to answer; its log tells more."],
]);
