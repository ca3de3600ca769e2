/**
 * Traces by OpenTelemetry, sent as OTLP over HTTP. Nothing is registered for the whole process, so that an application
 * that is traced already stays as it is.
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { RequestRecord } from "@scim/http";
import { isScimError } from "@scim/schemas";
import {
  outcomeTeller,
  tellingExporter,
  type TracingListeners,
  type TracingOutcome,
} from "./telling-exporter.ts";
import { tracedService, tracedStore, type InSpan } from "./traced.ts";
import type { TracedRequest, Tracing } from "./tracing.ts";

/** Where traces go. */
export interface TracingOptions extends TracingListeners {
  /** Address of a collector: `http://127.0.0.1:4318/v1/traces`. */
  readonly endpoint: string;
  /** How many of a hundred requests are traced that no client has decided on. */
  readonly percent: number;
}

/** Milliseconds that the collector has: a stop must not wait long for one that hangs. */
const PATIENCE_MS = 2000;

/** A request that is under way. */
interface Traced {
  readonly span: Span;
  calls: number;
}

/** Begins to trace. */
export function createTracing(options: TracingOptions): Tracing {
  const outcome = outcomeTeller(options);
  const provider = providerOf(options, outcome);
  const tracer = provider.getTracer("@scim/server");
  const propagator = new W3CTraceContextPropagator();
  const underWay = new Map<string, Traced>();
  const active = new AsyncLocalStorage<{ readonly context: Context; readonly traced: Traced }>();

  const inSpan: InSpan = async ({ name, kind, attributes }, work) => {
    const parent = active.getStore();
    // What runs beside requests is no part of any.
    if (parent === undefined) return work();
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent.context);
    if (kind === "store") parent.traced.calls += 1;
    try {
      return await active.run({ ...parent, context: trace.setSpan(parent.context, span) }, work);
    } catch (error) {
      span.setAttribute("error.type", isScimError(error) ? error.code : "internal");
      if (!isScimError(error) || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };

  /** @param outer that of a request which leads to this one. Default: what the client tells */
  const begin = <Result>(
    { id, method, headers }: TracedRequest,
    work: () => Result,
    outer?: Context,
  ): Result => {
    const parent = outer ?? propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
    const traced: Traced = { span, calls: 0 };
    underWay.set(id, traced);
    return active.run({ context: trace.setSpan(parent, span), traced }, work);
  };

  return {
    handler: (handler) => ({ handle: (request) => begin(request, () => handler.handle(request)) }),
    within: (handler) => ({
      handle: (request) => begin(request, () => handler.handle(request), active.getStore()?.context),
    }),
    request: (request, work) => begin(request, work),
    service: (service) => tracedService(service, inSpan),
    store: (store) => tracedStore(store, inSpan),
    traceOf: (requestId) => underWay.get(requestId)?.span.spanContext().traceId ?? null,
    onRequestDone: (record) => {
      const traced = underWay.get(record.requestId);
      underWay.delete(record.requestId);
      if (traced !== undefined) endRequest(traced, record);
    },
    stop: () => provider.shutdown().catch(outcome.lost),
  };
}

const KINDS = { operation: SpanKind.INTERNAL, store: SpanKind.CLIENT } as const;

function providerOf({ endpoint, percent }: TracingOptions, outcome: TracingOutcome): TracerProvider {
  const otlp = new OTLPTraceExporter({ url: endpoint, timeoutMillis: PATIENCE_MS });
  const exporter = tellingExporter(otlp, outcome);
  return new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "scim" }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: PATIENCE_MS })],
  });
}

/** What the access log knows of a request, and no more: no address, no query, no value. */
function endRequest({ span, calls }: Traced, record: RequestRecord): void {
  const { method, route, status, errorCode, tenant, connection, credential, aborted } = record;
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    "http.request.method": method,
    "http.route": route,
    ...(aborted ? {} : { "http.response.status_code": status }),
    "scim.request_id": record.requestId,
    "scim.store.calls": calls,
    ...(tenant === null ? {} : { "scim.tenant": tenant }),
    ...(connection === null ? {} : { "scim.connection": connection }),
    ...(credential === null ? {} : { "scim.credential": credential }),
    ...(errorCode === null || aborted ? {} : { "error.type": errorCode }),
  });
  if (status >= 500 && !aborted) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
