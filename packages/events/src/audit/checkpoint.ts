/**
 * Checkpoints: signed statements of where a chain had come to. Who can write to the database can make a chain anew,
 * but not the signatures on the way; and where old entries go, a checkpoint stands for them.
 * @module
 */
import { type AuditKeys, signingKey } from "../keys.ts";
import type { ChainEnd } from "./chain.ts";

/** A signed place of a chain. */
export interface Checkpoint extends ChainEnd {
  /** When it was signed, UTC with milliseconds. */
  readonly at: string;
  /** Id of the key that signed. */
  readonly key: string;
  /** HMAC-SHA-256, base64url. */
  readonly signature: string;
}

/** Signs the place that a tenant's chain has come to. `at` is the present, UTC with milliseconds. */
export function signCheckpoint(
  keys: AuditKeys,
  tenant: string,
  { position, hash, at }: ChainEnd & Pick<Checkpoint, "at">,
): Checkpoint {
  const { id: key, secret } = signingKey(keys);
  return {
    position,
    hash,
    at,
    key,
    signature: keys.hmac(secret, signedText(tenant, { position, hash, at })),
  };
}

/** Whether a checkpoint was signed with a key of the service; `unknown` where it does not have the key any more. */
export function checkCheckpoint(
  { keys, hmac }: Pick<AuditKeys, "keys" | "hmac">,
  tenant: string,
  checkpoint: Checkpoint,
): "valid" | "forged" | "unknown" {
  const key = keys.find(({ id }) => id === checkpoint.key);
  if (key === undefined) return "unknown";
  return hmac(key.secret, signedText(tenant, checkpoint)) === checkpoint.signature ? "valid" : "forged";
}

function signedText(tenant: string, { position, hash, at }: ChainEnd & Pick<Checkpoint, "at">): string {
  return `audit checkpoint\n${JSON.stringify([tenant, position, hash, at])}`;
}
