/**
 * What the access log and metrics know of a request to the admin API.
 * @module
 */
import type { Principal } from "@scim/core";
import type { RequestRecord } from "@scim/http";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The record of a request that was answered. Its route is the pattern that it met, never the address itself. */
export function adminRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal | null,
): RequestRecord {
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? "unknown",
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    tenant: principal?.tenant ?? null,
    connection: principal?.connection ?? null,
    credential: principal?.credential ?? null,
    switches: [],
    failedOperations: [],
    filterPlan: null,
    errorCode: null,
    failure: undefined,
    aborted: request.raw.destroyed && !reply.raw.writableFinished,
  };
}
