/**
 * `/mcp` and `/rpc` as a Fastify plugin: the Model Context Protocol over Streamable HTTP, and plain JSON-RPC 2.0, for
 * the tokens of SCIM; `/mcp/{tenant}` and `/rpc/{tenant}` are for the tokens of one tenant. No state is kept between
 * requests, so that any process may answer any of them.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Principal } from "@scim/core";
import {
  authenticate,
  type AuthenticationListeners,
  type Exchange,
  type RequestRecord,
  tooManyRequests,
  type Verification,
} from "@scim/http";
import { abortedWith } from "@scim/http/node";
import { ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { isTenantName } from "@scim/tenancy";
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { MCP_PATH, pathOf } from "../http/mount.ts";
import { programVersion } from "../program-version.ts";
import { noteError, recordOnceOver } from "../http/reply-record.ts";
import { RESOURCE_PATH } from "../oauth/resource-metadata.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { corsHeaders } from "./origin.ts";
import { readMessageJson } from "./message-json.ts";
import { refusalOf } from "./refusal.ts";
import { toolboxes, type ToolboxOptions, type ToolCaller } from "./toolbox.ts";

/** What the tools are served with. */
export interface ToolRoutesOptions extends ToolboxOptions, Verification {
  /** Makes spans of messages; what tools ask of SCIM is below them. */
  readonly tracing: Pick<Tracing, "request">;
  /** Told of each request when it is answered. */
  readonly onRequestDone: (record: RequestRecord) => void;
  /** Told behind it of those that a connection was refused before a tool was called: no request of SCIM tells of them. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** What the routes know beside: how the server is reached. */
export interface ToolRoutesAddress {
  readonly publicUrl: string | ((request: FastifyRequest) => string);
}

/** The routes, at the root of the server. */
export const toolRoutes: FastifyPluginAsync<ToolRoutesOptions & ToolRoutesAddress> = async (
  instance,
  options,
) => {
  const { settings, limiter, tracing, onRequestDone, onExchange } = options;
  const urlOf = (request: FastifyRequest): string =>
    typeof options.publicUrl === "string" ? options.publicUrl : options.publicUrl(request);
  const toolsOf = toolboxes(options);
  const callers = new WeakMap<FastifyRequest, ToolCaller>();
  // Whose the tokens are, also of who is refused then.
  const principals = new WeakMap<FastifyRequest, Principal>();
  const refusals = new WeakMap<FastifyRequest, string>();
  const bodyLimit = settings["body.maxBytes"];

  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit },
    (_request, body, done) => done(null, body),
  );
  // With a callback: what comes behind it belongs to the span.
  instance.addHook("onRequest", (request, reply, done) => {
    recordOnceOver(request, reply, {
      callerOf: () => principals.get(request) ?? null,
      onRequestDone: (record) => {
        onRequestDone(record);
        const answer = refusals.get(request);
        if (answer !== undefined) onExchange?.(refusedExchange(request, record, answer));
      },
    });
    const { id, method, headers } = request;
    tracing.request({ id, method, headers }, done);
  });
  instance.addHook("onRequest", async (request, reply) => {
    void reply.header("vary", "Authorization, Origin");
    const origins = { own: urlOf(request), allowed: settings["tools.origins"] };
    const cors = corsHeaders(request.headers.origin, origins);
    void reply.headers(cors);
    // A browser asks first, and without the token.
    if (request.method === "OPTIONS" && Object.keys(cors).length > 0) return reply.code(204).send();
    if (request.method !== "POST") throw methodNotAllowed(request.method);
    const onCaller = (principal: Principal): void => void principals.set(request, principal);
    callers.set(request, await callerOf(request, { verification: options, url: urlOf(request), onCaller }));
    return undefined;
  });
  instance.setErrorHandler<FastifyError>(async (thrown, request, reply) => {
    const { error, body } = await refusalOf(thrown, { requestId: request.id, bodyLimit });
    noteError(request, error);
    void reply.code(error.status).headers(error.headers).header("content-type", JSON_TYPE);
    const text = JSON.stringify(body);
    if (error.code === "tooManyRequests" || !callers.has(request)) refusals.set(request, text);
    return reply.send(text);
  });

  /** The body; each request in it beyond the first counts as one of its own. */
  const messageOf = async (request: FastifyRequest, { principal }: ToolCaller): Promise<JsonValue> => {
    const { batchTooLong, readRpc, requestsIn } = await import("@scim/mcp");
    const message = readRpc(Buffer.isBuffer(request.body) ? request.body : NO_BYTES, readMessageJson);
    const refused = limiter?.admitRest(principal, requestsIn(message) - 1) ?? null;
    // What it holds is written and read again for SCIM: of a long message that is as much work as its reading was.
    if (refused === null) return nextTurn(message);
    throw "most" in refused ? batchTooLong(refused.most) : tooManyRequests(refused);
  };
  const known = (request: FastifyRequest): ToolCaller => {
    const caller = callers.get(request);
    if (caller === undefined) throw new TypeError("The hook before has found the caller.");
    return caller;
  };

  const answerAtRpc = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = known(request);
    const { answerRpc, rpcError, ToolError } = await import("@scim/mcp");
    try {
      const message = await messageOf(request, caller);
      const answer = await answerRpc(await toolsOf(caller), message, { signal: abortedWith(reply.raw) });
      return await sendRpc(reply, answer);
    } catch (error) {
      if (error instanceof ToolError) return sendRpc(reply, rpcError(error));
      throw error;
    }
  };

  const answerAtMcp = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const caller = known(request);
    const [{ answerMcp }, { rpcError, ToolError }] = await Promise.all([
      import("@scim/mcp/protocol"),
      import("@scim/mcp"),
    ]);
    const signal = abortedWith(reply.raw);
    try {
      const body = await messageOf(request, caller);
      const url = urlOf(request) + pathOf("mcp", caller.tenant);
      const sent = requestOf(request, { url, signal });
      const response = await answerMcp(await toolsOf(caller), sent, {
        body,
        version: programVersion(),
      });
      return await reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(await response.text());
    } catch (error) {
      if (error instanceof ToolError) return sendRpc(reply.code(400), rpcError(error));
      // Nobody is there to read an answer.
      if (signal.aborted) return reply.send();
      throw error;
    }
  };

  for (const tenant of [null, ":tenant"]) {
    instance.all(pathOf("rpc", tenant), answerAtRpc);
    instance.all(pathOf("mcp", tenant), answerAtMcp);
  }
};

