/**
 * What receivers of Security Event Tokens ask for: `/.well-known/jwks.json`, the keys that tokens are verified with, and
 * `/events/{tenant}/{stream}/poll`, tokens themselves (RFC 8936).
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  answerPoll,
  InvalidPoll,
  mayPoll,
  publishedKeys,
  readPoll,
  type PollCredentials,
  type PollParts,
  type SigningKeyPorts,
} from "@scim/events";
import { decodeJson } from "@scim/http";
import { isScimError } from "@scim/schemas";
import { isTenantName } from "@scim/tenancy";
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";

/** What these routes are served with. */
export interface TokenRoutes {
  readonly keys: Pick<SigningKeyPorts, "signingKeys" | "now">;
  readonly credentials: PollCredentials;
  readonly poll: Omit<PollParts, "pause" | "signal">;
}

/** Milliseconds between two looks for what is new, for each receiver that waits. */
const INTERVAL_MS = 500;
/** How long a key set may be kept, in seconds: shorter than a key is published before it signs. */
const KEPT_SECONDS = 600;
const BEARER = /^bearer +(?<token>\S{1,256}) *$/i;
const BAD_REQUEST = 400;
const UNAUTHORIZED = 401;
const UNSUPPORTED = 415;
/** Deepest nesting of a poll: a list in an object of objects needs no more. */
const DEEPEST = 8;

/** The routes of tokens. */
export function tokenRoutes({ keys, credentials, poll }: TokenRoutes): FastifyPluginAsync {
  return async (instance) => {
    // Waiting polls would otherwise hold up the end of the server.
    const stopping = new AbortController();
    instance.addHook("preClose", async () => stopping.abort());
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser(
      "application/json",
      { parseAs: "buffer" },
      async (_: FastifyRequest, body: Buffer) => decodeJson(body, DEEPEST),
    );
    instance.setErrorHandler<FastifyError>(async (error, request, reply) => {
      const isInvalid = error instanceof InvalidPoll || isScimError(error);
      const status = isInvalid ? BAD_REQUEST : (error.statusCode ?? 500);
      const description = status === UNSUPPORTED ? "Send the body as application/json." : error.message;
      if (status < 500) return refuse(reply, status, { err: "invalid_request", description });
      request.log.error({ err: error }, "request failed");
      const failed = `The service failed to answer. Its log tells more under request id '${request.id}'.`;
      return refuse(reply, 500, { err: "server_error", description: failed });
    });

    instance.get("/.well-known/jwks.json", async (_request, reply) =>
      reply
        .header("cache-control", `public, max-age=${KEPT_SECONDS}`)
        .type("application/jwk-set+json")
        .send(await publishedKeys(keys)),
    );

    instance.post("/events/:tenant/:id/poll", async (request, reply) => {
      const name = streamOf(request);
      const { authorization } = request.headers;
      const token = BEARER.exec(authorization ?? "")?.groups?.["token"];
      if (token === undefined || !isTenantName(name.tenant) || !(await mayPoll(credentials, name, token))) {
        const sent = authorization === undefined ? "" : ', error="invalid_token"';
        reply.header("www-authenticate", `Bearer realm="scim-events"${sent}`);
        const description = "A token of this stream is required. Send 'Authorization: Bearer scim_events_…'.";
        return refuse(reply, UNAUTHORIZED, { err: "authentication_failed", description });
      }
      const signal = AbortSignal.any([stopping.signal, closedSignal(reply)]);
      const parts = { ...poll, signal, pause: () => pause(signal) };
      return reply
        .header("cache-control", "no-store")
        .send(await answerPoll(parts, name, readPoll(request.body)));
    });
  };
}

function streamOf({ params }: FastifyRequest): { readonly tenant: string; readonly id: string } {
  const members = new Map<string, unknown>(Object.entries(params ?? {}));
  return { tenant: String(members.get("tenant")), id: String(members.get("id")) };
}

interface Refusal {
  readonly err: string;
  readonly description: string;
}

function refuse(reply: FastifyReply, status: number, refusal: Refusal): FastifyReply {
  return reply.code(status).header("content-language", "en").send(refusal);
}

function closedSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => controller.abort());
  return controller.signal;
}

async function pause(signal: AbortSignal): Promise<void> {
  try {
    await delay(INTERVAL_MS, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
