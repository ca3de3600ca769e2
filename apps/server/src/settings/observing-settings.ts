/**
 * Settings of what the server tells of itself to those who run it.
 * @module
 */
import { readHttpAddress, readLabelledTenants } from "./forms.ts";
import { choice, integer, text, type Setting } from "./setting.ts";

/** Metrics and traces, by key. */
export const OBSERVING_SETTINGS = {
  metrics: choice({
    doc: "Whether `/metrics` is served, in the text form of Prometheus: `admin` to the token of an admin, `open` to everybody who reaches the port.",
    fallback: "off",
    words: ["off", "admin", "open"],
  }),
  "tracing.endpoint": text({
    doc: "Where traces go, as OTLP over HTTP: the address of an OpenTelemetry collector. Headers for it stand in `OTEL_EXPORTER_OTLP_HEADERS`. Default: no traces.",
    bound: "an http or https address, such as http://127.0.0.1:4318/v1/traces",
    read: readHttpAddress,
  }),
  "tracing.percent": integer({
    doc: "How many of a hundred requests are traced; where a client sends `traceparent`, it decides.",
    fallback: 100,
    minimum: 0,
    maximum: 100,
    unit: "percent",
  }),
  "metrics.tenants": text({
    doc: "Tenants that metrics name, with their connections; all others are counted together as `other`.",
    bound: "at most 100 names separated by commas, not other and none",
    read: readLabelledTenants,
    fallback: "default",
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
