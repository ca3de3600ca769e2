/**
 * Bounds of what a connection is set to.
 * @module
 */
import type { ConnectionGuard } from "../connections/connection.ts";
import { TenancyError } from "./tenancy-error.ts";

const WEEK_MINUTES = 10_080;
const YEAR_MINUTES = 527_040;
const MOST_NAMED = 1000;

/** What changes of a guard; what is left out stays. */
export type GuardChange = Partial<ConnectionGuard>;

/**
 * A changed guard within its bounds.
 * @param before what it has of its own; null where it has none
 * @param change null: none of its own
 * @param ofService what the service is set to: from here comes what neither says
 * @throws TenancyError `invalid`
 */
export function changedGuard(
  before: ConnectionGuard | null,
  change: GuardChange | null,
  ofService: ConnectionGuard,
): ConnectionGuard | null {
  if (change === null) return null;
  const guard = { ...(before ?? ofService), ...change };
  const { atLeast, percent, window, named } = guard;
  if (!isWhole(atLeast, 0, 1_000_000)) throw invalid("'atLeast' of a guard is a whole number up to 1000000.");
  if (!(percent >= 0 && percent <= 100)) throw invalid("'percent' of a guard is a number from 0 to 100.");
  if (!isWhole(window, 1, WEEK_MINUTES)) throw invalid("'window' of a guard is 1 to 10080 minutes.");
  if (named.length > MOST_NAMED) throw invalid("A guard names at most 1000 resources.");
  return guard;
}

/**
 * Minutes of silence within their bounds.
 * @throws TenancyError `invalid`
 */
export function checkedSilence(minutes: number | null): number | null {
  if (minutes === null || isWhole(minutes, 0, YEAR_MINUTES)) return minutes;
  throw invalid("'silentAfter' is a whole number of minutes, at most 527040 (a year); 0 means never.");
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function invalid(message: string): TenancyError {
  return new TenancyError("invalid", message);
}
