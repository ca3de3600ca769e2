/**
 * What a sync asks of a service when one user in a hundred changed, and how long it takes.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScimClient } from "@scim/client";
import { fileSource, planSync, readMapping, SyncState } from "@scim/sync";
import { startOurs } from "../http/start.ts";
import type { Report } from "../report.ts";

const MAPPING = readMapping(
  `
resources:
  - type: User
    key: "{id}"
    match: externalId
    set:
      externalId: "{id}"
      userName: "{mail | lower}"
      title: "{title}"
      emails[type eq "work"].value: "{mail}"
    leavers: deactivate`,
  "mapping.yaml",
);
const PERCENT = 1;
/** Two for each change: what the resource is, and what it becomes. */
const MOST_REQUESTS = 2.5;

/** Fills a service from a file, and follows changes of the file. */
export async function measureSync(report: Report, users: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "scim-bench-sync-"));
  const server = await startOurs();
  let requests = 0;
  const client = createScimClient({
    baseUrl: server.base,
    auth: (server.headers["authorization"] ?? "").slice("Bearer ".length),
    onEvent: ({ kind }) => {
      if (kind === "request") requests += 1;
    },
  });
  const file = join(folder, "people.csv");
  const write = (changed: number): void => {
    const lines = Array.from(
      { length: users },
      (_, at) => `${at},u${at}@example.com,${at < changed ? "Dr" : "Ms"}`,
    );
    writeFileSync(file, `id,mail,title\n${lines.join("\n")}\n`);
  };
  const run = async (changes: number): Promise<{ readonly seconds: number; readonly requests: number }> => {
    requests = 0;
    const begun = performance.now();
    const { plan, apply } = await planSync({
      client,
      mapping: MAPPING,
      sources: { people: fileSource(file) },
      state: SyncState.read(join(folder, "state"), client.baseUrl),
      concurrency: 32,
    });
    const { failures } = await apply();
    if (plan.steps.length !== changes || failures.length > 0)
      throw new Error(`${plan.steps.length} changes instead of ${changes}, ${failures.length} failed.`);
    return { seconds: (performance.now() - begun) / 1000, requests };
  };
  try {
    write(0);
    const filled = await run(users);
    // The second run looks at what the first one made; from then on, changes alone are of interest.
    await run(0);
    const changed = Math.ceil((users * PERCENT) / 100);
    write(changed);
    const followed = await run(changed);
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
      work: `${what}, resident memory of the sync`,
      value: process.memoryUsage().rss / 1_048_576,
      unit: "MiB",
      most: null,
    });
  } finally {
    await Promise.all([client.close(), server.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}
