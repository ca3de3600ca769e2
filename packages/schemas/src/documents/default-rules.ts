/**
 * What a default must be, so that the service never sets a value that it would refuse.
 * @module
 */
import type { Attribute } from "../attribute.ts";
import { precisionOf, scaleOf } from "../decimal-digits.ts";
import type { AttributeAnnotation } from "../resource-type.ts";
import type { AttributeAtPath } from "./attribute-paths.ts";

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?<hours>\d\d):(?<minutes>\d\d))?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
// eslint-disable-next-line no-control-regex -- what they are is the point
const CONTROL = /[\u0000-\u001f\u007f]/;

const MOST_OFFSET_MINUTES = 14 * 60;

/** Common attributes that no value of a body is: what stands there under their names would take their place. */
const SERVICE_SET: ReadonlySet<string> = new Set(["id", "meta", "schemas"]);

/** What is wrong with the default of an annotation; null where it has none, or a sound one. */
export function defaultFault(
  annotation: AttributeAnnotation,
  { attribute, path }: AttributeAtPath,
): string | null {
  const value = annotation.default;
  if (value === undefined) return null;
  if (SERVICE_SET.has(path.split(".")[0] ?? "")) return "must be left out: the service sets it";
  if (attribute.mutability === "writeOnly") return "must be left out: a writeOnly value has none";
  if (typeof value === "number") return rangeFault(value, annotation) ?? digitsFault(value, annotation);
  if (typeof value === "string") return textFault(value, annotation, attribute);
  return null;
}

function rangeFault(
  value: number,
  { minimum = -Infinity, maximum = Infinity }: AttributeAnnotation,
): string | null {
  return value < minimum || value > maximum ? "must lie between minimum and maximum" : null;
}

function digitsFault(
  value: number,
  { precision = Infinity, scale = Infinity }: AttributeAnnotation,
): string | null {
  const isSound = precisionOf(value) <= precision && scaleOf(value) <= scale;
  return isSound ? null : "must have no more digits than precision and scale allow";
}

function textFault(
  value: string,
  { minLength = 0, maxLength = Infinity }: AttributeAnnotation,
  { type, required, canonicalValues, caseExact }: Attribute,
): string | null {
  const length = Array.from(value).length;
  if (length < minLength || length > maxLength) return "must be as long as minLength and maxLength ask";
  if (value === "" && required) return "must not be empty: the attribute is required";
  if (type === "dateTime" && !isDateTime(value))
    return "must be a date and time such as 2026-01-31T08:00:00Z";
  if (type === "binary" && !BASE64.test(value)) return "must be Base64";
  if (type === "reference" && CONTROL.test(value)) return "must not hold control characters";
  const same = (canonical: string): boolean =>
    caseExact ? canonical === value : canonical.toLowerCase() === value.toLowerCase();
  if (canonicalValues.length === 0 || canonicalValues.some(same)) return null;
  return `must be one of ${canonicalValues.join(", ")}`;
}

/** Whether text is an xsd:dateTime: `Date.parse` takes days that a month lacks, and offsets of up to 24 hours. */
function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // Months are as long every 400 years; of years before 100, `Date.UTC` makes others.
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const { hours = "0", minutes = "0" } = match.groups ?? {};
  const instant = new Date(text);
  if (day > lastDay || Number(hours) * 60 + Number(minutes) > MOST_OFFSET_MINUTES) return false;
  // Before the year 0 and behind 9999 the text begins with a sign.
  return !Number.isNaN(instant.getTime()) && /^\d/.test(instant.toISOString());
}
