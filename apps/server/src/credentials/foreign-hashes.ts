/**
 * The hashes of tokens that were made elsewhere.
 * @module
 */
import { createHmac, hash } from "node:crypto";
import type { ForeignHashes } from "@scim/tenancy";
import type { BcryptWorker } from "./bcrypt-worker.ts";
import type { KeySeal } from "./key-seal.ts";

/** Verifies them; the keys of HMACs are unsealed by the secret keys of the service. */
export function foreignHashes(keySeal: KeySeal, { compare }: Pick<BcryptWorker, "compare">): ForeignHashes {
  return {
    sha256: (text) => hash("sha256", text, "hex"),
    hmacSha256: (key, text) => createHmac("sha256", key).update(text).digest("hex"),
    bcrypt: compare,
    open: (sealed) => keySeal.open(sealed),
  };
}
