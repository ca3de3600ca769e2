/**
 * One run of a sync, in a process of its own: what it asked for, how long it took, and how much memory it had at most.
 * @module
 */
import { join } from "node:path";
import { createScimClient } from "@scim/client";
import { fileSource, planSync, readMapping, SyncState } from "@scim/sync";
import { ownPeakMiB } from "../process-memory.ts";

/** What a run says at its end, as a line of JSON. */
export interface RunFigures {
  readonly changes: number;
  readonly failures: number;
  readonly requests: number;
  readonly seconds: number;
  readonly peakMiB: number;
}

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

const [, , baseUrl = "", auth = "", folder = ""] = process.argv;
const begun = performance.now();
let requests = 0;
const client = createScimClient({
  baseUrl,
  auth,
  onEvent: ({ kind }) => {
    if (kind === "request") requests += 1;
  },
});
const { plan, apply } = await planSync({
  client,
  mapping: MAPPING,
  sources: { people: fileSource(join(folder, "people.csv")) },
  state: SyncState.read(join(folder, "state"), client.baseUrl),
  concurrency: 32,
});
const { failures } = await apply();
await client.close();
const figures: RunFigures = {
  changes: plan.steps.length,
  failures: failures.length,
  requests,
  seconds: (performance.now() - begun) / 1000,
  peakMiB: ownPeakMiB(),
};
console.log(JSON.stringify(figures));
