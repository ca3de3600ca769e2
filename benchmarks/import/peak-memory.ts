/**
 * Tells at its end how much memory the process had at most. To be loaded before a program.
 * @module
 */
import { isMainThread } from "node:worker_threads";

const KIB_OF_MIB = 1024;

if (isMainThread) {
  process.on("exit", () => {
    const peak = Math.round(process.resourceUsage().maxRSS / KIB_OF_MIB);
    process.stdout.write(`peak ${peak} MiB\n`);
  });
}
