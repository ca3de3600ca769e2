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

const report = new Report();
const fdatasyncMs = measureFdatasync();
report.figure({ work: "one fdatasync", value: fdatasyncMs, unit: "ms", most: null });

const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== "--"),
  options: {
    users: { type: "string", default: "100000" },
    "sync-users": { type: "string", default: "3000" },
  },
  allowPositionals: true,
});
const [only] = positionals;
const wanted = (part: string): boolean => only === undefined || only === part;
if (wanted("filter")) measureParsing(report);
if (wanted("patch")) await measurePatch(report);
if (wanted("validate")) measureValidation(report);
if (wanted("types")) await measureStart(report);
if (wanted("bulk")) await measureBulk(report);
if (wanted("import")) await measureImport(report);
if (wanted("audit")) await measureAudit(report);
if (wanted("queries")) await measureQueries(report);
// `npm run bench -- scaling --users 1000000` takes some minutes and 10 GB of disk.
if (wanted("scaling")) await measureScaling(report, Number(values.users));
if (wanted("collections")) await measureCollections(report);
if (wanted("scan")) await measureScan(report);
if (wanted("tenants")) await measureTenants(report);
if (wanted("postgres")) await measurePostgres(report);
if (wanted("client")) await measureClient(report);
// `npm run bench -- sync --sync-users 100000` takes some minutes.
if (wanted("sync")) await measureSync(report, Number(values["sync-users"]));
if (wanted("http")) await measureServing(report, fdatasyncMs);

const about = { node: process.version, processor: cpus()[0]?.model, cores: cpus().length };
process.stdout.write(`${report.print()}\n\nNode ${about.node}, ${about.cores} × ${about.processor}\n`);
await report.write(new URL("results.json", import.meta.url), about);
