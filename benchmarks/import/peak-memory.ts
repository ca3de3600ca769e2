/**
 * Tells at its end how much memory the process had at most. To be loaded before a program.
 * @module
 */
import { isMainThread } from "node:worker_threads";
import { ownPeakMiB } from "../process-memory.ts";

if (isMainThread) {
  process.on("exit", () => {
    process.stdout.write(`peak ${Math.round(ownPeakMiB())} MiB\n`);
  });
}
