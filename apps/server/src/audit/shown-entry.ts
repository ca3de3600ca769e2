/**
 * Entries of the audit log as they are shown: the same JSON on the command line and below `/admin/v1`.
 * @module
 */
import { statedEntry, type AuditEntry, type AuditStore, type ChainedEntry } from "@scim/events";

/** What an entry says, with its hash. */
export type ShownEntry = AuditEntry & Pick<ChainedEntry, "hash">;

/** An entry with its hash, as it is shown. */
export function shownEntry(entry: ChainedEntry): ShownEntry {
  return { ...statedEntry(entry), hash: entry.hash };
}

/** The position behind which the last entries of a log are. */
export async function lastEntries(
  audit: Pick<AuditStore, "end">,
  tenant: string,
  count: number,
): Promise<number> {
  return Math.max(0, ((await audit.end(tenant))?.position ?? 0) - count);
}
