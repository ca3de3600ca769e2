/**
 * Settings of what the server tells of itself to those who run it.
 * @module
 */
import { readTenantNames } from "./forms.ts";
import { choice, text, type Setting } from "./setting.ts";

/** Metrics and traces, by key. */
export const OBSERVING_SETTINGS = {
  metrics: choice({
    doc: "Whether `/metrics` is served, in the text form of Prometheus: `admin` to the token of an admin, `open` to everybody who reaches the port.",
    fallback: "off",
    words: ["off", "admin", "open"],
  }),
  "metrics.tenants": text({
    doc: "Tenants that metrics name, with their connections; all others are counted together as `other`.",
    bound: "at most 100 names separated by commas",
    read: readTenantNames,
    fallback: "default",
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
