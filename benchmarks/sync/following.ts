/**
 * What a sync asks of a service when one user in a hundred changed, how long it takes, and how much memory.
 * @module
 */
import { execFile } from "node:child_process";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startOurs } from "../http/start.ts";
import type { Report } from "../report.ts";
import type { RunFigures } from "./one-run.ts";

const PROGRAM = fileURLToPath(new URL("one-run.ts", import.meta.url));
const PERCENT = 1;
/** Two for each change: what the resource is, and what it becomes. */
const MOST_REQUESTS = 2.5;
const MOST_MEBIBYTES = 250;
/** What lives must fit, however many users there are: without bounds, Node.js keeps garbage while the machine has room. */
const HEAP = ["--max-old-space-size=64", "--max-semi-space-size=8"];

/** Fills a service from a file, and follows changes of the file. */
export async function measureSync(report: Report, users: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "scim-bench-sync-"));
  const server = await startOurs();
  const token = (server.headers["authorization"] ?? "").slice("Bearer ".length);
  const run = async (changed: number, changes: number): Promise<RunFigures> => {
    await pipeline(Readable.from(people(users, changed)), createWriteStream(join(folder, "people.csv")));
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...HEAP,
      PROGRAM,
      server.base,
      token,
      folder,
    ]);
    // Printed by the program.
    const figures = JSON.parse(stdout) as RunFigures;
    if (figures.changes !== changes || figures.failures > 0)
      throw new Error(`${figures.changes} changes instead of ${changes}, ${figures.failures} failed.`);
    return figures;
  };
  try {
    const filled = await run(0, users);
    // The second run looks at what the first one made; from then on, changes alone are of interest.
    const looked = await run(0, 0);
    const changed = Math.ceil((users * PERCENT) / 100);
    const followed = await run(changed, changed);
    const what = `sync of ${users} users`;
    report.figure({ work: `${what}, all new`, value: users / filled.seconds, unit: "users/s", most: null });
    report.figure({
      work: `${what}, ${PERCENT} % changed, requests for each change`,
      value: followed.requests / changed,
      unit: "",
      most: MOST_REQUESTS,
    });
    report.figure({ work: `${what}, ${PERCENT} % changed`, value: followed.seconds, unit: "s", most: null });
    report.figure({
      work: `${what}, resident memory of a run at most, heap of 64 MiB`,
      value: Math.max(...[filled, looked, followed].map(({ peakMiB }) => peakMiB)),
      unit: "MiB",
      most: MOST_MEBIBYTES,
    });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function* people(users: number, changed: number): Generator<string, void, undefined> {
  yield "id,mail,title\n";
  for (let at = 0; at < users; at += 1) yield `${at},u${at}@example.com,${at < changed ? "Dr" : "Ms"}\n`;
}
