/**
 * base64url without padding (RFC 4648 §5), for secrets and hashes.
 * @module
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Encodes bytes; 32 bytes give 43 characters. */
export function encodeBase64url(bytes: Uint8Array): string {
  let text = "";
  let pending = 0;
  let bits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += ALPHABET.charAt((pending >> bits) & 63);
    }
    pending &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET.charAt((pending << (6 - bits)) & 63);
}
