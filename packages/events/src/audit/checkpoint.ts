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

/**
 * What a checkpoint states: that a chain `came` to its place, or that the entries up to it `went`, being too old. Only who
 * removes entries by retention signs the second, so that a checkpoint on the way stands for none that somebody else removed.
 */
export type Stated = "came" | "went";

/** Signs the place that a tenant's chain has come to. `at` is the present, UTC with milliseconds. */
export function signCheckpoint(
  keys: AuditKeys,
  tenant: string,
  place: ChainEnd & Pick<Checkpoint, "at">,
): Checkpoint {
  return signPlace(keys, tenant, { ...place, stated: "came" });
}

/** Signs that the entries of a tenant up to a place were removed by retention. */
export function signRemoval(
  keys: AuditKeys,
  tenant: string,
  place: ChainEnd & Pick<Checkpoint, "at">,
): Checkpoint {
  return signPlace(keys, tenant, { ...place, stated: "went" });
}

function signPlace(keys: AuditKeys, tenant: string, { position, hash, at, stated }: SignedPlace): Checkpoint {
  const { id: key, secret } = signingKey(keys);
  const signature = keys.hmac(secret, signedText(tenant, { position, hash, at, stated }));
  return { position, hash, at, key, signature };
}

/** What a checkpoint states by its signature; `forged` for nothing, `unknown` where the service does not have the key any more. */
export function checkCheckpoint(
  { keys, hmac }: Pick<AuditKeys, "keys" | "hmac">,
  tenant: string,
  checkpoint: Checkpoint,
): Stated | "forged" | "unknown" {
  const key = keys.find(({ id }) => id === checkpoint.key);
  if (key === undefined) return "unknown";
  const isStated = (stated: Stated): boolean =>
    hmac(key.secret, signedText(tenant, { ...checkpoint, stated })) === checkpoint.signature;
  return STATED.find(isStated) ?? "forged";
}

const STATED = ["came", "went"] as const;

interface SignedPlace extends ChainEnd, Pick<Checkpoint, "at"> {
  readonly stated: Stated;
}

const HEADINGS = { came: "audit checkpoint", went: "audit entries removed" } as const;

function signedText(tenant: string, { position, hash, at, stated }: SignedPlace): string {
  return `${HEADINGS[stated]}\n${JSON.stringify([tenant, position, hash, at])}`;
}
