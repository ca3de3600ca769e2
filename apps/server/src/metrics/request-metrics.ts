/**
 * Metrics of requests, made of what the access log knows of them: no value that a client wrote is a label.
 * @module
 */
import type { RequestRecord } from "@scim/http";
import { ERROR_CODES } from "@scim/schemas";
import type { ConnectionName } from "@scim/tenancy";
import type { Registry } from "prom-client";
import {
  type CallerLabels,
  createCallerLabels,
  createRouteLabels,
  methodLabel,
  NONE,
  OTHER,
  statusLabel,
  STATUSES,
} from "./label-values.ts";
import type { Prometheus } from "./prometheus.ts";

/** Bounds of the time that answers take, in seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The switch that drops attributes which no schema names. */
const DROPS = "unknown-attributes";

/** What metrics of requests are made with. */
export interface RequestMetricsOptions {
  readonly prometheus: Prometheus;
  readonly registry: Registry;
  /** Tenants that have a label of their own. */
  readonly tenants: ReadonlySet<string>;
  /** Endpoints of the resource types of the service, such as `/Users`. */
  readonly endpoints: ReadonlySet<string>;
  /** Told of each connection that gets a label, once. */
  readonly onCaller?: (caller: CallerLabels) => void;
}

/** Metrics of requests. */
export interface RequestMetrics {
  /** Counts a request. */
  readonly onRequestDone: (record: RequestRecord) => void;
  /** Begins to count what a connection may do, before it sends anything. */
  readonly expect: (connection: ConnectionName) => void;
}

/** Makes the metrics of requests. */
export function createRequestMetrics(options: RequestMetricsOptions): RequestMetrics {
  const metrics = defineMetrics(options);
  beginAtNothing(metrics, options.tenants);
  const callerOf = createCallerLabels(options.tenants, (caller) => {
    metrics.dropped.inc({ ...caller }, 0);
    options.onCaller?.(caller);
  });
  const routeOf = createRouteLabels(options.endpoints);
  const begun = new Set<string>();
  /** Which forms of address there are is known when they are asked for. */
  function begin(route: string, method: string): void {
    const key = `${method} ${route}`;
    if (begun.has(key)) return;
    begun.add(key);
    for (const status of STATUSES) metrics.requests.inc({ route, method, status }, 0);
  }
  const onRequestDone = (record: RequestRecord): void => {
    const { status, durationMs } = record;
    const route = routeOf(record.route);
    const method = methodLabel(record.method);
    const caller = callerOf(record.tenant, record.connection);
    const { tenant } = caller;
    metrics.secondsOfTenants.inc({ tenant }, durationMs / 1000);
    // Nobody was answered, and nothing failed but the client's patience or line.
    if (record.aborted) metrics.aborted.inc();
    else {
      begin(route, method);
      metrics.requests.inc({ route, method, status: statusLabel(status) });
      metrics.durations.observe({ route, method }, durationMs / 1000);
      metrics.ofTenants.inc({ tenant, status: statusLabel(status) });
      if (record.errorCode !== null) metrics.errors.inc({ code: record.errorCode });
    }
    if (record.late) metrics.late.inc();
    for (const { errorCode } of record.failedOperations) metrics.failedOperations.inc({ code: errorCode });
    if (record.filterPlan !== null) metrics.unpushed.inc({ tenant });
    for (const { name } of record.switches) {
      metrics.switches.inc({ ...caller, switch: name });
      if (name === DROPS) metrics.dropped.inc({ ...caller });
    }
  };
  return { onRequestDone, expect: ({ tenant, connection }) => void callerOf(tenant, connection) };
}

/** Begins the series that are known in advance: of one that begins above nothing, Prometheus sees no increase. */
function beginAtNothing(metrics: ReturnType<typeof defineMetrics>, tenants: ReadonlySet<string>): void {
  for (const tenant of [...tenants, OTHER, NONE]) {
    for (const status of STATUSES) metrics.ofTenants.inc({ tenant, status }, 0);
    metrics.unpushed.inc({ tenant }, 0);
  }
  for (const code of Object.keys(ERROR_CODES)) {
    metrics.errors.inc({ code }, 0);
    metrics.failedOperations.inc({ code }, 0);
  }
}

/** Names, meanings and labels. */
// The types of the metrics follow from their labels.
function defineMetrics({ prometheus: { Counter, Histogram }, registry }: RequestMetricsOptions) {
  const registers = [registry];
  return {
    requests: new Counter({
      name: "scim_http_requests_total",
      help: "Requests answered, by form of address, method and class of status.",
      labelNames: ["route", "method", "status"],
      registers,
    }),
    durations: new Histogram({
      name: "scim_http_request_duration_seconds",
      help: "Time from the first look at a request to its answer.",
      labelNames: ["route", "method"],
      buckets: SECONDS,
      registers,
    }),
    ofTenants: new Counter({
      name: "scim_tenant_requests_total",
      help: "Requests answered, by tenant; `none` had no valid token, `other` is every tenant without a label.",
      labelNames: ["tenant", "status"],
      registers,
    }),
    secondsOfTenants: new Counter({
      name: "scim_tenant_request_seconds_total",
      help: "Time that requests took, by tenant, those whose client went away among them.",
      labelNames: ["tenant"],
      registers,
    }),
    errors: new Counter({
      name: "scim_errors_total",
      help: "Requests answered with an error, by its code.",
      labelNames: ["code"],
      registers,
    }),
    failedOperations: new Counter({
      name: "scim_bulk_operations_failed_total",
      help: "Operations of bulk jobs that failed, by code of their error; of one job at most 100.",
      labelNames: ["code"],
      registers,
    }),
    aborted: new Counter({
      name: "scim_http_requests_aborted_total",
      help: "Requests whose client went away before the answer; they are in no other count of requests.",
      registers,
    }),
    late: new Counter({
      name: "scim_http_answers_cut_total",
      help: "Answers cut because their client took too long to read them.",
      registers,
    }),
    unpushed: new Counter({
      name: "scim_queries_filtered_beside_index_total",
      help: "Queries whose filter no index answered as a whole.",
      labelNames: ["tenant"],
      registers,
    }),
    switches: new Counter({
      name: "scim_switches_fired_total",
      help: "Tolerances that requests made use of, by connection; of one request the first 100, and the first of each switch.",
      labelNames: ["tenant", "connection", "switch"],
      registers,
    }),
    dropped: new Counter({
      name: "scim_attributes_dropped_total",
      help: "Attributes dropped because no schema names them, by connection; of one request at most 100.",
      labelNames: ["tenant", "connection"],
      registers,
    }),
  };
}
