/**
 * `/oauth2/token` and its metadata as a Fastify plugin. What is decided is decided by `@scim/tenancy`.
 * @module
 */
import { SCOPES } from "@scim/core";
import { isScimError } from "@scim/schemas";
import {
  authorizationServerMetadata,
  isTenantName,
  protectedResourceMetadata,
  type TokenEndpoint,
} from "@scim/tenancy";
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { DOCS_PATH } from "../http/docs-page.ts";
import { pathOf } from "../http/mount.ts";
import { RESOURCE_PATH } from "./resource-metadata.ts";

/** Where access tokens are given. */
export const TOKEN_PATH = "/oauth2/token";

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
  const urlOf = (request: FastifyRequest): string =>
    typeof options.publicUrl === "string" ? options.publicUrl : options.publicUrl(request);

  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("*", { parseAs: "string", bodyLimit: MOST_BYTES }, (_request, body, done) => {
    done(null, body);
  });
  instance.setErrorHandler<FastifyError>(async (error, request, reply) => {
    if (isScimError(error) && error.status === 503) {
      return refuse(reply.header("retry-after", "5"), 503, "temporarily_unavailable");
    }
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
  instance.route({
    method: instance.supportedMethods.filter((method) => method !== "POST"),
    url: TOKEN_PATH,
    // Before Fastify looks at what comes with the method.
    onRequest: refuseMethod,
    handler: refuseMethod,
  });

  instance.get("/.well-known/oauth-authorization-server", async (request, reply) => {
    const issuer = urlOf(request);
    return sendMetadata(
      reply,
      authorizationServerMetadata({
        issuer,
        tokenEndpoint: `${issuer}${TOKEN_PATH}`,
        scopes: SCOPES,
        documentation: `${issuer}${DOCS_PATH}`,
      }),
    );
  });
  const describe = (request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply => {
    const issuer = urlOf(request);
    return sendMetadata(
      reply,
      protectedResourceMetadata({
        resource: `${issuer}${path}`,
        issuer,
        scopes: SCOPES,
        documentation: `${issuer}${DOCS_PATH}`,
      }),
    );
  };
  // RFC 9728 §3.1: the path of a resource stands behind the well-known one.
  instance.get(RESOURCE_PATH, async (request, reply) => describe(request, reply, ""));
  for (const what of ["scim", "mcp", "rpc"] as const) {
    instance.get(RESOURCE_PATH + pathOf(what, null), async (request, reply) =>
      describe(request, reply, pathOf(what, null)),
    );
    instance.get<{ Params: { readonly tenant: string } }>(
      RESOURCE_PATH + pathOf(what, ":tenant"),
      async (request, reply) => {
        const { tenant } = request.params;
        // Whether there is such a tenant is nobody's to know; what cannot be one would only be repeated.
        if (!isTenantName(tenant)) return reply.callNotFound();
        return describe(request, reply, pathOf(what, tenant));
      },
    );
  }
};

function sendMetadata(reply: FastifyReply, document: object): FastifyReply {
  return reply
    .headers({ "content-type": "application/json; charset=utf-8", "cache-control": "public, max-age=3600" })
    .send(JSON.stringify(document));
}

function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply
    .code(status)
    .headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
    .send(
      JSON.stringify({ error, error_description: DESCRIPTIONS.get(status) ?? "The request is not valid." }),
    );
}

const DESCRIPTIONS: ReadonlyMap<number, string> = new Map([
  [405, "Tokens are asked for by POST."],
  [413, `The body is larger than ${MOST_BYTES} bytes.`],
  [500, "The service failed to answer; its log tells more."],
  [503, "The service cannot answer at the moment; send the request again."],
]);
