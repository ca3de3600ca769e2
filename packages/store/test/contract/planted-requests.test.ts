import { REQUEST_LOG_CONTRACT } from "@scim/events/testing";
import { expect, test } from "vitest";
import { ANYWHERE, LIMIT, type Planted, violations } from "../support/planted-statements.ts";

const TENANTS = "SELECT DISTINCT tenant FROM request_sources";
const SOURCES = "SELECT tenant, connection, last, intervals, silence_told";
const LISTEN =
  "INSERT INTO request_sources (tenant, connection, run, begun, last, intervals) VALUES (?, ?, '', ?, ?";
const TELL = "UPDATE request_sources SET silence_told = ?";
const SOURCE = "SELECT run, begun, last, intervals FROM request_sources";
const ADVANCE = "UPDATE request_sources SET run = ?";
const GROW = "INSERT INTO request_runs";
const FIND = "SELECT run, entry FROM request_log WHERE tenant = ? AND id = ?";
const LIST = "SELECT run, entry FROM request_log";
const RUNS = "SELECT run, connection, begun, ended, requests";
const OLD_RUN = "SELECT run FROM request_runs";
const SIZE = "SELECT CAST(COALESCE(SUM(size), 0) AS bigint) AS size FROM request_runs";
const OLDEST = "SELECT id, at, size FROM request_log";
const DELETE = "DELETE FROM request_log WHERE tenant = ? AND id IN";
const SHRINK = "UPDATE request_runs SET size";
const DELETE_RUNS = "DELETE FROM request_runs";
const ERASED = "SELECT id, at FROM erased_lately";

