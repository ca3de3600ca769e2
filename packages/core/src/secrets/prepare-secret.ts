/**
 * Prepares secrets so that the same one, entered in two ways, is one: the profile OpaqueString (RFC 8265 §4.2).
 * @module
 */
import { composeText } from "@scim/filter";

const SPACES = /\p{Zs}/gu;

/**
 * What the profile lets nobody use. Two of the ignorable code points are taken all the same: ZWNJ and ZWJ stand in
 * Persian and Hindi words, and RFC 5892 decides on them by tables of its own.
 */
const FORBIDDEN = /(?![\u200C\u200D])[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/u;

/**
 * A secret as it is hashed and compared: every space is U+0020, in NFC (see `composeText`); letter case and width stay
 * as they are (RFC 8265 §4.2.2).
 *
 * @example
 * prepareSecret("open\u3000sesame"); // "open sesame"
 * prepareSecret(""); // null
 * @returns null where the text cannot be a secret: it is empty, or holds control characters or others that nobody types
 */
export function prepareSecret(text: string): string | null {
  const prepared = composeText(text.replace(SPACES, " "));
  return prepared === "" || FORBIDDEN.test(prepared) ? null : prepared;
}
