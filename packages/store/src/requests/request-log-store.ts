/**
 * The request log in SQL, for any database that an executor runs statements on.
 * @module
 */
import type { RequestLogStore, RequestSource } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import {
  type Answer,
  type Executor,
  type Outcome,
  type Row,
  type Steps,
  textOf,
  textOrNullOf,
} from "../steps.ts";
import { addRequests } from "./add-requests.ts";
import { noteListening, OF_CONNECTIONS } from "./listening.ts";
import { purgeRequests } from "./purge-requests.ts";
import { listRequests, readRequest, readRequestIds, readRuns } from "./read-requests.ts";

/** Makes the request log of a database. */
export function createRequestLogStore(executor: Executor, dialect: Dialect): RequestLogStore {
  return {
    add: (batch) => executor.write(() => addRequests(dialect, batch)),
    list: (tenant, query) => listRequests(executor, tenant, query),
    find: (tenant, id) => executor.read(readRequest(tenant, id)),
    requestIds: (tenant, query) => executor.read(readRequestIds(tenant, query)),
    runs: (tenant, query) => executor.read(readRuns(tenant, query)),
    tenants: (after, limit) => executor.read(readTenants(after, limit)),
    listening: (at, pause) => executor.write(() => noteListening(at, pause)),
    sources: (tenant) => executor.read(readSources(tenant)),
    tellSilence: (source, at) => executor.write(() => tellSilence(source, at)),
    purge: (tenant, purge) => purgeRequests({ executor, dialect }, tenant, purge),
  };
}

/** The statement over all tenants. */
function* readTenants(after: string, limit: number): Steps<readonly string[]> {
  const { rows }: Answer =
    yield sql`SELECT DISTINCT tenant FROM request_sources WHERE tenant > ${after} AND ${OF_CONNECTIONS}
    ORDER BY tenant LIMIT ${limit}`;
  return rows.map((row) => textOf(row, "tenant"));
}

function* readSources(tenant: string): Steps<readonly RequestSource[]> {
  const { rows }: Answer = yield sql`SELECT tenant, connection, last, intervals, silence_told
    FROM request_sources WHERE tenant = ${tenant} AND ${OF_CONNECTIONS} ORDER BY connection`;
  return rows.map(sourceOf);
}

function sourceOf(row: Row): RequestSource {
  const intervals: unknown = JSON.parse(textOf(row, "intervals"));
  return {
    tenant: textOf(row, "tenant"),
    connection: textOf(row, "connection"),
    last: textOf(row, "last"),
    intervals: Array.isArray(intervals) ? intervals.filter((each) => typeof each === "number") : [],
    silenceTold: textOrNullOf(row, "silence_told"),
  };
}

function* tellSilence({ tenant, connection, last }: RequestSource, at: string): Steps<Outcome<boolean>> {
  const { changes }: Answer = yield sql`UPDATE request_sources SET silence_told = ${at}
    WHERE tenant = ${tenant} AND connection = ${connection} AND last = ${last} AND silence_told IS NULL`;
  return { keep: true, result: changes > 0 };
}
