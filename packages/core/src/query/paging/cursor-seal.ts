/**
 * What the service needs to make cursors (RFC 9865 §5.2): it has no keys of its own.
 * @module
 */

/**
 * Makes texts unreadable and unforgeable, and finds them again.
 *
 * @example
 * // AES-256-GCM, base64url: nonce, text and tag.
 * const cursorSeal: CursorSeal = { seal: (text) => encrypt(key, text), open: (cursor) => decryptOrNull(key, cursor) };
 */
export interface CursorSeal {
  /** A cursor of `A-Z`, `a-z`, `0-9`, `-`, `.`, `_` and `~` alone (RFC 9865 §2), from which nobody learns the text. */
  seal(text: string): string;
  /** The text of a cursor, or null where this service did not make it. */
  open(cursor: string): string | null;
}
