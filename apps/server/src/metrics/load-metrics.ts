/**
 * Metrics of what the process is busy with, asked for when they are read.
 * @module
 */
import type { CacheCounts } from "@scim/filter";
import type { Store, WaitingEvents } from "@scim/store/sqlite";
import type { Registry } from "prom-client";
import type { Prometheus } from "./prometheus.ts";
import type { StoreAnswers } from "./store-answers.ts";

/** What the figures come from. */
export interface LoadSources {
  readonly store: Pick<Store, "load" | "onCommit" | "waitingEvents">;
  /** How often each cache had what it was asked for. */
  readonly caches: () => Readonly<Record<string, CacheCounts>>;
  /** Rows that were removed because their time was over, by kind. */
  readonly purged: () => Readonly<Record<string, number>>;
  /** Tokens that end within thirty days. */
  readonly expiringTokens: () => number;
  /** Open connections of clients. */
  readonly clients: () => Promise<number>;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

/** What metrics of load are made with. */
export interface LoadMetricsOptions extends LoadSources {
  readonly prometheus: Prometheus;
  readonly registry: Registry;
  readonly answers: StoreAnswers;
}

/** Writes that share a transaction, up to the most that there may be. */
const WRITES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Makes the metrics of load. Returns what ends their counting. */
export function createLoadMetrics(options: LoadMetricsOptions): () => void {
  addGauges(options);
  addCaches(options);
  addPurged(options);
  addExpiringTokens(options);
  addWaitingEvents(options);
  const { prometheus, registry, store } = options;
  const commits = new prometheus.Histogram({
    name: "scim_store_commit_writes",
    help: "Writes that shared one transaction, and so one flush to the disk (SQLite).",
    buckets: WRITES,
    registers: [registry],
  });
  return store.onCommit((writes) => commits.observe(writes));
}

function addGauges({ prometheus: { Gauge }, registry, store, clients }: LoadMetricsOptions): void {
  const gauge = (name: string, help: string, read: () => number | Promise<number>): void => {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(await read());
        },
      }),
    );
  };
  gauge("scim_processes", "Processes that serve the port.", () => 1);
  gauge("scim_http_connections", "Open connections of clients.", clients);
  gauge("scim_scans_running", "Queries that go through resources now.", () => store.load().scans.running);
  gauge("scim_scans_waiting", "Queries that wait for their turn to.", () => store.load().scans.waiting);
  gauge(
    "scim_store_waiting",
    "Writes that wait for a transaction (SQLite), requests that wait for a session (PostgreSQL).",
    () => store.load().waiting,
  );
  if (store.load().sessions === null) return;
  gauge("scim_store_sessions", "Sessions to PostgreSQL.", () => store.load().sessions?.open ?? 0);
  gauge("scim_store_sessions_idle", "Sessions that no request uses.", () => store.load().sessions?.idle ?? 0);
}

function addCaches({ prometheus: { Counter }, registry, caches }: LoadMetricsOptions): void {
  const counter = (kind: keyof CacheCounts, help: string): void => {
    registry.registerMetric(
      new Counter({
        name: `scim_cache_${kind}_total`,
        help,
        labelNames: ["cache"],
        registers: [],
        collect() {
          // The caches count by themselves: what they tell replaces what was told before.
          this.reset();
          for (const [cache, counts] of Object.entries(caches())) this.inc({ cache }, counts[kind]);
        },
      }),
    );
  };
  counter("hits", "How often a cache had what it was asked for.");
  counter("misses", "How often it had not.");
}

function addPurged({ prometheus: { Counter }, registry, purged }: LoadMetricsOptions): void {
  registry.registerMetric(
    new Counter({
      name: "scim_purged_rows_total",
      help: "Rows removed because their time was over: of deleted resources, events, the audit log, the request log, tokens that are over.",
      labelNames: ["kind"],
      registers: [],
      collect() {
        // What was counted elsewhere replaces what was told before.
        this.reset();
        for (const [kind, rows] of Object.entries(purged())) this.inc({ kind }, rows);
      },
    }),
  );
}

/** Every process looks for them, and finds the same. */
function addExpiringTokens({ prometheus: { Gauge }, registry, expiringTokens }: LoadMetricsOptions): void {
  registry.registerMetric(
    new Gauge({
      name: "scim_tokens_expiring",
      help: "Tokens, and secrets of OAuth clients, that end within thirty days, as of the last look: there is one each day.",
      aggregator: "max",
      registers: [],
      collect() {
        this.set(expiringTokens());
      },
    }),
  );
}

/** The outbox is one for all processes: each tells of the same, and the greatest of their figures holds. */
function addWaitingEvents({
  prometheus: { Gauge },
  registry,
  store,
  answers,
  now,
}: LoadMetricsOptions): void {
  const waiting = answers.figure(() => store.waitingEvents());
  const gauge = (
    text: { readonly name: string; readonly help: string; readonly aggregator: "min" | "max" },
    read: () => Promise<number | null>,
  ): void => {
    registry.registerMetric(
      new Gauge({
        ...text,
        registers: [],
        async collect() {
          const value = await read();
          // A figure of a moment that is gone would hide that the store does not answer.
          if (value === null) this.remove();
          else this.set(value);
        },
      }),
    );
  };
  gauge(
    { name: "scim_store_up", help: "1 where the store answered at once, else 0.", aggregator: "min" },
    async () => ((await answers.isUp()) ? 1 : 0),
  );
  gauge(
    {
      name: "scim_events_waiting",
      help: "Events that have no position yet, of one tenant at most 10,000.",
      aggregator: "max",
    },
    async () => (await waiting())?.events ?? null,
  );
  gauge(
    {
      name: "scim_events_waiting_seconds",
      help: "For how long the first event without a position has waited: how late readers of events are.",
      aggregator: "max",
    },
    async () => secondsSince(await waiting(), now),
  );
}

function secondsSince(waiting: WaitingEvents | null, now: () => number): number | null {
  if (waiting === null) return null;
  return waiting.oldest === null ? 0 : Math.max(0, now() - Date.parse(waiting.oldest)) / 1000;
}
