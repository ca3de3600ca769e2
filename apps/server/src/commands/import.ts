/**
 * `scim import`: brings resources of a file in.
 * @module
 */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { isScimError } from "@scim/schemas";
import { CommandFailure, EXIT, exitCodeOf, type ExitCode } from "../failure.ts";
import { print } from "../output.ts";
import { DroppedAttributes } from "../import/dropped-attributes.ts";
import { importOptions, type ImportFlags, type ImportOptions } from "../import/import-options.ts";
import { runImport, type ImportSummary } from "../import/run-import.ts";
import { openSource } from "../import/source/open-source.ts";
import { openOperator } from "../operator/operator.ts";
import { counted, grouped, startProgress } from "../progress/progress.ts";
import type { Settings } from "../settings/table.ts";
import { stoppable } from "../stop-on-signals.ts";

/** Runs `scim import`. */
export async function importCommand(
  settings: Settings,
  positionals: readonly string[],
  flags: ImportFlags,
): Promise<ExitCode> {
  const options = importOptions(positionals, flags);
  keepHeapSmall();
  return stoppable((signal) => importHere({ settings, options, flags, signal }));
}

interface ImportHere {
  readonly settings: Settings;
  readonly options: ImportOptions;
  readonly flags: ImportFlags;
  readonly signal: AbortSignal;
}

async function importHere({ settings, options, flags, signal }: ImportHere): Promise<ExitCode> {
  // Before a database is made for it.
  const source = await openSource(options, signal);
  const dropped = new DroppedAttributes();
  const { onSwitch } = dropped;
  const operator = await openOperator(settings, { ...flags, command: "scim import", onSwitch });
  const progress = startProgress("records");
  try {
    const summary = await runImport({ operator, source, options, progress, signal });
    progress.end();
    const { paths } = dropped;
    const document = { ...summaryOf(summary, options), ...(paths.length === 0 ? {} : { dropped: paths }) };
    print(flags, document, [told(summary, options), ...droppedText(paths)].join("\n"));
    return summary.rejected === 0 && !summary.stopped ? EXIT.ok : EXIT.failed;
  } catch (cause) {
    progress.end();
    if (!isScimError(cause) || exitCodeOf(cause.status) === EXIT.usage) throw cause;
    throw new CommandFailure(EXIT.failed, `${cause.message} ${resumeHint(options)}`, cause);
  } finally {
    await operator.close();
  }
}

/** Most room for what is new, in bytes: a batch and what comes of it fit well. */
const YOUNG_BYTES = 8_388_608;
const LOOK_MS = 20;

/** How much more is taken, in percent of what is in use, before what is old is collected. */
const GROWTH = 40;

/**
 * Almost all that an import makes is garbage soon. Left to itself, V8 makes room for it many times over, since that
 * saves some collections: it is told not to, and from some size on makes no more room for what is new.
 */
function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  const timer = setInterval(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    if (young === undefined || young.space_size < YOUNG_BYTES) return;
    setFlagsFromString("--semi-space-growth-factor=1");
    clearInterval(timer);
  }, LOOK_MS);
  timer.unref();
}

function summaryOf(summary: ImportSummary, { dryRun, report }: ImportOptions): object {
  return { ...summary, dryRun, report: summary.rejected > summary.unlisted ? report : null };
}

function told(summary: ImportSummary, options: ImportOptions): string {
  const { records, created, replaced, unchanged, rejected, resumedAt, begunAnew, stopped } = summary;
  const counts = [
    `${grouped(created)} created`,
    `${grouped(replaced)} replaced`,
    `${grouped(unchanged)} unchanged`,
    `${grouped(rejected)} rejected`,
  ].join(", ");
  const lines = [`${options.dryRun ? "Nothing was written. " : ""}${counted(records, "record")}: ${counts}.`];
  if (records === 0 && !stopped) lines.push("The source holds no record.");
  if (resumedAt > 0) lines.push(`Went on behind record ${grouped(resumedAt)} of an earlier run.`);
  if (begunAnew)
    lines.push(
      "Began anew: a run of this file that was stopped read it in another way (flags, mapping, profile or schemas).",
    );
  if (rejected > 0 && options.report !== null) lines.push(whereListed(summary, options.report));
  if (stopped) lines.push(`Stopped before the end. ${resumeHint(options)}`);
  return lines.join("\n");
}

/** Paths that are named to people. */
const NAMED = 20;

function droppedText(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const others = paths.length - NAMED;
  const more = others > 0 ? ` and ${grouped(others)} more; --json names them` : "";
  return [
    `No schema names these parts of records, and they were dropped: ${paths.slice(0, NAMED).join(", ")}${more}.`,
  ];
}

function whereListed({ rejected, unlisted }: ImportSummary, report: string): string {
  const elsewhere = "of the earlier run: its own report has these.";
  if (unlisted === 0) return `The rejected records are listed in ${report}.`;
  return unlisted === rejected
    ? `The rejected records are all ${elsewhere}`
    : `The rejected records are listed in ${report}, but for ${grouped(unlisted)} ${elsewhere}`;
}

function resumeHint({ isFile }: ImportOptions): string {
  return isFile
    ? "Run the same command again to go on where it stopped."
    : "Run it again: what is there already stays unchanged.";
}
