/**
 * The metrics of a server: counted in each process, told for all of them by whichever is asked.
 * @module
 */
import type { RequestRecord } from "@scim/http";
import { createLoadMetrics, type LoadSources } from "./load-metrics.ts";
import type { MetricReport, Prometheus } from "./prometheus.ts";
import type { NoticeListener } from "../notices/notices.ts";
import { createNoticeMetrics, type NoticeMetricsOptions } from "./notice-metrics.ts";
import { createRequestMetrics } from "./request-metrics.ts";
import { askStore } from "./store-answers.ts";

/** What metrics are made of. */
export interface MetricsOptions extends LoadSources {
  readonly store: LoadSources["store"] & NoticeMetricsOptions["store"] & Parameters<typeof askStore>[0];
  /** Tenants that have a label of their own. */
  readonly tenants: ReadonlySet<string>;
  /** Endpoints of the resource types of the service. */
  readonly endpoints: ReadonlySet<string>;
  /** Where other processes serve the same port, asks all of them what they have counted. */
  readonly peers: PeerReports | null;
}

/** The reports of all processes that serve the port. */
export interface PeerReports {
  /** Says what this process answers when another asks. */
  answerWith(report: () => Promise<MetricReport>): void;
  /** Asks all processes, this one too. */
  collect(): Promise<readonly MetricReport[]>;
}

/** Metrics that are being counted. */
export interface Metrics {
  /** Counts a request. */
  readonly onRequestDone: (record: RequestRecord) => void;
  /** Counts what happens beside the requests. */
  readonly notices: NoticeListener;
  readonly contentType: string;
  /** Everything that was counted, in the text form of Prometheus. */
  text(): Promise<string>;
  /** Ends the counting. */
  stop(): void;
}

/** Sums of gauges that have labels, which `promtool check metrics` refuses by their names. */
const GAUGES_NAMED_AS_COUNTERS = [
  "nodejs_active_resources_total",
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
];

/** Begins to count. */
export async function createMetrics({
  tenants,
  endpoints,
  peers,
  ...sources
}: MetricsOptions): Promise<Metrics> {
  const prometheus: Prometheus = await import("prom-client");
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  for (const name of GAUGES_NAMED_AS_COUNTERS) registry.removeSingleMetric(name);
  const requests = createRequestMetrics({
    prometheus,
    registry,
    tenants,
    endpoints,
    onCaller: (caller) => notices.expect(caller),
  });
  const answers = askStore(sources.store);
  const stop = createLoadMetrics({ ...sources, answers, prometheus, registry });
  // Behind the load: what these ask the store for must not count as waiting for it.
  const notices = createNoticeMetrics({ prometheus, registry, tenants, store: sources.store, answers });
  peers?.answerWith(() => registry.getMetricsAsJSON());
  return {
    onRequestDone: requests.onRequestDone,
    // What was known before the start has series at once: of one that begins with its silence, Prometheus sees no increase.
    notices: { ...notices, onListened: requests.expect },
    contentType: registry.contentType,
    text: async () => {
      if (peers === null) return registry.metrics();
      const reports = await peers.collect();
      // The library's type asks for lists that may be changed; it changes none.
      return prometheus.AggregatorRegistry.aggregate(reports as MetricReport[]).metrics();
    },
    stop,
  };
}
