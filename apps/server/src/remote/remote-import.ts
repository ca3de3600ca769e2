/**
 * Brings the resources of a file into a running service, each once, with references that follow to the ids that it gives:
 * what is there already is updated where it differs.
 * @module
 */
import type { Source, SourceItem } from "@scim/sync";
import { bring, type BringingOptions } from "./bring-record.ts";
import { typeNamed } from "./named-type.ts";

/** A record that was not taken. */
export interface RejectedRecord {
  /** Where it stands: `line 12`. */
  readonly place: string;
  readonly reason: string;
}

/** What came of a file. */
export interface RemoteImport {
  created: number;
  updated: number;
  /** Resources that are as their records already. */
  unchanged: number;
  readonly rejected: RejectedRecord[];
  /** Whether records are left: the run was interrupted, or the service is gone. */
  stopped: boolean;
}

/** What is needed on the way. */
export interface RemoteImportOptions extends BringingOptions {
  readonly source: Source;
  readonly signal: AbortSignal;
  readonly onRecord: (summary: RemoteImport) => void;
}

/** Requests under way at once. */
const WINDOW = 16;

/**
 * Goes record by record; what others refer to stands before them, as an export has it. Where no connection comes about any
 * more, the rest is left.
 */
export async function importInto(options: RemoteImportOptions): Promise<RemoteImport> {
  const { client, source, signal, onRecord } = options;
  const types = await client.discovery.resourceTypes({ signal });
  if (options.type !== null) typeNamed(types, options.type);
  const ids = new Map<string, string>();
  const { filter } = await client.discovery.capabilities({ signal });
  // A service without filters finds nothing: what is there already is refused by it, or made again.
  const mode = filter ? options.mode : "create";
  const summary: RemoteImport = { created: 0, updated: 0, unchanged: 0, rejected: [], stopped: false };
  const take = async (item: SourceItem): Promise<void> => {
    const onGone = (): void => void (summary.stopped = true);
    const outcome = await bring(item, { ...options, mode, types, ids, onGone });
    if (typeof outcome === "string") summary[outcome] += 1;
    else summary.rejected.push({ place: item.place, ...outcome });
    onRecord(summary);
  };
  const waiting: SourceItem[] = [];
  const flush = async (): Promise<void> => {
    await Promise.all(waiting.splice(0).map(take));
  };
  const { items } = await source.open(null);
  try {
    for await (const item of items) {
      // What may refer to the one before it waits for its id.
      if (waiting.length === WINDOW || refersToAny(item, waiting)) await flush();
      summary.stopped ||= signal.aborted;
      if (summary.stopped) break;
      waiting.push(item);
    }
  } catch (cause) {
    // A stop does not wait for what does not come.
    if (!signal.aborted) throw cause;
    summary.stopped = true;
  }
  await flush();
  return summary;
}

/** Whether a record names the id of one that is not made yet. */
function refersToAny(item: SourceItem, waiting: readonly SourceItem[]): boolean {
  if (item.kind !== "record") return false;
  const text = JSON.stringify(item.fields);
  return waiting.some((other) => {
    const id = other.kind === "record" ? other.fields["id"] : null;
    return typeof id === "string" && text.includes(JSON.stringify(id));
  });
}
