/**
 * Who may poll a stream: whoever sends its token, while its tenant is active (RFC 8936 §3).
 * @module
 */
import type { RequestLimiter, TooManyRequests } from "@scim/core";
import { mayPoll, type PollCredentials, type ReceiverName } from "@scim/events";
import { tooManyRequests } from "@scim/http";
import { isTenantName } from "@scim/tenancy";
import type { FastifyReply, FastifyRequest } from "fastify";

/** What admission needs. */
export interface PollAdmission {
  readonly credentials: PollCredentials;
  readonly isActive: (tenant: string) => Promise<boolean>;
  /** Counts polls, and credentials that are refused. */
  readonly limiter: Pick<RequestLimiter, "admit" | "refused">;
}

/** What is wrong, as RFC 8936 §2.5 words it. */
export interface Refusal {
  readonly err: string;
  readonly description: string;
}

const BEARER = /^bearer +(?<token>\S{1,256}) *$/i;
const UNAUTHORIZED = 401;

/** Makes a hook that answers those who may not poll the stream that the address names. */
export function admitPolls(
  admission: PollAdmission,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined> {
  return async (request, reply) => {
    const { authorization } = request.headers;
    const token = BEARER.exec(authorization ?? "")?.groups?.["token"];
    if (token !== undefined && (await isGood(admission, streamOf(request), token))) return undefined;
    const early = token === undefined ? null : admission.limiter.refused(request.ip, token);
    return early === null
      ? unauthorized(reply, authorization !== undefined)
      : slowedDown(reply, early, "authentication_failed");
  };
}

/** Counts a poll that was admitted, and answers where its stream sends too many: each takes the stream, and writes that it has. */
export function countPoll(
  { limiter }: Pick<PollAdmission, "limiter">,
  { tenant, id }: ReceiverName,
  reply: FastifyReply,
): FastifyReply | undefined {
  const early = limiter.admit({ tenant, connection: `stream ${id}`, rate: null });
  return early === null ? undefined : slowedDown(reply, early, "invalid_request");
}

/** The stream that an address names. */
export function streamOf({ params }: Pick<FastifyRequest, "params">): ReceiverName {
  const members = new Map<string, unknown>(Object.entries(params ?? {}));
  return { tenant: String(members.get("tenant")), id: String(members.get("id")) };
}

/** Answers with an error. */
export function refuse(reply: FastifyReply, status: number, refusal: Refusal): FastifyReply {
  return reply.code(status).header("content-language", "en").send(refusal);
}

async function isGood(
  { credentials, isActive }: PollAdmission,
  name: ReceiverName,
  token: string,
): Promise<boolean> {
  if (!isTenantName(name.tenant) || !(await mayPoll(credentials, name, token))) return false;
  return isActive(name.tenant);
}

const NO_TOKEN = "A token of this stream is required.";
const BAD_TOKEN =
  "The token is not valid for this stream: it is unknown, past or malformed, or its tenant is suspended.";

function unauthorized(reply: FastifyReply, sent: boolean): FastifyReply {
  const challenge = `Bearer realm="scim-events"${sent ? ', error="invalid_token"' : ""}`;
  return refuse(reply.header("www-authenticate", challenge), UNAUTHORIZED, {
    err: "authentication_failed",
    description: `${sent ? BAD_TOKEN : NO_TOKEN} Send 'Authorization: Bearer scim_events_…'.`,
  });
}

function slowedDown(reply: FastifyReply, early: TooManyRequests, err: string): FastifyReply {
  const { status, headers, message } = tooManyRequests(early);
  return refuse(reply.headers(headers), status, { err, description: message });
}
