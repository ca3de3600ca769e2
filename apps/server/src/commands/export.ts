/**
 * `scim export`: writes resources to a file or to standard output.
 * @module
 */
import { toldReading } from "../administration/told-command.ts";
import type { Environment } from "../command-table/arguments.ts";
import { csvForm } from "../export/csv-records.ts";
import { exportFormat } from "../export/export-format.ts";
import { jsonLine } from "../export/json-lines.ts";
import { refuseExisting, writeTarget } from "../export/write-target.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { modelNamed } from "../schemas/named-model.ts";
import { tellWritten } from "../output.ts";
import { openOperator, type Operator, type OperatorFlags } from "../operator/operator.ts";
import { counted, startProgress, type Progress } from "../progress/progress.ts";
import type { RemoteFlags } from "../remote/remote-flags.ts";
import type { Settings } from "../settings/table.ts";
import { exportRemote } from "./export-remote.ts";

/** The flags of `scim export`, as they were given. */
export interface ExportFlags extends OperatorFlags, RemoteFlags {
  readonly url?: string;
  readonly type?: string;
  readonly format?: string;
  readonly mapping?: string;
  readonly json?: boolean;
}

/** How it was called. */
export interface ExportCall {
  readonly flags: ExportFlags;
  readonly environment: Environment;
}

/** Runs `scim export`. */
export async function exportCommand(
  settings: Settings,
  positionals: readonly string[],
  { flags, environment }: ExportCall,
): Promise<ExitCode> {
  const [target = "-"] = positionals;
  refuseExisting(target);
  const { url } = flags;
  if (url !== undefined) return exportRemote({ url, target, flags, environment });
  const mapping = mappingOf(target, flags);
  const operator = await openOperator(settings, { ...flags, command: COMMAND });
  const progress = startProgress("resources");
  try {
    const count = { resources: 0 };
    const told = { command: COMMAND, about: aboutOf(operator, flags) };
    const work = (): Promise<void> =>
      writeTarget(target, piecesOf(operator, { flags, mapping, progress, count }));
    await toldReading(operator.store, told, { reader: flags, work }).finally(() => progress.end());
    return tellWritten(flags, { file: target, ...count }, `${counted(count.resources, "resource")}.`);
  } finally {
    await operator.close();
  }
}

const COMMAND = "scim export";

/** Whose resources are read, and of which type where it is one. */
function aboutOf({ context: { tenant } }: Operator, { type }: ExportFlags): string {
  return type === undefined ? tenant : `${tenant}/${type}`;
}

interface Export {
  readonly flags: ExportFlags;
  /** Path of the mapping of CSV; null for JSON lines. */
  readonly mapping: string | null;
  readonly progress: Progress;
  readonly count: { resources: number };
}

async function* piecesOf(
  { service, context, catalog }: Operator,
  { flags, mapping, progress, count }: Export,
): AsyncGenerator<string, void, undefined> {
  const csv = mapping === null ? null : csvForm(mapping, flags.type ?? null, catalog);
  const types = csv === null ? typesOf(flags, catalog) : [csv.type];
  if (csv !== null) yield csv.header;
  for (const type of types) {
    for await (const exported of service.exportResources(context, type)) {
      if (csv === null) yield* jsonLine(exported);
      else yield await csv.record(exported);
      count.resources += 1;
      progress.show({ done: count.resources, part: null, note: "" });
    }
  }
}

/**
 * The mapping of CSV; null for JSON lines.
 * @throws CommandFailure where one is given without the other
 */
function mappingOf(target: string, { format, mapping }: ExportFlags): string | null {
  const isCsv = exportFormat(target, format) === "csv";
  if (!isCsv && mapping !== undefined)
    throw new CommandFailure(EXIT.usage, "--mapping says what columns of CSV hold: give --format csv, too.");
  if (isCsv && mapping === undefined)
    throw new CommandFailure(
      EXIT.usage,
      "CSV needs --mapping, which says what its columns hold; for JSON lines, give --format jsonl.",
    );
  return mapping ?? null;
}

/** All types, users first: what others refer to comes before them. */
function typesOf({ type }: ExportFlags, catalog: Operator["catalog"]): readonly string[] {
  const models = catalog.models().filter(({ rows }) => rows === null);
  if (type === undefined) return models.map(({ name }) => name);
  return [modelNamed(models, type).name];
}
