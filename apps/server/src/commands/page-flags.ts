/**
 * The flags of commands that show what lies behind a position of a tenant.
 * @module
 */
import { CommandFailure, EXIT } from "../failure.ts";

/** The flags, as they were given. */
export interface PageFlags {
  readonly tenant?: string;
  readonly since?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

const MOST = 1_000_000_000;

/**
 * `--since`: what lies behind this position; null where it is not given.
 * @throws CommandFailure where it is no position
 */
export function sinceFlag({ since }: PageFlags): number | null {
  return since === undefined ? null : wholeNumber("since", since, { least: 0, most: MOST });
}

/**
 * `--limit`: how much is shown at most.
 * @throws CommandFailure where it is no whole number
 */
export function limitFlag({ limit }: PageFlags, fallback: number): number {
  return limit === undefined ? fallback : wholeNumber("limit", limit, { least: 1, most: MOST });
}

function wholeNumber(
  name: string,
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new CommandFailure(EXIT.usage, `--${name} must be a whole number from ${least} to ${most}.`);
}
