/**
 * Port of the audit log: what its readers, its checkpoints and its retention ask of a store.
 * @module
 */
import type { Cutoff } from "@scim/core";
import type { ChainEnd } from "./chain.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { ChainedEntry } from "./entry.ts";
import type { AuditQuery, FoundEntries } from "./query.ts";

/** Which entries are read. */
export interface AuditPage {
  /** Those behind this position; 0 for the beginning. */
  readonly after: number;
  /** At most so many: 1 or more; fewer, and one at least, where their texts come to `PAGE_BYTES`. */
  readonly limit: number;
}

/** Which entries go. */
export interface AuditPurge {
  readonly before: Cutoff;
  /**
   * The present, UTC with milliseconds. An entry that is later was written while a clock was ahead, and holds up none behind it:
   * it goes with the next of those that goes.
   */
  readonly present: string;
  /** At most so many: 1 or more. */
  readonly limit: number;
  /** Signs the place up to which entries went: in the place of a checkpoint that is there already. */
  readonly sign: (tenant: string, end: ChainEnd) => Checkpoint;
}

/** The audit logs of a store. Entries come into it where events are given their positions. */
export interface AuditStore {
  /** The entries of a tenant behind a position, in order; none where there are no more. */
  read(tenant: string, page: AuditPage): Promise<readonly ChainedEntry[]>;
  /**
   * The entries of a tenant that are looked for, in order of position. A page costs no more than its looks, however long the
   * log is: where few entries meet the query it ends early and tells where to go on.
   *
   * Where a query names instants, the signed checkpoints tell which parts of the log are older and younger by more than a day,
   * and those are not looked at. So it finds every entry, whichever way clocks went, but for those of a process whose
   * clock was more than a day away from that of the process that signed, or which was held up for more than a day before it was
   * given its position.
   */
  find(tenant: string, query: AuditQuery): Promise<FoundEntries>;
  /** Where a tenant's chain has come to; null where it has not begun. */
  end(tenant: string): Promise<ChainEnd | null>;
  /** The checkpoints of a tenant from a position on, in order of position: at most `limit`. */
  checkpoints(tenant: string, from: number, limit: number): Promise<readonly Checkpoint[]>;
  /** The last checkpoint of a tenant at a position or before it; null where there is none. */
  checkpointAt(tenant: string, position: number): Promise<Checkpoint | null>;
  /** Keeps a checkpoint. One of the same position that is there already stays. */
  addCheckpoint(tenant: string, checkpoint: Checkpoint): Promise<void>;
  /** Tenants that have had events, by name, behind one: at most `limit`. */
  tenants(after: string, limit: number): Promise<readonly string[]>;
  /**
   * Links events that have their position and no entry, such as those that a program without an audit log gave one:
   * at most `limit`. Resolves to how many. A chain that has not begun is not begun by this.
   */
  catchUp(tenant: string, limit: number): Promise<number>;
  /** Removes the first entries of each tenant, some at a time. Resolves to how many it removed: at most `limit`. */
  purge(purge: AuditPurge): Promise<number>;
}
