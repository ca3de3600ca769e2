import { spawn } from "node:child_process";
import type { Worker } from "node:cluster";
import { EventEmitter, once } from "node:events";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { MetricReport } from "../../src/metrics/prometheus.ts";
import { ReportExchange } from "../../src/workers/report-exchange.ts";

/** A worker that answers as it is told, and remembers what it was sent. */
function fakeWorker(report: () => readonly object[]) {
  const emitter = new EventEmitter();
  const collected = Promise.withResolvers<readonly MetricReport[]>();
  const send = (message: { kind: string; id: number; reports?: readonly MetricReport[] }): boolean => {
    if (message.kind === "report") {
      queueMicrotask(() => emitter.emit("message", { kind: "reported", id: message.id, report: report() }));
    }
    if (message.reports !== undefined) collected.resolve(message.reports);
    return true;
  };
  // The exchange uses of a worker no more than its events and `send`.
  const worker = Object.assign(emitter, { send }) as unknown as Worker;
  return {
    worker,
    collected: collected.promise,
    ask: () => emitter.emit("message", { kind: "collect", id: 1 }),
  };
}

const counter = (value: number): object => ({
  name: "requests",
  type: "counter",
  values: [{ labels: {}, value }],
});
const gauge = (value: number): object => ({
  name: "waiting",
  type: "gauge",
  values: [{ labels: {}, value }],
});

describe("what workers have counted", () => {
  test("is asked of all of them, for the one that was asked", async () => {
    const exchange = new ReportExchange();
    const one = fakeWorker(() => [counter(1)]);
    const two = fakeWorker(() => [counter(2)]);
    for (const { worker } of [one, two]) exchange.add(worker);
    two.ask();
    expect(await two.collected).toEqual([[counter(1)], [counter(2)], []]);
  });

  test("totals of a worker that died stay counted, what it was busy with does not", async () => {
    const exchange = new ReportExchange();
    const dying = fakeWorker(() => [counter(5), gauge(3)]);
    const first = fakeWorker(() => [counter(1), gauge(1)]);
    for (const { worker } of [dying, first]) exchange.add(worker);
    first.ask();
    await first.collected;
    dying.worker.emit("exit");
    const second = fakeWorker(() => [counter(2), gauge(2)]);
    exchange.add(second.worker);
    second.ask();
    expect(await second.collected).toEqual([[counter(1), gauge(1)], [counter(2), gauge(2)], [counter(5)]]);
  });

  test("totals never go down, however many workers die", async () => {
    const exchange = new ReportExchange();
    const series = (status: string, value: number): object => ({ labels: { status }, value });
    const bucket = (value: number): object => ({ metricName: "seconds_bucket", labels: { le: 1 }, value });
    const seconds = (value: number): object => ({
      name: "seconds",
      type: "histogram",
      values: [bucket(value)],
    });
    const requests = (...values: readonly object[]): object => ({
      name: "requests",
      type: "counter",
      values,
    });
    for (let died = 0; died < 200; died += 1) {
      const dying = fakeWorker(() => [requests(series(died < 100 ? "2xx" : "5xx", 1)), seconds(2)]);
      exchange.add(dying.worker);
      dying.ask();
      await dying.collected;
      dying.worker.emit("exit");
    }
    const last = fakeWorker(() => []);
    exchange.add(last.worker);
    last.ask();
    expect(await last.collected).toEqual([
      [],
      [requests(series("2xx", 100), series("5xx", 100)), seconds(400)],
    ]);
  });
});

/** A worker that is told to stop while it makes its report. */
const STOPPED = `
  const { createPeerReports } = await import(process.argv[1]);
  createPeerReports().answerWith(async () => {
    process.disconnect();
    return [];
  });
  process.send("begun");
`;

test("a worker that stops while it is asked ends without a failure", async () => {
  const module = new URL("../../src/workers/peer-reports.ts", import.meta.url).href;
  const args = ["--conditions=@scim/source", "--input-type=module", "--eval", STOPPED, module];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ended = once(child, "exit");
  await once(child, "message");
  child.send({ kind: "report", id: 1 });
  expect(await ended).toEqual([0, null]);
});
