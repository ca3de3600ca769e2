/**
 * What the server tells of its requests to those who run it: the access log, and metrics and traces
 * where they are asked for.
 * @module
 */
import type { OperatorService } from "@scim/core";
import type { RequestRecord } from "@scim/http";
import { ADMIN_TENANT } from "@scim/tenancy";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Callers } from "../credentials/callers.ts";
import { accessLog } from "../http/access-log.ts";
import { admitReaders } from "../metrics/metrics-readers.ts";
import { addMetricsRoute } from "../metrics/metrics-route.ts";
import type { Metrics, PeerReports } from "../metrics/metrics.ts";
import type { Notices } from "../notices/notices.ts";
import type { OpenedStore } from "../store/open-store.ts";
import type { ServiceRegistries } from "../schemas/schema-registry.ts";
import type { PurgeCounts } from "../upkeep/purge-counts.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";
import type { Tracing } from "../tracing/tracing.ts";

/** What is observed. */
export interface ObservingOptions {
  readonly settings: Settings;
  readonly log: Logger;
  readonly opened: OpenedStore;
  readonly registries: Pick<ServiceRegistries, "of">;
  readonly service: Pick<OperatorService, "caches">;
  readonly callers: Callers;
  /** What was removed in time. */
  readonly purged: Pick<PurgeCounts, "counts">;
  readonly tracing: Tracing;
  readonly notices: Pick<Notices, "listen">;
  readonly peers?: PeerReports | undefined;
}

/** Those who observe. */
export interface Observing {
  /** Told of each request when it is answered. */
  readonly onRequestDone: (record: RequestRecord) => void;
  /** Adds the addresses that tell what was observed. */
  addRoutes(app: FastifyInstance): void;
  /** Ends it, and sends what is still to be sent. */
  stop(): Promise<void>;
}

/** Begins to observe. */
export async function startObserving(options: ObservingOptions): Promise<Observing> {
  const { settings, log, callers, tracing } = options;
  const logRequest = accessLog(log, (requestId) => tracing.traceOf(requestId));
  const tellLogAndTrace = (record: RequestRecord): void => {
    logRequest(record);
    tracing.onRequestDone(record);
  };
  if (settings.metrics === "off") {
    return { onRequestDone: tellLogAndTrace, addRoutes: () => undefined, stop: () => tracing.stop() };
  }
  const served: { app: FastifyInstance | null } = { app: null };
  const metrics = await startMetrics(options, () => clientsOf(served.app));
  options.notices.listen(metrics.notices);
  const admit =
    settings.metrics === "open"
      ? async () => undefined
      : admitReaders({ ...callers, now: () => performance.now() });
  return {
    onRequestDone: (record) => {
      tellLogAndTrace(record);
      metrics.onRequestDone(record);
    },
    addRoutes: (app) => {
      served.app = app;
      addMetricsRoute(app, { metrics, admit });
    },
    stop: () => {
      metrics.stop();
      return tracing.stop();
    },
  };
}

async function startMetrics(
  { settings, opened: { store }, registries, service, callers, purged, peers }: ObservingOptions,
  clients: () => Promise<number>,
): Promise<Metrics> {
  // Loaded on demand: most servers do without.
  const { createMetrics } = await import("../metrics/metrics.ts");
  return createMetrics({
    store,
    clients,
    purged: () => purged.counts(),
    expiringTokens: () => callers.expiringTokens(),
    caches: () => ({ ...service.caches(), tokens: callers.tokenCache() }),
    now: Date.now,
    tenants: new Set([...settings["metrics.tenants"], ADMIN_TENANT]),
    endpoints: new Set(
      registries
        .of(DEFAULT_TENANT)
        .resourceTypes()
        .map(({ endpoint }) => endpoint),
    ),
    peers: peers ?? null,
  });
}

/** Open connections of clients of this process. */
function clientsOf(app: FastifyInstance | null): Promise<number> {
  return new Promise((resolve) => {
    if (app === null) resolve(0);
    // A server that has stopped has none.
    else app.server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}
