/**
 * The log of requests: one line each, with the form of the address and never the address, a query, a token
 * or a body.
 * @module
 */
import { isAttributePath } from "@scim/events";
import type { FailedOperation, FiredSwitch, RequestRecord } from "@scim/http";
import type { Logger } from "pino";
import { AskedLogs } from "./asked-logs.ts";

/** What a line tells beside who asked for what. */
interface Line {
  readonly req: string;
  /** Null where the client went away before it was answered. */
  readonly status: number | null;
  /** Milliseconds. */
  readonly ms: number;
  trace?: string;
  error?: string;
  switches?: readonly FiredSwitch[];
  filterPlan?: string;
  failedOperations?: readonly string[];
}

/**
 * Makes what `createScimHandler` calls for each request.
 * @param traceOf the trace of a request by its id, where requests are traced
 */
export function accessLog(
  log: Logger,
  traceOf: (requestId: string) => string | null = () => null,
): (record: RequestRecord) => void {
  const logs = new AskedLogs(log);
  return (record) => {
    const line: Line = {
      req: record.requestId,
      status: record.aborted ? null : record.status,
      ms: Math.round(record.durationMs * 1000) / 1000,
    };
    const trace = traceOf(record.requestId);
    if (trace !== null) line.trace = trace;
    if (record.errorCode !== null && !record.aborted) line.error = record.errorCode;
    if (record.switches.length > 0) line.switches = record.switches.map(shown);
    if (record.filterPlan !== null) line.filterPlan = record.filterPlan;
    if (record.failedOperations.length > 0) line.failedOperations = briefly(record);
    for (const { index, failure } of record.failedOperations) {
      if (failure !== undefined) log.error({ req: record.requestId, operation: index, err: failure }, FAILED);
    }
    const asked = logs.of(record);
    if (record.aborted) asked.info(line, "client went away");
    else if (record.late) asked.warn(line, "answer cut: the client took too long to read it");
    else if (record.status >= 500 && record.status !== NOT_OFFERED)
      asked.error({ ...line, err: record.failure }, "request failed");
    else if (isLoud(record)) asked.warn(line, "path of a PATCH names nothing");
    else asked.info(line, "request");
  };
}

/** A client asked for what the service does not offer: nothing failed. */
const NOT_OFFERED = 501;

/** Longest path that is logged, in characters: names of attributes that no schema has are the client's text. */
const LONGEST_PATH = 200;

/** Stands for what cannot be the name of an attribute: it may be a value, such as the mail address that a map is keyed by. */
const NO_NAME = "…";

function shown({ name, path }: FiredSwitch): FiredSwitch {
  return { name, path: isAttributePath(path) ? path.slice(0, LONGEST_PATH) : NO_NAME };
}

const FAILED = "operation of a bulk job failed";

/** The failed operations of a bulk job as a line shows them: place, method, error. */
function briefly({ failedOperations }: RequestRecord): readonly string[] {
  return failedOperations.map(({ index, method, errorCode }) => `${index} ${method} ${errorCode}`);
}

/** Clients repeat a PATCH with an unknown path for ever: operators must see it. */
function isLoud(record: RequestRecord): boolean {
  return namesNothing(record) || record.failedOperations.some(namesNothing);
}

function namesNothing(failed: {
  readonly method: string;
  readonly errorCode: FailedOperation["errorCode"] | null;
}): boolean {
  return failed.errorCode === "invalidPath" && failed.method === "PATCH";
}
