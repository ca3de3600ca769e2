/**
 * The Fastify application: SCIM in both forms of its address, health, and errors for all else.
 * @module
 */
import { randomBytes } from "node:crypto";
import { scimPlugin } from "@scim/fastify";
import { errorResponse, statusResponse, type ScimHandler, type TextResponse } from "@scim/http";
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
} from "fastify";
import { ADMIN_PATH, adminPlugin, type AdminOptions } from "../admin/plugin.ts";
import type { Settings } from "../settings/table.ts";
import { answerClientError } from "./client-error.ts";
import { addDocsPage } from "./docs-page.ts";
import { MOUNT, TENANT_MOUNT } from "./mount.ts";
import { OPENAPI_PATH } from "./open-api.ts";
import { otherVersion } from "./protocol-version.ts";
import { publicUrlOf } from "./public-url.ts";

/** Greatest size of all headers of a request, in bytes (64 KiB): a filter of full length, percent-encoded, fits. */
const MAX_HEADER_SIZE = 65_536;

/** What the application is made of. */
export interface AppOptions {
  readonly settings: Pick<Settings, "baseUrl" | "trustProxy">;
  readonly handler: ScimHandler;
  /** Answers `/openapi.json`. */
  readonly openApi: ScimHandler;
  readonly admin: AdminOptions;
  /** Rejects where the store does not answer. */
  readonly check: () => Promise<void>;
  readonly log: FastifyBaseLogger;
}

/** Makes the application; it does not listen yet. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { settings, handler, openApi } = options;
  const app = Fastify({
    genReqId: requestIds(),
    loggerInstance: options.log,
    // The access log is the handler's: Fastify's own would show addresses.
    logController: new LogController({ disableRequestLogging: true }),
    http: { maxHeaderSize: MAX_HEADER_SIZE },
    trustProxy: settings.trustProxy ?? false,
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // A malformed percent-escape: no route was looked up, and no hook has run.
    frameworkErrors: (_error, _request, reply) => {
      const { status, headers, body } = noSuchAddress();
      reply.hijack();
      reply.raw.writeHead(status, headers).end(body);
    },
  });
  const publicUrl = publicUrlOf(settings);
  await app.register(scimPlugin, { prefix: MOUNT, handler, publicUrl });
  await app.register(scimPlugin, { prefix: TENANT_MOUNT, handler, publicUrl });
  await app.register(scimPlugin, { prefix: OPENAPI_PATH, handler: openApi, publicUrl });
  await app.register(adminPlugin, { prefix: ADMIN_PATH, ...options.admin });
  addDocsPage(app);
  app.setNotFoundHandler(async (request, reply) => {
    const refusal = otherVersion(request.url);
    return send(reply, refusal === null ? noSuchAddress() : errorResponse(refusal));
  });
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    try {
      await options.check();
      return { status: "ok" };
    } catch (error) {
      request.log.error({ err: error }, "the store does not answer");
      return reply.code(503).send({ status: "unavailable" });
    }
  });
  return app;
}

/** Ids of requests: unlike over restarts and processes, and short. */
function requestIds(): () => string {
  const process = randomBytes(4).toString("hex");
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}

function noSuchAddress(): TextResponse {
  return statusResponse(404, "There is nothing at this address.");
}

function send(reply: FastifyReply, response: TextResponse): FastifyReply {
  return reply.code(response.status).headers(response.headers).send(response.body);
}
