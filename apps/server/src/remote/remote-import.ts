/**
 * Brings the resources of a file into a running service, each once, with references that follow to the ids that it gives:
 * what is there already is updated where it differs.
 * @module
 */
import type { Source } from "@scim/sync";
import { bring, follow, type BringingOptions, type LateReferences } from "./bring-record.ts";
import { ClaimedKeys } from "./claimed-keys.ts";
import { FoundResources } from "./found-resources.ts";
import { typeNamed } from "./named-type.ts";
import { readRecord, type ReadRecord, type RejectedRecord } from "./read-record.ts";

/** What came of a file. */
export interface RemoteImport {
  created: number;
  updated: number;
  /** Resources that are as their records already. */
  unchanged: number;
  readonly rejected: RejectedRecord[];
  /** Whether records are left: the run was interrupted, the service is gone, or the token was refused. */
  stopped: boolean;
}

/** What is needed on the way. */
export interface RemoteImportOptions extends BringingOptions {
  readonly source: Source;
  /** Name of the type of all records; null where each names its own. */
  readonly type: string | null;
  readonly signal: AbortSignal;
  readonly onRecord: (summary: RemoteImport) => void;
}

/** Requests under way at once. */
const WINDOW = 16;

/**
 * Goes record by record, and at last through those that refer to what stands behind them, such as a manager who came later. Where no
 * connection comes about any more, or the token is refused, the rest is left.
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
  const late: LateReferences[] = [];
  const onGone = (): void => void (summary.stopped = true);
  const bringing = {
    client,
    mode,
    ids,
    found: new FoundResources(),
    onGone,
    onLate: (each: LateReferences): void => void late.push(each),
  };
  const take = async (record: ReadRecord | RejectedRecord): Promise<void> => {
    const outcome = "reason" in record ? record : await bring(record, bringing);
    if (typeof outcome === "string") summary[outcome] += 1;
    else summary.rejected.push({ place: record.place, reason: outcome.reason });
    onRecord(summary);
  };
  const waiting: (ReadRecord | RejectedRecord)[] = [];
  const flush = async (): Promise<void> => {
    await Promise.all(waiting.splice(0).map(take));
  };
  const reading = { types, type: options.type, keys: new ClaimedKeys() };
  let records = 0;
  const { items } = await source.open(null);
  try {
    for await (const item of items) {
      records += 1;
      const record = readRecord(item, records, reading);
      if (waiting.length === WINDOW || dependsOnAny(record, waiting, records)) await flush();
      summary.stopped ||= signal.aborted;
      if (summary.stopped) break;
      waiting.push(record);
    }
  } catch (cause) {
    // A stop does not wait for what does not come.
    if (!signal.aborted) throw cause;
    summary.stopped = true;
  }
  await flush();
  const takeReferences = async (each: LateReferences): Promise<void> => {
    const outcome = await follow(each, bringing);
    if (outcome === each.outcome) return;
    summary[each.outcome] -= 1;
    if (typeof outcome === "string") summary[outcome] += 1;
    else
      summary.rejected.push({
        place: each.place,
        reason: `Its references were not taken. ${outcome.reason}`,
      });
    onRecord(summary);
  };
  while (late.length > 0) {
    summary.stopped ||= signal.aborted;
    if (summary.stopped) break;
    await Promise.all(late.splice(0, WINDOW).map(takeReferences));
  }
  return summary;
}

/**
 * Whether one of the records before a record has to be done first: one with the same name may be made in its place, and one
 * that it refers to has no id yet.
 */
function dependsOnAny(
  record: ReadRecord | RejectedRecord,
  waiting: readonly (ReadRecord | RejectedRecord)[],
  number: number,
): boolean {
  if ("reason" in record) return false;
  if (record.namesake !== null && record.namesake >= number - waiting.length) return true;
  const text = JSON.stringify(record.fields);
  return waiting.some((other) => {
    const id = "reason" in other ? null : other.fields["id"];
    return typeof id === "string" && text.includes(JSON.stringify(id));
  });
}
