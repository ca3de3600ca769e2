/**
 * The log of requests: one line each, with the form of the address and never the address, a query, a token
 * or a body.
 * @module
 */
import type { RequestRecord } from "@scim/http";
import type { Logger } from "pino";

/** Makes what `createScimHandler` calls for each request. */
export function accessLog(log: Logger): (record: RequestRecord) => void {
  return (record) => {
    const line = {
      req: record.requestId,
      method: record.method,
      route: record.route,
      status: record.status,
      ms: Math.round(record.durationMs * 1000) / 1000,
      tenant: record.tenant,
      connection: record.connection,
      ...(record.errorCode === null ? {} : { error: record.errorCode }),
      ...(record.switches.length === 0 ? {} : { switches: record.switches }),
      ...(record.filterPlan === null ? {} : { filterPlan: record.filterPlan }),
    };
    if (record.aborted) log.info(line, "client went away");
    else if (record.status >= 500) log.error({ ...line, err: record.failure }, "request failed");
    else if (isLoud(record)) log.warn(line, "path of a PATCH names nothing");
    else log.info(line, "request");
  };
}

/** Clients repeat a PATCH with an unknown path for ever: operators must see it. */
function isLoud(record: RequestRecord): boolean {
  return record.errorCode === "invalidPath" && record.method === "PATCH";
}
