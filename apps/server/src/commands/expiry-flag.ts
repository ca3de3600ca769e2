/**
 * Spans and instants as flags give them.
 * @module
 */
import { CommandFailure, EXIT } from "../failure.ts";

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** A span of time, `90d`, `12h` or `30m`, in milliseconds; null where a text is none. */
export function spanOf(text: string): number | null {
  const span = /^(?<count>[0-9]{1,6})(?<unit>[mhd])$/.exec(text)?.groups;
  const unit = UNITS_MS.get(span?.["unit"] ?? "");
  return unit === undefined ? null : Number(span?.["count"]) * unit;
}

/**
 * The instant of `--expires`, UTC with milliseconds: `90d`, `12h`, `30m`, or an instant such as `2027-01-01T00:00:00Z`.
 * @throws CommandFailure where it does not lie ahead
 */
export function expiryFlag(text: string): string {
  const span = spanOf(text);
  const instant = span === null ? Date.parse(text) : Date.now() + span;
  if (instant > Date.now()) return new Date(instant).toISOString();
  throw new CommandFailure(
    EXIT.usage,
    "--expires must lie ahead: 90d, 12h, 30m, or an instant such as 2027-01-01T00:00:00Z.",
  );
}
