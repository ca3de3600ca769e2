/**
 * Reads entries of the request log, and runs.
 * @module
 */
import type {
  LoggedRequest,
  RequestIdsQuery,
  RequestQuery,
  RequestRun,
  RunQuery,
  StoredRequest,
} from "@scim/events";
import { type Sql, sql } from "../sql.ts";
import { type Answer, numberOf, type Row, type Steps, textOf } from "../steps.ts";

/** The entry of an id. */
export function* readRequest(tenant: string, id: string): Steps<StoredRequest | null> {
  const { rows }: Answer =
    yield sql`SELECT run, entry FROM request_log WHERE tenant = ${tenant} AND id = ${id}`;
  return rows[0] === undefined ? null : requestOf(rows[0]);
}

/** Entries of a tenant. */
export function* readRequests(tenant: string, query: RequestQuery): Steps<readonly StoredRequest[]> {
  const { connection, run, status, since, requestId, after, before, limit } = query;
  const order = after === undefined ? sql`id DESC` : sql`id`;
  const { rows }: Answer = yield sql`SELECT run, entry FROM request_log
    WHERE tenant = ${tenant}${where(connection, (value) => sql` AND connection = ${value}`)}${where(
      run,
      (value) => sql` AND run = ${value}`,
    )}${where(status, ({ from, to }) => sql` AND status BETWEEN ${from} AND ${to}`)}${where(
      since,
      (value) => sql` AND at >= ${value}`,
    )}${where(requestId, (value) => sql` AND request = ${value}`)}${where(
      after,
      (value) => sql` AND id > ${value}`,
    )}${where(before, (value) => sql` AND id < ${value}`)}
    ORDER BY ${order} LIMIT ${limit}`;
  return rows.map(requestOf);
}

/** The ids of requests of a run. */
export function* readRequestIds(
  tenant: string,
  { run, after, before, limit }: RequestIdsQuery,
): Steps<readonly Pick<StoredRequest, "id" | "requestId">[]> {
  const { rows }: Answer = yield sql`SELECT id, request FROM request_log
    WHERE tenant = ${tenant} AND run = ${run} AND id > ${after} AND id < ${before} ORDER BY id LIMIT ${limit}`;
  return rows.map((row) => ({ id: textOf(row, "id"), requestId: textOf(row, "request") }));
}

/** Runs of a tenant, newest first. */
export function* readRuns(
  tenant: string,
  { connection, run, since, before, limit }: RunQuery,
): Steps<readonly RequestRun[]> {
  const { rows }: Answer = yield sql`SELECT run, connection, begun, ended, requests, failed, skipped
    FROM request_runs WHERE tenant = ${tenant}${where(
      connection,
      (value) => sql` AND connection = ${value}`,
    )}${where(run, (value) => sql` AND run = ${value}`)}${where(since, (value) => sql` AND ended >= ${value}`)}${where(
      before,
      (value) => sql` AND run < ${value}`,
    )}
    ORDER BY run DESC LIMIT ${limit}`;
  return rows.map(runOf);
}

function where<Value>(value: Value | undefined, condition: (value: Value) => Sql): Sql {
  return value === undefined ? sql`` : condition(value);
}

function requestOf(row: Row): StoredRequest {
  // The text is an entry that this store wrote.
  const entry = JSON.parse(textOf(row, "entry")) as LoggedRequest;
  return { ...entry, run: textOf(row, "run") };
}

function runOf(row: Row): RequestRun {
  return {
    run: textOf(row, "run"),
    connection: textOf(row, "connection"),
    begun: textOf(row, "begun"),
    ended: textOf(row, "ended"),
    requests: numberOf(row, "requests"),
    failed: numberOf(row, "failed"),
    skipped: numberOf(row, "skipped"),
  };
}
