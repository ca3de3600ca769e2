/**
 * Entries of the audit log as they are shown: the same JSON on the command line and below `/admin/v1`.
 * @module
 */
import { statedEntry, type AuditEntry, type AuditStore, type ChainedEntry } from "@scim/events";

/** What an entry says, with its hash. */
export type ReadableEntry = AuditEntry & Pick<ChainedEntry, "hash">;

/** An entry that somebody tampered with so that it is none any more: what it is filed under, and the text that stands there. */
export interface UnreadableEntry extends Omit<ChainedEntry, "text"> {
  readonly unreadable: string;
}

/** An entry as it is shown. */
export type ShownEntry = ReadableEntry | UnreadableEntry;

/** An entry with its hash, as it is shown. */
export function shownEntry(entry: ChainedEntry): ShownEntry {
  const { position, at, type, id, hash, text } = entry;
  const stated = statedEntry(entry);
  return stated === null ? { position, at, type, id, hash, unreadable: text } : { ...stated, hash };
}

/** Whether an entry is none any more. */
export function isUnreadable(entry: ShownEntry): entry is UnreadableEntry {
  return "unreadable" in entry;
}

/** The position behind which the last entries of a log are. */
export async function lastEntries(
  audit: Pick<AuditStore, "end">,
  tenant: string,
  count: number,
): Promise<number> {
  return Math.max(0, ((await audit.end(tenant))?.position ?? 0) - count);
}