const NO_BYTES = new Uint8Array();
const JSON_TYPE = "application/json; charset=utf-8";

/** A message that was refused, as the log of requests has it: what tools it was for is not read. */
function refusedExchange(request: FastifyRequest, record: RequestRecord, answer: string): Exchange {
  const agent = request.headers["user-agent"];
  const headers = agent === undefined ? {} : { "user-agent": agent };
  return { record, target: record.route, headers, body: null, answer, location: null };
}

interface CallerSearch extends Pick<AuthenticationListeners, "onCaller"> {
  readonly verification: Verification;
  readonly url: string;
}

async function callerOf(
  request: FastifyRequest,
  { verification, url, onCaller }: CallerSearch,
): Promise<ToolCaller> {
  const { headers, ip: address, id: requestId, routeOptions, log } = request;
  const tenant = tenantOf(request.params);
  const path = pathOf(routeOptions.url?.startsWith(MCP_PATH) === true ? "mcp" : "rpc", tenant);
  // What cannot be a tenant would only be repeated.
  const metadata = tenant === null || isTenantName(tenant) ? `${url}${RESOURCE_PATH}${path}` : null;
  const principal: Principal = await authenticate(
    { headers, tenant, connection: null, address, baseUrl: `${url}${path}`, id: requestId },
    { ...verification, resourceMetadata: () => metadata },
    { onCaller },
  );
  const token = (headers.authorization ?? "").trim().replace(/^bearer +/i, "");
  return { principal, token, tenant, baseUrl: url + pathOf("scim", tenant), address, requestId, log };
}

/** The tenant that the address names. */
function tenantOf(params: unknown): string | null {
  if (typeof params !== "object" || params === null || !("tenant" in params)) return null;
  return typeof params.tenant === "string" ? params.tenant : null;
}

function methodNotAllowed(method: string): ScimError {
  return new ScimError("methodNotAllowed", `${method} is not offered here; messages come by POST.`, {
    headers: { allow: "POST" },
  });
}

async function sendRpc(
  reply: FastifyReply,
  answer: JsonObject | readonly JsonObject[] | null,
): Promise<FastifyReply> {
  if (answer === null) return reply.code(204).send();
  return reply.header("content-type", JSON_TYPE).send(JSON.stringify(answer));
}

function requestOf(
  request: FastifyRequest,
  { url, signal }: { readonly url: string; readonly signal: AbortSignal },
): Request {
  const headers = new Headers();
  for (const name of ["accept", "content-type", "mcp-protocol-version"]) {
    const value = request.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return new Request(url, { method: "POST", headers, signal });
}
