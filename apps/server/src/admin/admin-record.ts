/**
 * What the access log and metrics know of a request to the admin API.
 * @module
 */
import type { RequestRecord } from "@scim/http";
import { ADMIN_TENANT, DEFAULT_NAME, type Administrator } from "@scim/tenancy";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The record of a request that was answered. Its route is the pattern that it met, never the address itself. */
export function adminRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  administrator: Administrator | null,
): RequestRecord {
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? "unknown",
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    tenant: administrator === null ? null : ADMIN_TENANT,
    connection: administrator === null ? null : DEFAULT_NAME,
    credential: administrator?.credential ?? null,
    switches: [],
    failedOperations: [],
    filterPlan: null,
    errorCode: null,
    failure: undefined,
    aborted: request.raw.destroyed && !reply.raw.writableFinished,
  };
}
