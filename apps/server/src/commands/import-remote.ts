/**
 * `scim import --url`: brings the resources of a file into a running service, of any make.
 * @module
 */
import { fileSource, SourceError } from "@scim/sync";
import { formatByName } from "@scim/sync/records";
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { modeOf, recordBytes, type ImportFlags } from "../import/import-options.ts";
import { readRecordJson } from "../import/record-json.ts";
import { print, tell } from "../output.ts";
import { grouped, startProgress } from "../progress/progress.ts";
import type { RemoteFlags } from "../remote/remote-flags.ts";
import { importInto, type RemoteImport } from "../remote/remote-import.ts";
import { withClient } from "../remote/with-client.ts";
import { stoppable } from "../stop-on-signals.ts";

/** What to import, and where to. */
export interface ImportIntoService {
  readonly url: string;
  readonly file: string;
  readonly flags: ImportFlags & RemoteFlags;
  readonly environment: Environment;
}

/** Flags that only a database can follow. */
const LOCAL = [
  "mapping",
  "report",
  "keep-ids",
  "dry-run",
  "restart",
  "tenant",
  "connection",
] as const satisfies readonly (keyof ImportFlags)[];

/** Resolves to a failure where a record was not taken. */
export async function importRemote({ url, file, flags, environment }: ImportIntoService): Promise<ExitCode> {
  const local = LOCAL.find((name) => flags[name] !== undefined);
  if (local !== undefined)
    throw new CommandFailure(
      EXIT.usage,
      `With --url there is no --${local}: records are taken as they are; 'scim sync' maps, plans and goes on.`,
    );
  const mode = modeOf(flags);
  const { encoding } = flags;
  const format = formatOf(file, flags);
  const maxRecordBytes = recordBytes(flags["max-record"]);
  const progress = startProgress("records");
  const onRecord = ({ created, updated, unchanged, rejected }: RemoteImport): void =>
    progress.show({
      done: created + updated + unchanged + rejected.length,
      part: null,
      note: `${rejected.length} rejected`,
    });
  try {
    const summary = await stoppable((signal) => {
      const source = fileSource(file, {
        format,
        encoding,
        readJson: readRecordJson,
        maxRecordBytes,
        signal,
      });
      return withClient({ url, flags, environment }, (client) =>
        importInto({ client, source, type: flags.type ?? null, mode, signal, onRecord }),
      );
    });
    progress.end();
    const { created, updated, unchanged, rejected, stopped } = summary;
    for (const { place, reason } of rejected) tell(flags, `${place}: ${reason}`);
    const counts = [
      `${grouped(created)} created`,
      `${grouped(updated)} updated`,
      `${grouped(unchanged)} unchanged`,
      `${grouped(rejected.length)} rejected`,
    ];
    const rest = stopped
      ? "\nStopped before the end. Run it again: what is there already stays unchanged."
      : "";
    print(flags, summary, `${counts.join(", ")}.${rest}`);
    return rejected.length === 0 && !stopped ? EXIT.ok : EXIT.failed;
  } catch (cause) {
    if (cause instanceof SourceError) throw new CommandFailure(EXIT.failed, cause.message, cause);
    throw cause;
  } finally {
    progress.end();
  }
}

function formatOf(file: string, { format }: ImportFlags): "json" | "jsonl" {
  const chosen = format ?? formatByName(file);
  if (chosen === "json" || chosen === "jsonl") return chosen;
  throw new CommandFailure(
    EXIT.usage,
    "With --url, a file of JSON lines or a ListResponse is read; 'scim sync' takes CSV and LDIF.",
  );
}
