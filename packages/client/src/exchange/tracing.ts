/**
 * Spans of the requests, in the words of OpenTelemetry's conventions for HTTP clients. The client knows the shape of a
 * tracer alone.
 * @module
 */

/** What the client needs of a span; that of `@opentelemetry/api` fits. */
export interface ClientSpan {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
  setAttribute(key: string, value: string | number): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(): unknown;
}

/** What the client needs of a tracer; that of `@opentelemetry/api` fits. */
export interface ClientTracer {
  startSpan(
    name: string,
    options: { readonly kind: number; readonly attributes: Readonly<Record<string, string | number>> },
  ): ClientSpan;
}

/** `SpanKind.CLIENT` and `SpanStatusCode.ERROR` of OpenTelemetry. */
const CLIENT = 2;
const ERROR = 2;

/** An attempt that is told of. */
export interface TracedAttempt {
  readonly method: string;
  /** Path below the base address. */
  readonly path: string;
  /** 1 for the first time. */
  readonly attempt: number;
  readonly origin: string;
}

/** The span of an attempt, while it runs. */
export interface AttemptSpan {
  /** Headers by which the service continues the trace (W3C Trace Context). */
  readonly headers: Readonly<Record<string, string>>;
  answered(status: number): void;
  failed(reason: string): void;
}

/** Begins the span of an attempt; null without a tracer. Ids are left out of its name and attributes. */
export function startSpan(tracer: ClientTracer | undefined, attempt: TracedAttempt): AttemptSpan | null {
  if (tracer === undefined) return null;
  const template = templateOf(attempt.path);
  const { hostname, port } = new URL(attempt.origin);
  const span = tracer.startSpan(`${attempt.method} ${template}`, {
    kind: CLIENT,
    attributes: {
      "http.request.method": attempt.method,
      "url.template": template,
      "server.address": hostname,
      ...(port === "" ? {} : { "server.port": Number(port) }),
      ...(attempt.attempt > 1 ? { "http.request.resend_count": attempt.attempt - 1 } : {}),
    },
  });
  const { traceId, spanId, traceFlags } = span.spanContext();
  const fail = (reason: string): void => {
    span.setAttribute("error.type", reason);
    span.setStatus({ code: ERROR });
  };
  return {
    headers: { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}` },
    answered: (status) => {
      span.setAttribute("http.response.status_code", status);
      if (status >= 400) fail(String(status));
      span.end();
    },
    failed: (reason) => {
      fail(reason);
      span.end();
    },
  };
}

const PREFIX = /^(?:\/\.dry-run)?\/[^/]+/;

/** The form of an address: `/Users/{id}`. */
function templateOf(path: string): string {
  const collection = PREFIX.exec(path)?.[0] ?? "/";
  const rest = path.slice(collection.length);
  return rest === "" || rest.startsWith("/.") ? path : `${collection}/{id}`;
}
