/**
 * Numbers as they are written, and whether a double keeps their value.
 * @module
 */

/** Fifteen significant digits always survive a double; `Number` keeps 17 at most. */
const SAFE_LENGTH = 15;

/**
 * Whether a double keeps the value of a number as it is written: a body with one that it does not keep is refused. Digits that
 * cannot change the value do not count, and what is no number counts as kept.
 *
 * @example
 * isExactNumber("1.50e2"); // true
 * isExactNumber("0.1234567890123456789"); // false
 * @see {@link https://www.rfc-editor.org/rfc/rfc8259#section-6 RFC 8259 §6}
 */
export function isExactNumber(token: string): boolean {
  const value = Number(token);
  // Not a number at all: the parser will say so.
  if (Number.isNaN(value)) return true;
  if (token.length <= SAFE_LENGTH && Math.abs(value) > 1e-300 && Number.isFinite(value)) return true;
  return Number.isFinite(value) && canonicalDecimal(token) === canonicalDecimal(String(value));
}

/** `-12.50e3` as `125e2`: equal texts for equal absolute values. */
function canonicalDecimal(token: string): string {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = whole + fraction;
  let first = 0;
  while (digits.charAt(first) === "0") first += 1;
  let last = digits.length;
  while (last > first && digits.charAt(last - 1) === "0") last -= 1;
  if (first === last) return "0";
  return `${digits.slice(first, last)}e${Number(exponent) - fraction.length + digits.length - last}`;
}