/** Bugs of request logs. */
const PLANTED: Planted = [
  ["requests/sources", "lists no tenants behind one", [TENANTS, "tenant > ?", "tenant >= ?"]],
  ["requests/sources", "lists tenants twice", [TENANTS, "DISTINCT ", ""]],
  ["requests/sources", "lists more tenants than it may", [TENANTS, LIMIT, `${LIMIT} + 1`]],
  ["requests/sources", "lists tenants backwards", [TENANTS, "ORDER BY tenant", "ORDER BY tenant DESC"]],
  ["requests/apart", "tells the habits of every tenant's", [SOURCES, "tenant = ?", ANYWHERE]],
  [
    "requests/sources",
    "lists connections backwards",
    [SOURCES, "ORDER BY connection", "ORDER BY connection DESC"],
  ],
  [
    "requests/listening",
    "lists the service as a connection",
    [SOURCES, " AND connection <> ?", " AND connection <> ? || 'x'"],
  ],
  [
    "requests/listening",
    "lists the tenant of the service",
    [TENANTS, "connection <> ?", "connection <> ? || 'x'"],
  ],
  ["requests/listening", "never begins anew", [LISTEN, "last < ? OR", "last < ? AND 1 = 0 OR"]],
  [
    "requests/listening",
    "goes back with a clock",
    [LISTEN, "request_sources.last < excluded.last OR", "1 = 1 OR"],
  ],
  ["requests/apart", "tells silence in every tenant", [TELL, "tenant = ?", ANYWHERE]],
  [
    "requests/apart",
    "tells silence of every connection",
    [TELL, "connection = ? AND last = ?", "connection <> ? OR last <> ?"],
  ],
  ["requests/silence", "tells silence where a request came", [TELL, "last = ?", ANYWHERE]],
  ["requests/silence", "tells silence twice", [TELL, " AND silence_told IS NULL", ""]],
  ["requests/silence", "is told for good", [ADVANCE, ", silence_told = NULL", ""]],
  ["requests/apart", "goes on with the run of another tenant", [SOURCE, "tenant = ?", ANYWHERE]],
  ["requests/apart", "goes on with the run of another connection", [SOURCE, "connection = ?", ANYWHERE]],
  ["requests/apart", "advances every tenant's", [ADVANCE, /tenant = \?/, ANYWHERE]],
  ["requests/apart", "advances every connection's", [ADVANCE, /connection = \?/, ANYWHERE]],
  [
    "requests/runs",
    "lets a run end with what came last",
    [GROW, /ended = CASE .*? END/, "ended = excluded.ended"],
  ],
  ["requests/runs", "lets a run begin with what came first", [GROW, /begun = CASE .*? END, /, ""]],
  [
    "requests/runs",
    "counts requests of the last batch",
    [GROW, "request_runs.requests + excluded", "excluded"],
  ],
  [
    "requests/runs",
    "counts failures of the last batch",
    [GROW, "request_runs.failed + excluded", "excluded"],
  ],
  ["requests/runs", "counts what was skipped last", [GROW, "request_runs.skipped + excluded", "excluded"]],
  ["requests/purge", "knows the size of the last batch", [GROW, "request_runs.size + excluded", "excluded"]],
  ["requests/apart", "finds every tenant's", [FIND, "tenant = ?", ANYWHERE]],
  ["requests/kept", "finds any entry", [FIND, "id = ?", ANYWHERE]],
  ["requests/apart", "lists every tenant's", [LIST, "tenant = ?", ANYWHERE]],
  ["requests/query", "lists every connection's", [LIST, "connection = ?", ANYWHERE]],
  ["requests/query", "lists every run's", [LIST, "run = ?", ANYWHERE]],
  ["requests/query", "lists outcomes from a bound on", [LIST, "status BETWEEN ?", "status > ?"]],
  ["requests/query", "lists what was before an instant", [LIST, "at >= ?", ANYWHERE]],
  ["requests/query", "lists what was behind an instant", [LIST, "at >= ?", "at > ?"]],
  ["requests/query", "lists every request", [LIST, "request = ?", ANYWHERE]],
  ["requests/paged", "begins a page with the end of the one before", [LIST, "id > ?", "id >= ?"]],
  ["requests/paged", "ends a page with the begin of the one behind", [LIST, "id < ?", "id <= ?"]],
  ["requests/paged", "lists the oldest first", [LIST, "id DESC", "id"]],
  ["requests/paged", "lists more than it may", [LIST, LIMIT, `${LIMIT} + 1`]],
  ["requests/apart", "lists runs of every tenant", [RUNS, "tenant = ?", ANYWHERE]],
  ["requests/apart", "lists runs of every connection", [RUNS, "connection = ?", ANYWHERE]],
  ["requests/runs", "lists other runs", [RUNS, "run = ?", ANYWHERE]],
  ["requests/runs", "lists runs that ended behind an instant", [RUNS, "ended >= ?", "ended > ?"]],
  ["requests/runs", "lists runs by when they began", [RUNS, "ended >= ?", "begun >= ?"]],
  ["requests/runs", "begins a page of runs with the end of the one before", [RUNS, "run < ?", "run <= ?"]],
  ["requests/runs", "lists the oldest runs first", [RUNS, "run DESC", "run"]],
  ["requests/runs", "lists more runs than it may", [RUNS, LIMIT, `${LIMIT} + 1`]],
  ["requests/apart", "purges by the age of other tenants' runs", [OLD_RUN, "tenant = ?", "tenant < ?"]],
  ["requests/purge", "does not see that a run is old", [OLD_RUN, "begun < ?", "ended < ?"]],
  ["requests/apart", "purges by the size of every tenant's", [SIZE, "tenant = ?", ANYWHERE]],
  ["requests/apart", "purges the oldest of any tenant", [OLDEST, "tenant = ?", ANYWHERE]],
  ["requests/purge", "purges the newest", [OLDEST, "ORDER BY id", "ORDER BY id DESC"]],
  ["requests/purge", "purges more than it may", [OLDEST, LIMIT, `${LIMIT} + 1`]],
  ["requests/apart", "purges an id in every tenant", [DELETE, "tenant = ?", ANYWHERE]],
  ["requests/purge", "keeps the size of what went", [SHRINK, "size = size - ", "size = size - 0 * "]],
  ["requests/purge", "takes the size of what went from every run", [SHRINK, "run = ?", ANYWHERE]],
  ["requests/apart", "takes the size of what went in every tenant", [SHRINK, "tenant = ?", ANYWHERE]],
  [
    "requests/purge",
    "removes runs of which entries are left",
    [DELETE_RUNS, "run IS DISTINCT FROM", "run IS NOT NULL OR ? IS DISTINCT FROM"],
  ],
  ["requests/purge", "keeps runs of which none is left", [DELETE_RUNS, "ended < ?", "ended = ?"]],
  ["requests/apart", "removes runs of every tenant", [DELETE_RUNS, /tenant = \?/, ANYWHERE]],
  ["requests/erased", "forgets who was erased", [ERASED, "tenant = ?", "'' = ?"]],
  ["requests/erased", "erases in every tenant", [ERASED, "tenant = ?", ANYWHERE]],
];

test.each(PLANTED)("%s finds out a store that %s", async (rule, _, plant) => {
  expect(await violations(REQUEST_LOG_CONTRACT, rule, plant)).toContain("broken");
});
