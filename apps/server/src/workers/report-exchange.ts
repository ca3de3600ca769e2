/**
 * How workers learn what the others have counted: the primary process asks all of them for one.
 * @module
 */
import type { Worker } from "node:cluster";
import type { MetricReport } from "../metrics/prometheus.ts";
import { addedTotals } from "./added-totals.ts";
import { isCollect, isReported, type Collected, type Report } from "./messages.ts";

/** Milliseconds that a worker has to answer; after that, what it told last stands for it. */
const PATIENCE_MS = 2000;

/** Passes reports on, in the primary process. */
export class ReportExchange {
  readonly #workers = new Set<Worker>();
  readonly #last = new Map<Worker, MetricReport>();
  /** What workers counted that died. */
  #retired: MetricReport = [];
  readonly #waiting = new Map<number, (worker: Worker, report: MetricReport) => void>();
  #count = 0;

  /** Listens to a worker until it ends. */
  add(worker: Worker): void {
    this.#workers.add(worker);
    worker.on("message", (message: unknown) => {
      if (isCollect(message)) void this.#collectFor(worker, message.id);
      if (isReported(message)) this.#waiting.get(message.id)?.(worker, message.report);
    });
    worker.once("exit", () => this.#remove(worker));
  }

  #remove(worker: Worker): void {
    this.#workers.delete(worker);
    this.#retired = addedTotals(this.#retired, this.#last.get(worker) ?? []);
    this.#last.delete(worker);
  }

  async #collectFor(asking: Worker, id: number): Promise<void> {
    await this.#askAll();
    const reports = [...this.#last.values(), this.#retired];
    const answer: Collected = { kind: "collected", id, reports };
    // A worker that is gone meanwhile needs no answer.
    asking.send(answer, () => undefined);
  }

  /** Asks every worker. Resolves when all have answered, or their time is over. */
  async #askAll(): Promise<void> {
    this.#count += 1;
    const id = this.#count;
    const missing = new Set(this.#workers);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, PATIENCE_MS);
    this.#waiting.set(id, (worker, report) => {
      if (this.#workers.has(worker)) this.#last.set(worker, report);
      missing.delete(worker);
      if (missing.size === 0) resolve();
    });
    const question: Report = { kind: "report", id };
    for (const worker of missing) worker.send(question, () => undefined);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
  }
}
