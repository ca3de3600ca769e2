/**
 * Reads entries of the request log, and runs.
 * @module
 */
import {
  beforeIdsOf,
  type LoggedRequest,
  type RequestIdsQuery,
  type RequestQuery,
  type RequestRun,
  type RunQuery,
  type StoredRequest,
} from "@scim/events";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Executor, numberOf, type Row, type Steps, textOf } from "../steps.ts";

/** The entry of an id. */
export function* readRequest(tenant: string, id: string): Steps<StoredRequest | null> {
  const { rows }: Answer =
    yield sql`SELECT run, entry FROM request_log WHERE tenant = ${tenant} AND id = ${id}`;
  return rows[0] === undefined ? null : requestOf(rows[0]);
}

/** Entries that are looked through at once for what no index knows: a few milliseconds. */
const LOOKS = 1000;

/** Entries of a tenant. Where they are looked for in many, others have their turn meanwhile. */
export async function listRequests(
  executor: Pick<Executor, "read" | "pause">,
  tenant: string,
  query: RequestQuery,
): Promise<readonly StoredRequest[]> {
  const found: StoredRequest[] = [];
  for (let behind: string | null = null; ;) {
    const limit = query.limit - found.length;
    const part: Part = await executor.read(readPart(tenant, { ...goingOn(query, behind), limit }));
    found.push(...part.entries);
    behind = part.end;
    if (behind === null || found.length >= query.limit) return found;
    await executor.pause();
  }
}

function goingOn(query: RequestQuery, behind: string | null): RequestQuery {
  if (behind === null) return query;
  return isOnward(query) ? { ...query, after: behind } : { ...query, before: behind };
}

/** Whether the oldest are read first. */
function isOnward({ after }: RequestQuery): boolean {
  return after !== undefined;
}

/** What was found among some entries. */
interface Part {
  readonly entries: readonly StoredRequest[];
  /** The last that was looked at; null where there are no more. */
  readonly end: string | null;
}

function* readPart(tenant: string, query: RequestQuery): Steps<Part> {
  const { connection, run, status, since, requestId, after, before, limit } = query;
  // Ids begin with the time: what is older than asked for is not looked at.
  const places = sql`FROM request_log
    WHERE tenant = ${tenant}${where(connection, (value) => sql` AND connection = ${value}`)}${where(
      run,
      (value) => sql` AND run = ${value}`,
    )}${where(since, (value) => sql` AND id > ${beforeIdsOf(Date.parse(value))}`)}${where(
      after,
      (value) => sql` AND id > ${value}`,
    )}${where(before, (value) => sql` AND id < ${value}`)}`;
  const [order, within] = isOnward(query) ? [sql`id`, sql`<=`] : [sql`id DESC`, sql`>=`];
  const isIndexed = status === undefined && requestId === undefined;
  const end = isIndexed
    ? null
    : yield* idIn(sql`SELECT id ${places} ORDER BY ${order} LIMIT 1 OFFSET ${LOOKS - 1}`);
  const { rows }: Answer = yield sql`SELECT run, entry ${places}${where(
    end ?? undefined,
    (value) => sql` AND id ${within} ${value}`,
  )}${where(status, ({ from, to }) => sql` AND status BETWEEN ${from} AND ${to}`)}${where(
    since,
    (value) => sql` AND at >= ${value}`,
  )}${where(requestId, (value) => sql` AND request = ${value}`)} ORDER BY ${order} LIMIT ${limit}`;
  return { entries: rows.map(requestOf), end };
}

function* idIn(query: Sql): Steps<string | null> {
  const { rows }: Answer = yield query;
  const [row] = rows;
  return row === undefined ? null : textOf(row, "id");
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
