/**
 * Counts what the process has removed because its time was over.
 * @module
 */

/** What is removed in time: deleted resources, events, entries of the audit log and of the request log, tokens that are over. */
export type PurgedKind = "deleted" | "events" | "audit" | "requests" | "tokens";

/** Rows that were removed since the process started. */
export interface PurgeCounts {
  readonly add: (kind: PurgedKind, rows: number) => void;
  /** The rows by kind. */
  counts(): Readonly<Record<PurgedKind, number>>;
}

/** Begins to count. */
export function createPurgeCounts(): PurgeCounts {
  const counts = { deleted: 0, events: 0, audit: 0, requests: 0, tokens: 0 };
  return {
    add: (kind, rows) => {
      counts[kind] += rows;
    },
    counts: () => ({ ...counts }),
  };
}
