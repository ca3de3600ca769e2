/**
 * Attribute paths that a client wrote, for messages and logs.
 * @module
 */

/** The path with what stands in brackets left out: it may be personal data. */
export function withoutValues(path: string): string {
  const open = path.indexOf("[");
  return open < 0 ? path : `${path.slice(0, open)}[…]${path.slice(path.lastIndexOf("]") + 1 || path.length)}`;
}
