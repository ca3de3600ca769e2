/**
 * Lets scans wait for each other: how many run at once, of how many tenants.
 * @module
 */
import { Turns } from "@scim/core";

/** How many scans there may be. */
export interface ScanLimits {
  /** Scans that run at the same time: 1 or more. Default 2. */
  readonly atOnce?: number;
  /**
   * Scans of one tenant that run at the same time: with less than `atOnce`, there is always a turn left that it cannot
   * hold; or what tells how many a tenant may have. Default: as many as run at all.
   */
  readonly perTenant?: number | ((tenant: string) => number);
  /**
   * Scans that wait for their turn; more are refused with `unavailable`, and so is what one tenant has waiting beyond
   * half of them. Default 64.
   */
  readonly waiting?: number;
  /**
   * Most resources of a type that are gone through between requests instead of beside them, at once and without a
   * turn: that takes some milliseconds. Default 500.
   */
  readonly inPlace?: number;
}

/** Scans that run at the same time, where nothing else is said. */
export const DEFAULT_AT_ONCE = 2;
const DEFAULT_WAITING = 64;

/** The turns of the scans of a database. */
export class ScanTurns extends Turns {
  constructor({ atOnce = DEFAULT_AT_ONCE, perTenant = atOnce, waiting = DEFAULT_WAITING }: ScanLimits = {}) {
    super({
      atOnce,
      perTenant: typeof perTenant === "number" ? () => perTenant : perTenant,
      waiting,
      patience: null,
      refusal:
        "Too many queries go through all resources now. Try again, or filter by an attribute that has an index.",
    });
  }
}
