/**
 * Adds entries to the request log, each to the run that it belongs to. The row of the connection is held meanwhile, so
 * that processes that serve one connection agree where a run begins.
 * @module
 */
import type { LoggedRequest, RequestBatch } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Outcome, PAUSE, type Row, type Steps, textOf } from "../steps.ts";
import { withoutErased } from "./erased-lately.ts";

/** Intervals between runs that are remembered. */
const MOST_INTERVALS = 10;

/** Milliseconds that an entry is held at most until it is added (one hour): what is later still was noted while a clock was ahead. */
const LONGEST_HELD_MS = 3_600_000;

/** Entries that are added at once: less than half a millisecond. */
const AT_ONCE = 32;

/** Adds a batch. */
export function* addRequests(dialect: Dialect, batch: RequestBatch): Steps<Outcome<void>> {
  const { tenant, connection } = batch;
  yield sql`INSERT INTO request_sources (tenant, connection, run, begun, last, intervals)
    VALUES (${tenant}, ${connection}, '', '', '', '[]') ON CONFLICT DO NOTHING`;
  const { rows }: Answer = yield sql`SELECT run, begun, last, intervals FROM request_sources
    WHERE tenant = ${tenant} AND connection = ${connection} ${dialect.lockedRows}`;
  const kept = yield* withoutErased(dialect, batch);
  const runs = new Runs({ ...batch, entries: kept }, rows[0]);
  const skipped = batch.skipped + batch.entries.length - kept.length;
  for (let first = 0; first < kept.length; first += AT_ONCE) {
    if (first > 0) yield PAUSE;
    const some = kept.slice(first, first + AT_ONCE);
    yield { batch: some.map((entry) => ({ statement: insertion(entry, runs) })) };
  }
  const grown = runs.all();
  // What was skipped is told once, of the last run.
  for (const run of grown) yield addToRun(batch, run, run === grown.at(-1) ? skipped : 0);
  yield runs.source();
  return { keep: true, result: undefined };
}

function insertion(entry: LoggedRequest, runs: Runs): Sql {
  const { tenant, id, at, connection, status, requestId, type, resource } = entry;
  const text = JSON.stringify(entry);
  const run = runs.take(entry, text.length);
  return sql`INSERT INTO request_log
      (tenant, id, at, connection, run, status, request, type, resource, size, entry)
    VALUES (${tenant}, ${id}, ${at}, ${connection}, ${run}, ${status}, ${requestId}, ${type}, ${resource},
      ${text.length}, ${text})
    ON CONFLICT DO NOTHING`;
}

/** What comes to a run. */
interface RunGrowth {
  readonly run: string;
  begun: string;
  ended: string;
  requests: number;
  failed: number;
  size: number;
}

function addToRun({ tenant, connection }: RequestBatch, run: RunGrowth, skipped: number): Sql {
  return sql`INSERT INTO request_runs
      (tenant, run, connection, begun, ended, requests, failed, skipped, size)
    VALUES (${tenant}, ${run.run}, ${connection}, ${run.begun}, ${run.ended}, ${run.requests}, ${run.failed},
      ${skipped}, ${run.size})
    ON CONFLICT (tenant, run) DO UPDATE SET
      begun = CASE WHEN request_runs.begun > excluded.begun THEN excluded.begun ELSE request_runs.begun END,
      ended = CASE WHEN request_runs.ended < excluded.ended THEN excluded.ended ELSE request_runs.ended END,
      requests = request_runs.requests + excluded.requests, failed = request_runs.failed + excluded.failed,
      skipped = request_runs.skipped + excluded.skipped, size = request_runs.size + excluded.size`;
}

/** Finds the run of each entry, and what the connection's row says afterwards. */
class Runs {
  readonly #batch: RequestBatch;
  readonly #grown = new Map<string, RunGrowth>();
  readonly #intervals: number[];
  #run: string;
  #begun: string;
  #last: string;

  constructor(batch: RequestBatch, row: Row | undefined) {
    this.#batch = batch;
    this.#run = row === undefined ? "" : textOf(row, "run");
    this.#begun = row === undefined ? "" : textOf(row, "begun");
    this.#last = row === undefined ? "" : textOf(row, "last");
    const intervals: unknown = row === undefined ? [] : JSON.parse(textOf(row, "intervals"));
    this.#intervals = Array.isArray(intervals) ? intervals.filter((each) => typeof each === "number") : [];
    // What was skipped belongs to the run under way, where no entry comes along.
    if (batch.entries.length === 0 && this.#run !== "") this.#grow(this.#last);
  }

  /** The run of an entry. */
  take({ id, at, status }: LoggedRequest, size: number): string {
    const since = Date.parse(at) - Date.parse(this.#last);
    if (this.#run === "" || since > this.#batch.pause || since < -LONGEST_HELD_MS) this.#begin(id, at);
    if (at > this.#last) this.#last = at;
    // Another process may have added what was answered later.
    if (at < this.#begun && Date.parse(this.#begun) - Date.parse(at) <= this.#batch.pause) this.#begun = at;
    const grown = this.#grow(at);
    grown.begun = this.#begun;
    grown.requests += 1;
    if (status >= 400) grown.failed += 1;
    grown.size += size;
    return this.#run;
  }

  all(): readonly RunGrowth[] {
    return [...this.#grown.values()];
  }

  /** What the row of the connection becomes. A request ends its silence. */
  source(): Sql {
    const { tenant, connection } = this.#batch;
    const intervals = JSON.stringify(this.#intervals.slice(-MOST_INTERVALS));
    return sql`UPDATE request_sources SET run = ${this.#run}, begun = ${this.#begun}, last = ${this.#last},
        intervals = ${intervals}, silence_told = NULL
      WHERE tenant = ${tenant} AND connection = ${connection}`;
  }

  #begin(id: string, at: string): void {
    const interval = Date.parse(at) - Date.parse(this.#begun);
    if (interval > 0) this.#intervals.push(interval);
    this.#run = `run-${id}`;
    this.#begun = at;
    this.#last = at;
  }

  #grow(at: string): RunGrowth {
    const known = this.#grown.get(this.#run);
    if (known !== undefined) {
      if (at > known.ended) known.ended = at;
      return known;
    }
    const grown = { run: this.#run, begun: this.#begun, ended: at, requests: 0, failed: 0, size: 0 };
    this.#grown.set(this.#run, grown);
    return grown;
  }
}
