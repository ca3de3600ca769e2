/**
 * Settings that bound what clients may load the server with: requests, and bytes of each.
 * @module
 */
import { integer, type Setting } from "./setting.ts";

const MIB = 1_048_576;

/** Bounds of requests and bodies, by key. */
export const LOAD_SETTINGS = {
  "client.headersTimeout": integer({
    doc: "How long the headers of a request may take to arrive; later it is answered 408.",
    fallback: 20_000,
    minimum: 100,
    maximum: 600_000,
    unit: "milliseconds",
  }),
  "client.requestTimeout": integer({
    doc: "How long a whole request, its body included, may take to arrive; later it is answered 408. One whose long body waits for half of it for its turn is answered 503.",
    fallback: 300_000,
    minimum: 100,
    maximum: 3_600_000,
    unit: "milliseconds",
  }),
  "client.idleTimeout": integer({
    doc: "How long nothing may move on a connection while a client sends its request or takes its answer; then it is cut. A client that waits for its answer, or for more of it, is not. More than `query.timeout`.",
    fallback: 120_000,
    minimum: 100,
    maximum: 3_600_000,
    unit: "milliseconds",
  }),
  "client.answerTimeout": integer({
    doc: "How long a client may take to read an answer that is made while it is sent, such as a Group with many members: its state of the database is held so long. Then the connection is cut.",
    fallback: 600_000,
    minimum: 100,
    maximum: 3_600_000,
    unit: "milliseconds",
  }),
  "client.keepAliveTimeout": integer({
    doc: "How long a connection without a request is kept: longer than the load balancer in front keeps it.",
    fallback: 72_000,
    minimum: 100,
    maximum: 3_600_000,
    unit: "milliseconds",
  }),
  "client.maxConnections": integer({
    doc: "Open connections of clients, in each process; more are closed at once.",
    fallback: 10_000,
    minimum: 1,
    maximum: 1_000_000,
    unit: "connections",
  }),
  "rate.perSecond": integer({
    doc: "Requests that a connection may send in each second, on the long run, unless it has a rate of its own; more are refused with 429. 0: as many as it likes.",
    fallback: 500,
    minimum: 0,
    maximum: 1_000_000,
    unit: "requests per second",
  }),
  "rate.burst": integer({
    doc: "Requests that a connection may send at once after a pause, unless it has a rate of its own.",
    fallback: 1000,
    minimum: 1,
    maximum: 1_000_000,
    unit: "requests",
  }),
  "body.maxBytes": integer({
    doc: "Greatest body of a request.",
    fallback: MIB,
    minimum: 16_384,
    maximum: 16 * MIB,
    unit: "bytes",
  }),
  "body.maxCollectionBytes": integer({
    doc: "Greatest body of a POST or PUT for types that hold references, such as Group. A PATCH may have 4 MiB of it.",
    fallback: 64 * MIB,
    minimum: 16_384,
    maximum: 64 * MIB,
    unit: "bytes",
  }),
  "bulk.maxOperations": integer({
    doc: "Most operations of a bulk job.",
    fallback: 1000,
    minimum: 1,
    maximum: 10_000,
    unit: "operations",
  }),
  "bulk.maxPayloadSize": integer({
    doc: "Greatest bulk job.",
    fallback: 4 * MIB,
    minimum: 16_384,
    maximum: 64 * MIB,
    unit: "bytes",
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
