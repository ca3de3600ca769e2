/**
 * The hashes of tokens that were made elsewhere.
 * @module
 */
import { createHmac, hash } from "node:crypto";
import { Turns } from "@scim/core";
import type { ForeignHashes } from "@scim/tenancy";
import type { BcryptWorker } from "./bcrypt-worker.ts";
import type { KeySeal } from "./key-seal.ts";

/** Texts that wait to be compared with bcrypt hashes, half of them from one address, and for how long each does. */
const WAITING = 32;
const PATIENCE_MS = 30_000;

/**
 * Verifies them; the keys of HMACs are unsealed by the secret keys of the service. Texts are compared with bcrypt hashes one
 * after another, addresses in turn: anybody may send texts that are none, and each costs as much as a tenant has such hashes.
 */
export function foreignHashes(keySeal: KeySeal, { compare }: Pick<BcryptWorker, "compare">): ForeignHashes {
  const turns = new Turns({
    atOnce: 1,
    perTenant: () => 1,
    waiting: WAITING,
    patience: PATIENCE_MS,
    refusal: "Tokens with a bcrypt hash are being compared; send the request again in some seconds.",
  });
  return {
    sha256: (text) => hash("sha256", text, "hex"),
    hmacSha256: (key, text) => createHmac("sha256", key).update(text).digest("hex"),
    bcrypt: compare,
    turn: (address) => turns.take(address),
    open: rememberedKeys(keySeal),
  };
}

/** Keys that stay in memory: as many as a hundred tenants import. */
const KEPT_KEYS = 1000;

/** Opens each once: to unseal takes longer than the HMAC that the key is for, and anybody may have it done. */
function rememberedKeys({ open }: Pick<KeySeal, "open">): KeySeal["open"] {
  const known = new Map<string, string | null>();
  return (sealed) => {
    const remembered = known.get(sealed);
    if (remembered !== undefined) return remembered;
    const key = open(sealed);
    known.set(sealed, key);
    const [oldest] = known.keys();
    if (known.size > KEPT_KEYS && oldest !== undefined) known.delete(oldest);
    return key;
  };
}
