/**
 * Who builds indexes for a tenant: one process at a time, so that none works for nothing. Each step of the work is
 * right by itself, also where two hold the lease because their clocks differ.
 * @module
 */
import { CLOCK_SKEW_MS } from "@scim/events";
import { sql } from "../sql.ts";
import type { Steps } from "../steps.ts";

/** Milliseconds that a lease lasts, unless it is taken again. */
const LEASE = 10_000;

/** Who asks for a lease. */
export interface Holder {
  /** Different for each open store. */
  readonly name: string;
  /** The present instant, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Takes or keeps the lease of a tenant. Resolves to whether the holder has it. */
export function* takeLease(tenant: string, { name, now }: Holder): Steps<boolean> {
  const at = now();
  const until = new Date(at + LEASE).toISOString();
  const latest = new Date(at + LEASE + CLOCK_SKEW_MS).toISOString();
  const { changes } =
    yield sql`INSERT INTO index_leases (tenant, holder, until) VALUES (${tenant}, ${name}, ${until})
    ON CONFLICT (tenant) DO UPDATE SET holder = excluded.holder, until = excluded.until
      WHERE index_leases.holder = excluded.holder OR index_leases.until < ${new Date(at).toISOString()}
        OR index_leases.until > ${latest}`;
  return changes > 0;
}

/** Leaves the work to others: to those who know the attributes, where this process has other documents than they. */
export function* giveLeaseBack(tenant: string, { name }: Holder): Steps<void> {
  yield sql`DELETE FROM index_leases WHERE tenant = ${tenant} AND holder = ${name}`;
}
