/**
 * `scim export --url`: writes the resources of a running service, of any make.
 * @module
 */
import type { Environment } from "../command-table/arguments.ts";
import { exportFormat } from "../export/export-format.ts";
import { refuseExisting, writeTarget } from "../export/write-target.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { tellWritten } from "../output.ts";
import { counted, grouped, startProgress } from "../progress/progress.ts";
import { remoteLines, type IncompleteList } from "../remote/remote-export.ts";
import { withClient } from "../remote/with-client.ts";
import type { OperatorFlags } from "../operator/operator.ts";
import type { RemoteFlags } from "../remote/remote-flags.ts";

/** What of the flags of `scim export` counts here. */
interface RemoteExportFlags extends OperatorFlags, RemoteFlags {
  readonly type?: string;
  readonly format?: string;
  readonly mapping?: string;
  readonly json?: boolean;
}

/** What is written, and where to. */
export interface RemoteExport {
  readonly url: string;
  readonly target: string;
  readonly flags: RemoteExportFlags;
  readonly environment: Environment;
}

/** Writes JSON lines: what others refer to first. Resolves to a failure where it listed fewer than it says it has. */
export async function exportRemote({ url, target, flags, environment }: RemoteExport): Promise<ExitCode> {
  refuseLocal(target, flags);
  refuseExisting(target);
  const progress = startProgress("resources");
  let resources = 0;
  const incomplete: IncompleteList[] = [];
  const reading = { type: flags.type, onIncomplete: (list: IncompleteList) => void incomplete.push(list) };
  const told = async function* (lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
    for await (const line of lines) {
      yield line;
      resources += 1;
      progress.show({ done: resources, part: null, note: "" });
    }
  };
  try {
    await withClient({ url, flags, environment }, (client) =>
      writeTarget(target, told(remoteLines(client, reading))),
    );
  } finally {
    progress.end();
  }
  const written = { file: target, resources, ...(incomplete.length === 0 ? {} : { incomplete }) };
  const sentences = [`${counted(resources, "resource")}.`, ...incomplete.map(incompleteText)];
  tellWritten(flags, written, sentences.join("\n"));
  return incomplete.length === 0 ? EXIT.ok : EXIT.failed;
}

function incompleteText({ type, told, listed }: IncompleteList): string {
  return `${type}: the service says that it has ${grouped(told)}, and listed ${grouped(listed)}: resources are missing. Export again, and tell the operator of the service where it stays so.`;
}

/** The token says which tenant and connection are meant, and a service gives JSON. */
function refuseLocal(target: string, { tenant, connection, mapping, format }: RemoteExportFlags): void {
  if (tenant !== undefined || connection !== undefined)
    throw new CommandFailure(EXIT.usage, "With --url, the token says which tenant and connection are meant.");
  if (mapping !== undefined || exportFormat(target, format) !== "jsonl")
    throw new CommandFailure(
      EXIT.usage,
      "With --url, an export is JSON lines: leave --format csv and --mapping out, and name a file that ends in .jsonl.",
    );
}
