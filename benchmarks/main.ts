/**
 * Runs every measurement and prints both sides of each, their ratio, and whether it meets its bar.
 * @module
 */
import { cpus } from "node:os";
import { measureBulk } from "./bulk/creating.ts";
import { measureFdatasync } from "./fdatasync.ts";
import { measureParsing } from "./filter/parsing.ts";
import { measureServing } from "./http/serving.ts";
import { measurePatch } from "./patch/patching.ts";
import { measureQueries } from "./queries/querying.ts";
import { Report } from "./report.ts";
import { measureStart } from "./types/starting.ts";
import { measureValidation } from "./validate/validating.ts";

const report = new Report();
const fdatasyncMs = measureFdatasync();
report.figure({ work: "one fdatasync", value: fdatasyncMs, unit: "ms", most: null });

const [only] = process.argv.slice(2);
const wanted = (part: string): boolean => only === undefined || only === part;
if (wanted("filter")) measureParsing(report);
if (wanted("patch")) await measurePatch(report);
if (wanted("validate")) measureValidation(report);
if (wanted("types")) await measureStart(report);
if (wanted("bulk")) await measureBulk(report);
if (wanted("queries")) await measureQueries(report);
if (wanted("http")) await measureServing(report, fdatasyncMs);

const about = { node: process.version, processor: cpus()[0]?.model, cores: cpus().length };
process.stdout.write(`${report.print()}\n\nNode ${about.node}, ${about.cores} × ${about.processor}\n`);
await report.write(new URL("results.json", import.meta.url), about);
