/**
 * The admin API as a Fastify plugin: JSON in and out, errors as SCIM Error bodies, and no address without the token of
 * an administrator.
 * @module
 */
import type { Authenticator, RequestLimiter, Turns } from "@scim/core";
import { PositionAhead } from "@scim/events";
import {
  decodeJson,
  DEFAULT_HTTP_LIMITS,
  errorResponse,
  statusResponse,
  toScimError,
  type RequestRecord,
  type TextResponse,
} from "@scim/http";
import { isScimError, ScimError } from "@scim/schemas";
import {
  ADMIN_TENANT,
  DEFAULT_NAME,
  type Administrator,
  type AdminTrail,
  type TenantStore,
} from "@scim/tenancy";
import type { Tracing } from "../tracing/tracing.ts";
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { bodyTooLarge, TOO_LARGE } from "../http/body-too-large.ts";
import { noteError, recordOnceOver, type RecordedCaller } from "../http/reply-record.ts";
import { requireKnownTenant, requireServedTenant } from "../administration/known-tenant.ts";
import { noteAdmission } from "./admission.ts";
import { requireTakenParameters, tenantOf } from "./parameters.ts";
import { noteReadingTurn, readingTurnOf } from "./reading-turns.ts";
import { requireAdmin } from "./require-admin.ts";
import { addsToTenant, isOfTenant, noteAdministrator, notedAdministrator, requireRight } from "./rights.ts";
import { tenancyProblem } from "./tenancy-problem.ts";
import { createReadingTeller } from "./told-reading.ts";
import { tellBeginning, tellOutcome } from "./told-request.ts";

/** Where the admin API is mounted. */
export const ADMIN_PATH = "/admin/v1";

/** What bodies may be. */
const BODY_TYPES = ["application/json", "application/scim+json", "application/merge-patch+json"];
const UNSUPPORTED = 415;

/** What the admin API is made of. */
export interface AdminOptions {
  /** Finds the principal of a token. */
  readonly authenticate: Authenticator;
  /** Counts tokens that are refused. */
  readonly limiter: RequestLimiter;
  /** Those whose matters are administered. */
  readonly tenants: Pick<TenantStore, "find">;
  /** Told of what begins and what came of it, where a route does not tell it itself. */
  readonly trail: AdminTrail;
  /** Makes spans of requests. */
  readonly tracing: Pick<Tracing, "request">;
  /** Told of each request when it is answered. */
  readonly onRequestDone: (record: RequestRecord) => void;
  /** Whose turn it is to read a page of a list. */
  readonly turns: Turns;
  /** The routes of each part, below the prefix. */
  readonly routes: readonly FastifyPluginAsync[];
}

/** Answers below its prefix; every route asks for an administrator first, and for the right that it states. */
export const adminPlugin: FastifyPluginAsync<AdminOptions> = async (instance, options) => {
  // With a callback: what comes behind it belongs to the span.
  instance.addHook("onRequest", (request, reply, done) => {
    recordOnceOver(request, reply, {
      callerOf: () => recorded(notedAdministrator(request)),
      onRequestDone: options.onRequestDone,
    });
    const { id, method, headers } = request;
    options.tracing.request({ id, method, headers }, done);
  });
  instance.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    const admit = (): Promise<void> => admitted(options, request);
    noteAdmission(request, admit);
    await admit();
    if (!request.is404) requireTakenParameters(request);
  });
  // What cannot be understood begins nothing: the body is read by then.
  instance.addHook("preHandler", async (request) => tellBeginning(options.trail, request));
  // Before what is read is told: who is refused reads nothing.
  instance.addHook("preHandler", (request, reply) => noteReadingTurn(options.turns, request, reply));
  instance.addHook("preHandler", createReadingTeller(options.trail));
  instance.addHook("onSend", async (request) => readingTurnOf(request).end());
  instance.addHook("onSend", async (request, reply) => tellOutcome(options.trail, request, reply));
  instance.removeAllContentTypeParsers();
  // Many clients name a form also where they send no body.
  for (const type of BODY_TYPES)
    instance.addContentTypeParser(type, { parseAs: "buffer" }, async (_: FastifyRequest, body: Buffer) =>
      body.length === 0 ? undefined : decodeJson(body, DEFAULT_HTTP_LIMITS.jsonDepth),
    );
  instance.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const problem = tenancyProblem(await reasonOf(options, request, error));
    const status = error.statusCode ?? 500;
    const refusal = isScimError(problem) ? problem : (refusalOf(status, request) ?? problem);
    if (!isScimError(refusal) && status >= 400 && status < 500)
      return send(reply, statusResponse(status, error.message));
    const answered = toScimError(refusal, request.id);
    noteError(request, answered);
    return send(reply, errorResponse(answered));
  });
  instance.setNotFoundHandler(async (request, reply) => {
    const error = new ScimError("notFound", "There is nothing at this address.");
    noteError(request, error);
    return send(reply, errorResponse(error));
  });
  for (const routes of options.routes) await instance.register(routes);
};

/** A tenant that was deleted has no positions any more: whoever goes on from one is told of that, and not to wait for it. */
async function reasonOf(
  { tenants }: Pick<AdminOptions, "tenants">,
  request: FastifyRequest,
  thrown: unknown,
): Promise<unknown> {
  if (!(thrown instanceof PositionAhead) || !isOfTenant(request)) return thrown;
  return requireServedTenant({ tenants }, tenantOf(request)).then(
    () => thrown,
    (reason: unknown) => reason,
  );
}

/** What Fastify refuses of a body; null for anything else. */
function refusalOf(status: number, request: FastifyRequest): ScimError | null {
  if (status === TOO_LARGE) return bodyTooLarge(request);
  return status === UNSUPPORTED ? unsupported() : null;
}

function unsupported(): ScimError {
  return new ScimError("unsupportedMediaType", "Send the body as application/json.", {
    headers: { accept: BODY_TYPES.join(", ") },
  });
}

/** Notes the administrator of a request, who may do what it asks for. */
async function admitted(
  { authenticate, limiter, tenants }: AdminOptions,
  request: FastifyRequest,
): Promise<void> {
  const { id, ip: address } = request;
  const { authorization } = request.headers;
  const administrator = await requireAdmin({ authorization, limiter, address, id }, authenticate);
  noteAdministrator(request, administrator);
  if (request.is404) return;
  requireRight(administrator, request);
  if (!isOfTenant(request)) return;
  const requireThere = addsToTenant(request) ? requireServedTenant : requireKnownTenant;
  await requireThere({ tenants }, tenantOf(request));
}

function recorded(administrator: Administrator | null): RecordedCaller | null {
  if (administrator === null) return null;
  return { tenant: ADMIN_TENANT, connection: DEFAULT_NAME, credential: administrator.credential };
}

/** Sends an answer that `@scim/http` made. */
export function send(reply: FastifyReply, { status, headers, body }: TextResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}
