/**
 * What the rules of request logs are tried with.
 * @module
 */
import { type ContractRule, SCOPE } from "@scim/core/testing";
import type { ErasureStore } from "../erasure/port.ts";
import type { LoggedRequest } from "../requests/entry.ts";
import type { RequestLogStore, RequestQuery } from "../requests/port.ts";

/** A store with a request log. */
export interface StoreWithRequests {
  readonly requests: RequestLogStore;
  readonly erasures: ErasureStore;
}

/** A rule of a request log. */
export type RequestLogRule = ContractRule<StoreWithRequests>;

/** Whose requests they are, where a rule does not say otherwise. */
export const { tenant: TENANT, connection: CONNECTION } = SCOPE;

/** Milliseconds without a request after which a new run begins. */
const PAUSE_MS = 300_000;

/** An instant of the contract, in minutes. */
export function minute(minutes: number): string {
  return new Date(Date.parse("2026-03-01T08:00:00.000Z") + minutes * 60_000).toISOString();
}

/** Id of the entry that was answered so many minutes after the start. */
export function entryId(minutes: number): string {
  return `e-${String(minutes * 10).padStart(6, "0")}`;
}

/** The entry that was answered so many minutes after the start; `requestId` tells which. */
export function sampleRequest(minutes: number, of: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    id: entryId(minutes),
    at: minute(minutes),
    tenant: TENANT,
    connection: CONNECTION,
    requestId: `r${minutes}`,
    credential: "t1",
    method: "PATCH",
    route: "/Users/{id}",
    target: "/Users/u1?attributes=userName",
    headers: { "content-type": "application/scim+json" },
    body: { json: { Operations: [] }, note: "cut" },
    status: 200,
    answer: null,
    durationMs: 0,
    switches: [],
    errorCode: null,
    failedOperations: [{ index: 0, method: "POST", errorCode: "uniqueness" }],
    type: "User",
    resource: "u1",
    ...of,
  };
}

/** Adds entries of one connection. */
export function added(
  { requests }: StoreWithRequests,
  entries: readonly LoggedRequest[],
  skipped = 0,
): Promise<void> {
  const { tenant, connection } = entries[0] ?? { tenant: TENANT, connection: CONNECTION };
  return requests.add({ tenant, connection, entries, skipped, pause: PAUSE_MS });
}

/** Which entries meet a query, by their `requestId`. */
export async function listed(
  { requests }: StoreWithRequests,
  query: Partial<RequestQuery> = {},
  tenant: string = TENANT,
): Promise<readonly string[]> {
  return (await requests.list(tenant, { limit: 100, ...query })).map(({ requestId }) => requestId);
}
