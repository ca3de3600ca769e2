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
 * Goes through the log of a tenant, in constant memory. What goes by retention meanwhile, or comes and is signed, is no fault: where
 * the beginning went before it was gone through, the walk begins anew.
 * @throws PositionAhead where `since` was never given
 *
 * @example
 * const { valid, faults } = await verifyAudit("default", { audit: store.audit, events: store.events, keys, hmac, digest });
 */
export async function verifyAudit(tenant: string, verification: AuditVerification): Promise<AuditReport> {
  const { audit } = verification;
  for (;;) {
    const first = await firstPosition(audit, tenant);
    const report = await walkFrom(first, tenant, verification);
    if (report.valid) return report;
    const present = await firstPosition(audit, tenant);
    // What is told behind the present beginning is told of what is there still.
    const isOfWhatWent = present !== first && report.faults.some(({ position }) => position <= present);
    if (!isOfWhatWent) return report;
  }
}

/** Where a log begins that holds nothing: behind every position. */
const EMPTY = Number.MAX_SAFE_INTEGER;

/** Where a log begins. */
async function firstPosition(audit: Pick<AuditStore, "read">, tenant: string): Promise<number> {
  const [first] = await audit.read(tenant, { after: 0, limit: 1 });
  return first?.position ?? EMPTY;
}

async function walkFrom(
  first: number,
  tenant: string,
  verification: AuditVerification,
): Promise<AuditReport> {
  const { audit, events, since = 0 } = verification;
  // Asked first: what is entered and signed meanwhile is no gap.
  const head = await events.head(tenant);
  if (since > head) throw new PositionAhead(head);
  const signed = await audit.checkpointAt(tenant, EMPTY);
  const start = await startOf(first, tenant, verification);
  const walk = new ChainWalk(tenant, verification, start);
  for await (const entry of entriesOf(tenant, verification, start?.position ?? 0)) {
    await walk.pass(entry);
    if (walk.entries % PAGE === 0) verification.onProgress?.(walk.entries);
    if (walk.entries % STRETCH === 0) await verification.pause?.();
  }
  return walk.finish({ head, signed: signed?.position ?? 0 });
}

async function startOf(
  first: number,
  tenant: string,
  { audit, since }: Pick<AuditVerification, "audit" | "since">,
): Promise<WalkStart | null> {
  if (since !== undefined && since > 0) {
    const checkpoint = await audit.checkpointAt(tenant, since);
    if (checkpoint !== null) return { ...checkpoint, standsForEntries: false };
  }
  const isEmpty = first === EMPTY;
  const before = isEmpty ? EMPTY : first - 1;
  const checkpoint = await audit.checkpointAt(tenant, before);
  if (checkpoint === null || (!isEmpty && checkpoint.position !== before)) return null;
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
