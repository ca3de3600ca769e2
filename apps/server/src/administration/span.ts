/**
 * Spans of time as people give them.
 * @module
 */

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
