/**
 * The Fastify application: SCIM in both forms of its address, health, and errors for all else.
 * @module
 */
import { scimPlugin } from "@scim/fastify";
import { errorResponse, statusResponse, type ScimHandler, type TextResponse } from "@scim/http";
import { closeAfterUnreadBodies, inviteBodiesThatAreRead } from "@scim/http/node";
import { isScimError } from "@scim/schemas";
import type { TokenEndpoint } from "@scim/tenancy";
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { ADMIN_PATH, adminPlugin, type AdminOptions } from "../admin/plugin.ts";
import type { Settings } from "../settings/table.ts";
import { oauthRoutes } from "../oauth/oauth-routes.ts";
import { toolRoutes, type ToolRoutesOptions } from "../tools/tool-routes.ts";
import { addAnswerHeaders, REQUEST_ID_HEADER, SECURE_HEADERS } from "./answer-headers.ts";
import { answerClientError, answerExpectation } from "./client-error.ts";
import { clientLimits, limitConnections } from "./client-limits.ts";
import { decodableUrl } from "./decodable-url.ts";
import { addDocsPage } from "./docs-page.ts";
import { addHealthRoutes, closeWhileStopping, type Readiness } from "./health.ts";
import { MOUNT, pathOf, TENANT_MOUNT, tenantBelow } from "./mount.ts";
import { refuseOtherMethods } from "./offered-methods.ts";
import { serveOnDemand } from "./on-demand.ts";
import { OPENAPI_PATH } from "./open-api.ts";
import { otherVersion } from "./protocol-version.ts";
import { publicUrlOf } from "./public-url.ts";
import { requestIds } from "./request-ids.ts";

/** What the application is made of. */
export interface AppOptions {
  readonly settings: Settings;
  readonly handler: ScimHandler;
  /** Answers `/openapi.json`. */
  readonly openApi: ScimHandler;
  readonly admin: AdminOptions;
  readonly readiness: Readiness;
  /** Gives access tokens to clients. */
  readonly tokenEndpoint: TokenEndpoint;
  /** Serves the tools for agents; null where there are none. */
  readonly tools: ToolRoutesOptions | null;
  readonly log: FastifyBaseLogger;
}

/** Longest part of an address that is a name, in characters: URNs of schemas, and ids that an import brought. */
const LONGEST_NAME = 2048;

/** Makes the application; it does not listen yet. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, handler, openApi } = options;
  const newApp = appsOf(options);
  const app = newApp();
  limitConnections(app, settings);
  app.server.on("checkExpectation", answerExpectation);
  inviteBodiesThatAreRead(app.server);
  closeAfterUnreadBodies(app.server);
  serveOnDemand(app, ADMIN_PATH, async () => {
    const admin = newApp();
    await admin.register(adminPlugin, { prefix: ADMIN_PATH, ...options.admin });
    return admin;
  });
  const publicUrl = publicUrlOf(settings);
  await app.register(scimPlugin, { prefix: MOUNT, handler, publicUrl });
  await app.register(scimPlugin, { prefix: TENANT_MOUNT, handler, publicUrl });
  for (const mount of settings.mounts ?? []) {
    const { path, tenant, connection } = mount;
    const whose = connection === null ? { tenant } : { tenant, connection };
    await app.register(scimPlugin, { prefix: path, handler, publicUrl, ...whose });
    const named = tenantBelow(mount);
    if (named !== null)
      await app.register(scimPlugin, { prefix: pathOf("scim", named), handler, publicUrl, tenant: named });
  }
  await app.register(scimPlugin, { prefix: OPENAPI_PATH, handler: openApi, publicUrl });
  await app.register(oauthRoutes, { tokenEndpoint: options.tokenEndpoint, publicUrl });
  if (options.tools !== null) await app.register(toolRoutes, { ...options.tools, publicUrl });
  addDocsPage(app);
  addHealthRoutes(app, options.readiness);
  return app;
}

/** Makes what makes applications of one server: one knows what the others named a request. */
function appsOf({
  settings,
  log,
  readiness,
}: Pick<AppOptions, "settings" | "log" | "readiness">): () => FastifyInstance {
  const genReqId = requestIds();
  return () => {
    const app = Fastify({
      genReqId,
      loggerInstance: log,
      // The access log is the handler's: Fastify's own would show addresses.
      logController: new LogController({ disableRequestLogging: true }),
      // Routes have no levels and serializers of their own: to look for them takes longer than the rest of a logger.
      childLoggerFactory: (logger, bindings) => logger.child(bindings),
      ...clientLimits(settings),
      trustProxy: settings.trustProxy ?? false,
      return503OnClosing: false,
      clientErrorHandler: answerClientError,
      routerOptions: { maxParamLength: LONGEST_NAME },
      // What compiles schemas of routes is a hundred modules, which a start would wait for.
      schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
      rewriteUrl: ({ url = "/" }) => decodableUrl(url),
      // No route was looked up, and no hook has run.
      frameworkErrors: (_error, { id }, reply) => {
        const { status, headers, body } = noSuchAddress();
        reply.hijack();
        reply.raw.writeHead(status, { ...SECURE_HEADERS, [REQUEST_ID_HEADER]: id, ...headers }).end(body);
      },
    });
    addAnswerHeaders(app);
    closeWhileStopping(app, readiness);
    refuseOtherMethods(app);
    app.setErrorHandler<FastifyError>(async (error, request, reply) => send(reply, failure(error, request)));
    app.setNotFoundHandler(async (request, reply) => {
      const refusal = otherVersion(request.url);
      return send(reply, refusal === null ? noSuchAddress() : errorResponse(refusal));
    });
    return app;
  };
}

/** Routes have no schema: what they take is told apart by the rules of SCIM, and by the admin API. */
function noSchemas(): never {
  throw new TypeError("No route has a schema that Fastify is to compile");
}

/** What nothing nearer has made an answer of, such as code that could not be loaded: the log alone tells what it says. */
function failure(error: FastifyError, { id, log }: FastifyRequest): TextResponse {
  if (isScimError(error)) return errorResponse(error);
  const { statusCode = 500 } = error;
  if (statusCode >= 400 && statusCode < 500) return statusResponse(statusCode, error.message);
  log.error({ err: error }, "request failed");
  return statusResponse(500, `The service failed to answer. Its log tells more under request id '${id}'.`);
}

function noSuchAddress(): TextResponse {
  return statusResponse(404, "There is nothing at this address; SCIM is served below /scim/v2.");
}

function send(reply: FastifyReply, response: TextResponse): FastifyReply {
  return reply.code(response.status).headers(response.headers).send(response.body);
}
