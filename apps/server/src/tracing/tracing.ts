/**
 * Traces as a server uses them. Whether there are any is the operator's choice: what makes them is loaded on demand.
 * @module
 */
import type { OperatorService, ResourceStore } from "@scim/core";
import type { HttpRequest, RequestRecord, ScimHandler } from "@scim/http";
import type { Settings } from "../settings/table.ts";
import type { TracingListeners } from "./telling-exporter.ts";

/** What makes spans of requests, of what the service does for them, and of what it asks of the store. */
export interface Tracing {
  /** The handler, each of whose requests is a span; a `traceparent` of the client is its parent (W3C Trace Context). */
  handler(handler: ScimHandler): ScimHandler;
  /** A handler that a request under way asks on behalf of its client: what it is asked is a span below that request. */
  within(handler: ScimHandler): ScimHandler;
  /** Does the work of a request that is no SCIM in a span, until it is answered; its client is heeded as by the handler. */
  request(request: TracedRequest, work: () => void): void;
  /** The service, each of whose operations is a span below that of its request. */
  service(service: OperatorService): OperatorService;
  /** The store, each of whose calls is a span below that of its operation. */
  store(store: ResourceStore): ResourceStore;
  /** The trace of a request that is under way, for its line in the log; null where it has none. */
  traceOf(requestId: string): string | null;
  /** Ends the span of a request. */
  onRequestDone(record: RequestRecord): void;
  /** Sends what is still to be sent. */
  stop(): Promise<void>;
}

/** A request that is no SCIM. */
export interface TracedRequest {
  readonly id: string;
  readonly method: string;
  readonly headers: HttpRequest["headers"];
}

const NO_TRACING: Tracing = {
  request: (_request, work) => work(),
  handler: (handler) => handler,
  within: (handler) => handler,
  service: (service) => service,
  store: (store) => store,
  traceOf: () => null,
  onRequestDone: () => undefined,
  stop: async () => undefined,
};

/** Begins to trace where the settings say so. */
export async function startTracing(
  settings: Pick<Settings, "tracing.endpoint" | "tracing.percent">,
  listeners: TracingListeners,
): Promise<Tracing> {
  const endpoint = settings["tracing.endpoint"];
  if (endpoint === null) return NO_TRACING;
  const { createTracing } = await import("./open-telemetry.ts");
  return createTracing({ endpoint, percent: settings["tracing.percent"], ...listeners });
}
