/**
 * Cursors that show nothing and cannot be forged (RFC 9865 §5.2): sealed under keys derived from the secret keys.
 * @module
 */
import type { CursorSeal } from "@scim/core";
import type { SecretKey } from "@scim/tenancy";
import { createKeySeal } from "../credentials/key-seal.ts";

/**
 * Makes a seal of ordered keys: the first seals, all open, so that keys can be changed while in use.
 * @throws TypeError where there is no key
 */
export function createCursorSeal(keys: readonly SecretKey[]): CursorSeal {
  const { seal, open } = createKeySeal(keys, "cursor");
  return {
    seal,
    // Other spellings of the same bytes are not what was given out.
    open: (cursor) =>
      Buffer.from(cursor, "base64url").toString("base64url") === cursor ? open(cursor) : null,
  };
}
