/**
 * The reports of all workers, as one of them asks for them.
 * @module
 */
import process from "node:process";
import type { PeerReports } from "../metrics/metrics.ts";
import type { MetricReport } from "../metrics/prometheus.ts";
import { isCollected, isReport, type Collect, type Reported } from "./messages.ts";

/** Milliseconds until the primary process must have answered; it gives workers less. */
const PATIENCE_MS = 5000;

/** Asks through the primary process. */
export function createPeerReports(): PeerReports {
  const waiting = new Map<number, (reports: readonly MetricReport[]) => void>();
  let count = 0;
  process.on("message", (message: unknown) => {
    if (isCollected(message)) waiting.get(message.id)?.(message.reports);
  });
  return {
    answerWith: (report) => {
      process.on("message", (message: unknown) => {
        if (isReport(message)) void answer(message.id, report);
      });
    },
    collect: () => {
      count += 1;
      const id = count;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new Error("The primary process does not tell what the workers have counted"));
        }, PATIENCE_MS);
        waiting.set(id, (reports) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(reports);
        });
        const question: Collect = { kind: "collect", id };
        tellPrimary(question);
      });
    },
  };
}

async function answer(id: number, report: () => Promise<MetricReport>): Promise<void> {
  const told: Reported = { kind: "reported", id, report: await report() };
  tellPrimary(told);
}

/** Where the channel is closed, this process is at its end: nobody waits for what it says. */
function tellPrimary(message: Collect | Reported): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
