/**
 * What receivers of Security Event Tokens ask for: `/.well-known/jwks.json`, the keys that tokens are verified with, and
 * `/events/{tenant}/{stream}/poll`, tokens themselves (RFC 8936).
 * @module
 */
import {
  answerPoll,
  InvalidPoll,
  publishedKeys,
  readPoll,
  type PollParts,
  type PollRequest,
  type SigningKeyPorts,
} from "@scim/events";
import { decodeJson, toScimError, type RequestRecord } from "@scim/http";
import { abortedWith } from "@scim/http/node";
import { isScimError, type ScimError } from "@scim/schemas";
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { bodyTooLarge, TOO_LARGE } from "../http/body-too-large.ts";
import { noteError, recordOnceOver, type RecordedCaller } from "../http/reply-record.ts";
import { pause } from "../pause.ts";
import { AGAIN_SECONDS, createPlaces, type LeavePlace } from "../places.ts";
import { admitPolls, countPoll, type PollAdmission, refuse, streamOf } from "./poll-admission.ts";

/** What these routes are served with. */
export interface TokenRoutes {
  readonly keys: Pick<SigningKeyPorts, "signingKeys" | "now">;
  readonly admission: PollAdmission;
  readonly poll: Omit<PollParts, "pause" | "signal">;
  /** Told of each poll when it is answered. */
  readonly onRequestDone: (record: RequestRecord) => void;
}

/** Milliseconds between two looks for what is new, for each receiver that waits. */
const INTERVAL_MS = 500;
/** How long a key set may be kept, in seconds: shorter than a key is published before it signs. */
const KEPT_SECONDS = 600;
const BAD_REQUEST = 400;
const UNSUPPORTED = 415;
const TOO_MANY = 429;
/** Polls of one stream that may wait at the same time, in each process: some for each machine of a receiver. */
const MOST_WAITING = 20;
/** Deepest nesting of a poll: a list in an object of objects needs no more. */
const DEEPEST = 8;

/** The routes of tokens. */
export function tokenRoutes({ keys, admission, poll, onRequestDone }: TokenRoutes): FastifyPluginAsync {
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
      const status = statusOf(error);
      if (status === UNSUPPORTED) void reply.header("accept", "application/json");
      const description = descriptionOf(status, request) ?? error.message;
      if (status < 500) return refuse(reply, status, { err: "invalid_request", description });
      const failed = toScimError(error, request.id);
      noteError(request, failed);
      return refuse(reply.headers(failed.headers), failed.status, {
        err: "server_error",
        description: failed.detail,
      });
    });

    instance.get("/.well-known/jwks.json", async (_request, reply) =>
      reply
        .header("cache-control", `public, max-age=${KEPT_SECONDS}`)
        .type("application/jwk-set+json")
        .send(await publishedKeys(keys)),
    );

    const polled = new WeakSet<FastifyRequest>();
    const admit = admitPolls(admission);
    const waiting = createPlaces(MOST_WAITING);
    const hooks = {
      // Nothing of a body is read before it is known who sends it.
      onRequest: async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
        const stream = streamOf(request);
        const receiver = { tenant: stream.tenant, connection: null, credential: stream.id };
        const callerOf = (): RecordedCaller | null => (polled.has(request) ? receiver : null);
        recordOnceOver(request, reply, { callerOf, onRequestDone });
        const refused = await admit(request, reply);
        if (refused !== undefined) return refused;
        polled.add(request);
        return countPoll(admission, stream, reply);
      },
    };
    instance.post("/events/:tenant/:id/poll", hooks, async (request, reply) => {
      const [stream, asked] = [streamOf(request), readPoll(request.body)];
      const leave = waits(asked) ? waiting.enter(`${stream.tenant} ${stream.id}`) : NO_PLACE;
      if (leave === null) return tooManyPolls(reply);
      const signal = AbortSignal.any([stopping.signal, abortedWith(reply.raw)]);
      const parts = { ...poll, signal, pause: () => pause(INTERVAL_MS, signal) };
      const answer = await answerPoll(parts, stream, asked).finally(leave);
      // The token may have ended while an event was waited for; what it is not given is handed out again.
      const refused = await admit(request, reply);
      return refused ?? reply.header("cache-control", "no-store").send(answer);
    });
  };
}

/** Whether a poll waits where there is no event. */
function waits({ returnImmediately, maxEvents }: PollRequest): boolean {
  return !returnImmediately && maxEvents > 0;
}

const NO_PLACE: LeavePlace = () => undefined;

function tooManyPolls(reply: FastifyReply): FastifyReply {
  return refuse(reply.header("retry-after", AGAIN_SECONDS), TOO_MANY, {
    err: "invalid_request",
    description: `${MOST_WAITING} polls of this stream wait for an event already. Send it again in ${AGAIN_SECONDS} s, or with 'returnImmediately'.`,
  });
}

/** A database that is away is no mistake of the receiver: it asks again. */
function statusOf(error: FastifyError | InvalidPoll | ScimError): number {
  if (error instanceof InvalidPoll) return BAD_REQUEST;
  return isScimError(error) ? error.status : (error.statusCode ?? 500);
}

/** What Fastify refuses of a body; null for anything else. */
function descriptionOf(status: number, request: FastifyRequest): string | null {
  if (status === TOO_LARGE) return bodyTooLarge(request).message;
  return status === UNSUPPORTED ? "Send the body as application/json." : null;
}
