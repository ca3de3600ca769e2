/**
 * xsd:dateTime (RFC 7643 §2.3.5): whether a text is one, and the instant it means.
 * @module
 */

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:(Z)|([+-])(\d{2}):(\d{2}))?$/;

const MINUTE = 60_000;
const FRACTION_DIGITS = 9;
/** `YYYY-MM-DDTHH:mm:ss` */
const SECONDS_LENGTH = 19;
/** `YYYY-MM-DDTHH:mm:ss.nnn` */
const MILLISECONDS_LENGTH = 23;
const LAST_YEAR = 9999;
const MAX_OFFSET_MINUTES = 14 * 60;

/**
 * The instant of an xsd:dateTime as text in UTC, `YYYY-MM-DDTHH:mm:ss.nnnnnnnnn`, so that comparing
 * texts compares instants. A value without offset is read as UTC (R7643-2.3.5-02). Fractions of more
 * than nine digits keep them all, without trailing zeros, and so compare exactly too.
 * @returns undefined where the text is no date and time (`2020-01-01`), names a day, hour or offset
 * that does not exist, or lies outside the years 0000 to 9999 in UTC. `24:00:00` is the end of a day.
 */
export function parseDateTime(text: string): string | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", , sign, offsetHour, offsetMinute] = match;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  const time = { hour: Number(hour), minute: Number(minute), second: Number(second) };
  if (!isDate(date) || !isTime(time, fraction)) return undefined;
  const offset = sign === undefined ? 0 : offsetMinutes(sign, Number(offsetHour), Number(offsetMinute));
  if (offset === undefined) return undefined;
  const seconds =
    offset === 0 && time.hour < 24 ? text.slice(0, SECONDS_LENGTH) : inUtc({ ...date, ...time }, offset);
  return seconds === undefined ? undefined : `${seconds}.${fractionKey(fraction)}`;
}

/**
 * The instant of an xsd:dateTime as a service writes it: UTC with milliseconds, cut off behind them. A value without offset
 * is read as UTC, wherever the machine stands, which `Date.parse` does not.
 * @returns undefined where {@link parseDateTime} has no instant
 *
 * @example
 * utcInstant("2026-11-21T09:00:00"); // "2026-11-21T09:00:00.000Z"
 * utcInstant("2026-11-21T09:00:00.5+09:00"); // "2026-11-21T00:00:00.500Z"
 */
export function utcInstant(text: string): string | undefined {
  const found = parseDateTime(text);
  return found === undefined ? undefined : `${found.slice(0, MILLISECONDS_LENGTH)}Z`;
}

interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

function isDate({ year, month, day }: CalendarDate): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

// XML Schema has no leap seconds, and 24:00:00 for the end of a day.
function isTime({ hour, minute, second }: TimeOfDay, fraction: string): boolean {
  if (hour === 24) return minute === 0 && second === 0 && /^0*$/.test(fraction);
  return hour < 24 && minute < 60 && second < 60;
}

function offsetMinutes(sign: string, hours: number, minutes: number): number | undefined {
  const total = hours * 60 + minutes;
  if (minutes > 59 || total > MAX_OFFSET_MINUTES) return undefined;
  return sign === "-" ? -total : total;
}

function inUtc(
  { year, month, day, hour, minute, second }: CalendarDate & TimeOfDay,
  offset: number,
): string | undefined {
  const date = new Date(0);
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  date.setTime(date.getTime() - offset * MINUTE);
  const utcYear = date.getUTCFullYear();
  return utcYear < 0 || utcYear > LAST_YEAR ? undefined : date.toISOString().slice(0, SECONDS_LENGTH);
}

function fractionKey(fraction: string): string {
  if (fraction.length <= FRACTION_DIGITS) return fraction.padEnd(FRACTION_DIGITS, "0");
  let end = fraction.length;
  while (end > FRACTION_DIGITS && fraction.charAt(end - 1) === "0") end -= 1;
  return fraction.slice(0, end);
}
