/**
 * Settings of the request log.
 * @module
 */
import { RETENTION_DAYS } from "@scim/tenancy";
import { choice, integer, type Setting } from "./setting.ts";

/** What is logged of requests, and for how long, by key. */
export const REQUEST_SETTINGS = {
  "requests.log": choice({
    doc: "Whether requests and answers are logged, redacted, for `scim requests` and the admin API.",
    fallback: "on",
    words: ["on", "off"],
  }),
  "requests.maxSize": integer({
    doc: "How much of the request log each tenant keeps; the oldest entries go first.",
    fallback: 256,
    minimum: 1,
    maximum: 65_536,
    unit: "MiB",
  }),
  "retention.requests": integer({
    doc: "How long the request log keeps its entries.",
    fallback: 7,
    minimum: RETENTION_DAYS.requests.least,
    maximum: RETENTION_DAYS.requests.most,
    unit: "days",
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
