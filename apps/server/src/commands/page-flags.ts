/**
 * The flags of commands that show what lies behind a position of a tenant.
 * @module
 */
import { wholeNumberFlag } from "../value-flags.ts";

/** The flags, as they were given. */
export interface PageFlags {
  readonly tenant?: string;
  readonly since?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** Most that is shown where a command has no bound of its own. */
const MOST = 1_000_000_000;

/**
 * `--since`: what lies behind this position; null where it is not given.
 * @throws CommandFailure where it is no position
 */
export function sinceFlag({ since }: PageFlags): number | null {
  if (since === undefined) return null;
  return wholeNumberFlag("since", since, { least: 0, most: Number.MAX_SAFE_INTEGER });
}

/**
 * `--limit`: how much is shown at most.
 * @param most what it may be at most
 * @throws CommandFailure where it is no such whole number
 */
export function limitFlag(
  { limit }: Pick<PageFlags, "limit">,
  fallback: number,
  most: number = MOST,
): number {
  return limit === undefined ? fallback : wholeNumberFlag("limit", limit, { least: 1, most });
}
