/**
 * Entries of the request log for tests.
 * @module
 */
import type { LoggedRequest } from "@scim/events";

/** A list of Users that was answered, and what differs from that. */
export function loggedRequest(
  of: Pick<LoggedRequest, "id" | "at" | "tenant" | "connection" | "requestId"> & Partial<LoggedRequest>,
): LoggedRequest {
  return {
    credential: "t1",
    method: "GET",
    route: "/Users",
    target: "/Users",
    headers: {},
    body: null,
    status: 200,
    answer: null,
    durationMs: 1,
    switches: [],
    errorCode: null,
    failedOperations: [],
    type: "User",
    resource: null,
    ...of,
  };
}
