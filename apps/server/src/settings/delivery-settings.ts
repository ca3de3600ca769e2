/**
 * Settings of deliveries to receivers of events.
 * @module
 */
import { choice, integer, type Setting } from "./setting.ts";

/** How events are delivered, by key. */
export const DELIVERY_SETTINGS = {
  "delivery.privateAddresses": choice({
    doc: "Whether receivers of events may be at addresses of private networks, of this machine and of links: whoever may make a receiver then reaches what the server reaches.",
    fallback: "refuse",
    words: ["refuse", "allow"],
  }),
  "delivery.plainHttp": choice({
    doc: "Whether receivers of events may be at `http:` addresses: anybody on the way reads what is sent.",
    fallback: "refuse",
    words: ["refuse", "allow"],
  }),
  "delivery.timeout": integer({
    doc: "How long a receiver may take to answer.",
    fallback: 10_000,
    minimum: 100,
    maximum: 60_000,
    unit: "milliseconds",
  }),
  "delivery.giveUpAfter": integer({
    doc: "How long an event is tried before it is a dead letter, and a receiver before it is disabled.",
    fallback: 72,
    minimum: 1,
    maximum: 720,
    unit: "hours",
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
