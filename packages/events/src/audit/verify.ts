/**
 * Verifies the audit log of a tenant: whether an entry was changed, removed or moved, and where.
 * @module
 */
import type { EventFeed } from "@scim/core";
import { PositionAhead } from "../feed/read-changes.ts";
import type { AuditKeys } from "../keys.ts";
import { type AuditReport, ChainWalk, type WalkStart } from "./chain-walk.ts";
import type { ChainedEntry } from "./entry.ts";
import type { AuditStore } from "./port.ts";

/** What a verification works with. */
export interface AuditVerification extends AuditKeys {
  readonly audit: Pick<AuditStore, "read" | "checkpoints" | "checkpointAt">;
  /** Tells how many events have a position, and so an entry. */
  readonly events: Pick<EventFeed, "head">;
  /** Begins at the last checkpoint at or before this position. Default: at the first entry that is kept. */
  readonly since?: number | undefined;
  /** Called now and then with how many entries were gone through. */
  readonly onProgress?: ((entries: number) => void) | undefined;
  /**
   * Lets others have their turn, after every 100 entries: hashing them takes the thread some milliseconds. Default: nobody
   * waits for the thread.
   */
  readonly pause?: (() => Promise<unknown>) | undefined;
}

/** Entries that are read at once. */
const PAGE = 500;
/** Entries that are gone through without a pause. */
const STRETCH = 100;
/**
 * Goes through the log of a tenant once, in constant memory.
 * @throws PositionAhead where `since` was never given
 *
 * @example
 * const { valid, faults } = await verifyAudit("default", { audit: store.audit, events: store.events, keys, hmac, digest });
 */
export async function verifyAudit(tenant: string, verification: AuditVerification): Promise<AuditReport> {
  // Asked first: what is entered meanwhile is no gap.
  const head = await verification.events.head(tenant);
  if ((verification.since ?? 0) > head) throw new PositionAhead(head);
  const start = await startOf(tenant, verification);
  const walk = new ChainWalk(tenant, verification, start);
  for await (const entry of entriesOf(tenant, verification, start?.position ?? 0)) {
    await walk.pass(entry);
    if (walk.entries % PAGE === 0) verification.onProgress?.(walk.entries);
    if (walk.entries % STRETCH === 0) await verification.pause?.();
  }
  return walk.finish(head);
}

async function startOf(
  tenant: string,
  { audit, since }: Pick<AuditVerification, "audit" | "since">,
): Promise<WalkStart | null> {
  if (since !== undefined && since > 0) {
    const checkpoint = await audit.checkpointAt(tenant, since);
    if (checkpoint !== null) return { ...checkpoint, standsForEntries: false };
  }
  const [first] = await audit.read(tenant, { after: 0, limit: 1 });
  const before = first === undefined ? Number.MAX_SAFE_INTEGER : first.position - 1;
  const checkpoint = await audit.checkpointAt(tenant, before);
  if (checkpoint === null || (first !== undefined && checkpoint.position !== before)) return null;
  return { ...checkpoint, standsForEntries: true };
}

async function* entriesOf(
  tenant: string,
  { audit }: Pick<AuditVerification, "audit">,
  from: number,
): AsyncGenerator<ChainedEntry, void, undefined> {
  let after = from;
  for (;;) {
    const page = await audit.read(tenant, { after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}
