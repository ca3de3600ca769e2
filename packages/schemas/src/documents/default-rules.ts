/**
 * What a default must be, so that the service never sets a value that it would refuse.
 * @module
 */
import type { Attribute } from "../attribute.ts";
import type { AttributeAnnotation } from "../resource-type.ts";

const DATE_TIME = /^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** What is wrong with the default of an annotation; null where it has none, or a sound one. */
export function defaultFault(annotation: AttributeAnnotation, attribute: Attribute): string | null {
  const value = annotation.default;
  if (value === undefined) return null;
  if (attribute.mutability === "writeOnly") return "must be left out: a writeOnly value has none";
  if (typeof value === "number") return rangeFault(value, annotation);
  if (typeof value === "string") return textFault(value, annotation, attribute);
  return null;
}

function rangeFault(
  value: number,
  { minimum = -Infinity, maximum = Infinity }: AttributeAnnotation,
): string | null {
  return value < minimum || value > maximum ? "must lie between minimum and maximum" : null;
}

function textFault(
  value: string,
  { minLength = 0, maxLength = Infinity }: AttributeAnnotation,
  { type, required, canonicalValues, caseExact }: Attribute,
): string | null {
  const length = Array.from(value).length;
  if (length < minLength || length > maxLength) return "must be as long as minLength and maxLength ask";
  if (value === "" && required) return "must not be empty: the attribute is required";
  if (type === "dateTime" && !(DATE_TIME.test(value) && !Number.isNaN(Date.parse(value))))
    return "must be a date and time such as 2026-01-31T08:00:00Z";
  if (type === "binary" && !BASE64.test(value)) return "must be Base64";
  const same = (canonical: string): boolean =>
    caseExact ? canonical === value : canonical.toLowerCase() === value.toLowerCase();
  if (canonicalValues.length === 0 || canonicalValues.some(same)) return null;
  return `must be one of ${canonicalValues.join(", ")}`;
}
