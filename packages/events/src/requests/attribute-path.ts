/**
 * What may be the name of an attribute: whatever else stands in the place of one may be a value.
 * @module
 */

/** Names, as the grammar has them, and paths of such names, with places in lists, or brackets whose filter was left out. */
const PATH =
  /^(?:urn:[\w:.+-]{1,200}|[A-Za-z$][\w$-]{0,63})(?:\[(?:\d{1,9}|…)\])?(?:\.[A-Za-z$][\w$-]{0,63}(?:\[\d{1,9}\])?){0,2}$/;

/**
 * Whether a text may be shown as the name or path of an attribute (RFC 7643 §2.1), also of one that no schema has.
 *
 * @example
 * isAttributePath("emails[0].value"); // true
 * isAttributePath("ines@example.com"); // false
 */
export function isAttributePath(text: string): boolean {
  return PATH.test(text);
}
