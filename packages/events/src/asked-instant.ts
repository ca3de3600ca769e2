/**
 * Spans of time and instants, as people give them at the command line and in addresses.
 * @module
 */
import { utcInstant } from "@scim/filter";
import { ScimError } from "@scim/schemas";

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
 * An instant as people write it, UTC with milliseconds: a date and time, in UTC where it names no offset, or a date for its
 * beginning; null where a text is none.
 *
 * @example
 * instantOf("2027-01-01"); // "2027-01-01T00:00:00.000Z"
 */
export function instantOf(text: string): string | null {
  return utcInstant(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? `${text}T00:00:00Z` : text) ?? null;
}

/**
 * An instant that was asked for, UTC with milliseconds: a span back from the present, or an instant.
 * @param name what it was given as, for the refusal
 * @param now the present, in milliseconds since 1970
 * @throws ScimError `invalidValue`
 *
 * @example
 * askedInstant("since", "12h", Date.parse("2027-01-02T00:00:00Z")); // "2027-01-01T12:00:00.000Z"
 */
export function askedInstant(name: string, text: string, now: number): string {
  const span = spanOf(text);
  const instant = span === null ? instantOf(text) : new Date(now - span).toISOString();
  if (instant !== null) return instant;
  throw new ScimError(
    "invalidValue",
    `'${name}' is a span such as 15m, 12h or 7d, or an instant such as 2027-01-01T00:00:00Z.`,
  );
}
