/**
 * How many digits a decimal has: what the annotations `precision` and `scale` bound.
 * @module
 */

/** A number as JSON writes it shortest: digits before and after the point, and the exponent. */
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** How many digits a number has, leading zeros aside, when it is written without an exponent. */
export function precisionOf(value: number): number {
  const { whole, fraction, exponent } = partsOf(value);
  const significant = `${whole}${fraction}`.replace(/^0+/, "");
  return significant.length + Math.max(0, exponent - fraction.length);
}

/** How many digits a number has after the point, when it is written without an exponent. */
export function scaleOf(value: number): number {
  const { fraction, exponent } = partsOf(value);
  return Math.max(0, fraction.length - exponent);
}

function partsOf(value: number): {
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: number;
} {
  const [, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(String(value)) ?? [];
  return { whole, fraction, exponent: Number(exponent) };
}
