/**
 * What access log, metrics and traces know of a request that is none of SCIM itself: to the admin API,
 * to the tools, and to streams that are polled.
 * The SCIM requests that calls of tools lead to have records of their own, under its id with a number.
 * @module
 */
import type { RequestRecord } from "@scim/http";
import { onceOver } from "@scim/http/node";
import type { ScimError } from "@scim/schemas";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Who asked. */
export interface RecordedCaller {
  readonly tenant: string;
  /** Null where it is not of one. */
  readonly connection: string | null;
  /** Id of what they proved themselves with, where it has one. */
  readonly credential?: string | null | undefined;
}

/** The errors that requests were answered with. */
const errors = new WeakMap<FastifyRequest, ScimError>();

/** Notes the error that a request is answered with. */
export function noteError(request: FastifyRequest, error: ScimError): void {
  errors.set(request, error);
}

/** Who is told of a request, and who asked, as far as that is known by then. */
export interface RecordTeller {
  readonly callerOf: () => RecordedCaller | null;
  readonly onRequestDone: (record: RequestRecord) => void;
}

/**
 * Tells of a request once: when its whole answer is sent, or its client is gone. To be called as the first thing of it,
 * since the hook `onResponse` of Fastify is not called where the client goes first.
 */
export function recordOnceOver(
  request: FastifyRequest,
  reply: FastifyReply,
  { callerOf, onRequestDone }: RecordTeller,
): void {
  onceOver(reply.raw, () => onRequestDone(replyRecord(request, reply, callerOf())));
}

/** The record of a request that is over. Its route is the pattern that it met, never the address itself. */
function replyRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: RecordedCaller | null,
): RequestRecord {
  const error = errors.get(request);
  const failed = error !== undefined && error.status >= 500;
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? "unknown",
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    tenant: caller?.tenant ?? null,
    connection: caller?.connection ?? null,
    credential: caller?.credential ?? null,
    switches: [],
    failedOperations: [],
    filterPlan: null,
    errorCode: error?.code ?? null,
    failure: failed ? (error.cause ?? error) : undefined,
    aborted: !reply.raw.writableFinished,
    late: false,
  };
}
