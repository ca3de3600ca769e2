/**
 * What the access log and metrics know of a message to the tools. The requests that its calls lead to have records of
 * their own, under its id with a number.
 * @module
 */
import type { Principal } from "@scim/core";
import type { RequestRecord } from "@scim/http";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The record of a message that was answered. */
export function toolRecord(
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
