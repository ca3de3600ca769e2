/**
 * Runs every measurement and prints both sides of each, their ratio, and whether it meets its bar.
 * @module
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { measureAudit } from "./audit/writing.ts";
import { measureBulk } from "./bulk/creating.ts";
import { measureClient } from "./client/calling.ts";
import { measureCollections } from "./collections/large-groups.ts";
import { measureFdatasync } from "./fdatasync.ts";
import { measureParsing } from "./filter/parsing.ts";
import { measureServing } from "./http/serving.ts";
import { measureImport } from "./import/importing.ts";
import { measurePatch } from "./patch/patching.ts";
import { measurePostgres } from "./postgres/driving.ts";
import { measureQueries } from "./queries/querying.ts";
import { measureScaling } from "./queries/scaling.ts";
import { Report } from "./report.ts";
import { measureScan } from "./scan/scanning.ts";
import { measureSync } from "./sync/following.ts";
import { measureTenants } from "./tenants/starving.ts";
import { measureStart } from "./types/starting.ts";
import { measureValidation } from "./validate/validating.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== "--"),
  options: {
    users: { type: "string", default: "100000" },
    "sync-users": { type: "string", default: "3000" },
  },
  allowPositionals: true,
});
const report = new Report();
const fdatasyncMs = measureFdatasync();
report.figure({ work: "one fdatasync", value: fdatasyncMs, unit: "ms", most: null });

/** What is measured, part by part, in this order. */
const PARTS: ReadonlyMap<string, () => void | Promise<void>> = new Map([
  ["filter", () => measureParsing(report)],
  ["patch", () => measurePatch(report)],
  ["validate", () => measureValidation(report)],
  ["types", () => measureStart(report)],
  ["bulk", () => measureBulk(report)],
  ["import", () => measureImport(report)],
  ["audit", () => measureAudit(report)],
  ["queries", () => measureQueries(report)],
  // `npm run bench -- scaling --users 1000000` takes some minutes and 10 GB of disk.
  ["scaling", () => measureScaling(report, Number(values.users))],
  ["collections", () => measureCollections(report)],
  ["scan", () => measureScan(report)],
  ["tenants", () => measureTenants(report)],
  ["postgres", () => measurePostgres(report)],
  ["client", () => measureClient(report)],
  // `npm run bench -- sync --sync-users 100000` takes some minutes.
  ["sync", () => measureSync(report, Number(values["sync-users"]))],
  ["http", () => measureServing(report, fdatasyncMs)],
]);

const unknown = positionals.filter((name) => !PARTS.has(name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no part ${unknown.join(", ")}: there are ${[...PARTS.keys()].join(", ")}.\n`,
  );
  process.exit(2);
}
for (const [name, measure] of PARTS)
  if (positionals.length === 0 || positionals.includes(name)) await measure();

const about = { node: process.version, processor: cpus()[0]?.model, cores: cpus().length };
process.stdout.write(`${report.print()}\n\nNode ${about.node}, ${about.cores} × ${about.processor}\n`);
await report.write(new URL("results.json", import.meta.url), about);
