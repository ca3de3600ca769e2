/**
 * Settings of how a server ends.
 * @module
 */
import { integer, type Setting } from "./setting.ts";

/** The ends of a server, by key. */
export const STOP_SETTINGS = {
  "stop.delay": integer({
    doc: "How long a server that is told to stop goes on taking requests, while `/readyz` says that it stops: the time that a load balancer needs to send no more.",
    fallback: 0,
    minimum: 0,
    maximum: 300,
    unit: "seconds",
  }),
  "stop.timeout": integer({
    doc: "How long a stop waits for requests under way, after that.",
    fallback: 30,
    minimum: 0,
    maximum: 600,
    unit: "seconds",
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
