/**
 * The keys that sign tokens: made by the service, published ahead of their use, changed in time, and gone when no token
 * that they signed is still on its way.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { AdminDecision } from "../decision.ts";
import type { SecretSeal } from "../delivery/port.ts";

/** A key as it is stored. */
export interface SigningKey {
  /** Names it in tokens (`kid`) and in the key set. */
  readonly id: string;
  /** The public key as JSON Web Key (RFC 7517). */
  readonly publicKey: JsonObject;
  /** The private key as JSON Web Key, sealed. */
  readonly sealed: string;
  /** UTC with milliseconds. */
  readonly created: string;
  /** When it begins to sign, in the place of the one before: it is published before. */
  readonly signsFrom: string;
}

/** A key, and its end. */
export interface ListedSigningKey extends SigningKey {
  /** When it is not published any more; null for the last. */
  readonly retires: string | null;
}

/** Port of keys. They are of the service, not of a tenant. */
export interface SigningKeyStore {
  /** All keys, in the order of `signsFrom`. */
  list(): Promise<readonly SigningKey[]>;
  /**
   * Adds a key as the last to sign, and tells the decision in the same transaction, where somebody decided it.
   * @param before just before its `signsFrom`: the `signsFrom` that those get which would sign with it, or later
   */
  add(key: SigningKey, before: string, decision?: AdminDecision): Promise<void>;
  /**
   * Adds a key as `add` does, where the last to sign is still the one of an id, or null where there is none. Resolves to false, and adds
   * nothing, where another process was first.
   */
  addBehind(last: string | null, key: SigningKey, before: string): Promise<boolean>;
  /** Removes the keys whose successor signed at an instant already. */
  removeReplaced(at: string): Promise<void>;
}

/** What keys are worked with. */
export interface SigningKeyPorts {
  readonly signingKeys: SigningKeyStore;
  readonly seal: SecretSeal;
  /** A new id that no other key has. */
  readonly newId: () => string;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Milliseconds after which a key is changed (90 days). */
const LIFETIME_MS = 90 * DAY_MS;
/** Milliseconds that a key is published before it signs (one hour): longer than receivers may keep the key set. */
export const PUBLISHED_AHEAD_MS: number = HOUR_MS;
/** Milliseconds that a key is published behind its last use (40 days): longer than a delivery may be tried. */
const PUBLISHED_BEHIND_MS = 40 * DAY_MS;

/** The algorithm of all keys (RFC 7518 §3.4). */
export const SIGNING_ALGORITHM = "ES256";

/**
 * Makes a new key. Those that wait for their turn and would sign later never do: they stay published as long as one that it
 * replaces, since a process whose clock is ahead may have signed with them.
 * @param ahead milliseconds until it signs: 0 where the present one must not be used any more
 * @param decision who asked for it; left out where the service does it by itself
 */
export async function rotateSigningKey(
  ports: SigningKeyPorts,
  ahead: number,
  decision?: AdminDecision,
): Promise<ListedSigningKey> {
  const { key, before } = await prepareKey(ports, ahead);
  await ports.signingKeys.add(key, before, decision);
  return { ...key, retires: null };
}

/** A new key, and when those sign that would sign with it or later; keys that are over are gone. */
async function prepareKey(
  { signingKeys, seal, newId, now }: SigningKeyPorts,
  ahead: number,
): Promise<{ readonly key: SigningKey; readonly before: string }> {
  // Loaded on demand: most services issue no token.
  const { exportJWK, generateKeyPair } = await import("jose");
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const [shown, secret] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)]);
  const at = now();
  const id = newId();
  const key: SigningKey = {
    id,
    publicKey: {
      kty: "EC",
      crv: "P-256",
      x: shown.x ?? "",
      y: shown.y ?? "",
      kid: id,
      use: "sig",
      alg: SIGNING_ALGORITHM,
    },
    sealed: seal.seal(JSON.stringify(secret)),
    created: new Date(at).toISOString(),
    signsFrom: new Date(at + ahead).toISOString(),
  };
  await signingKeys.removeReplaced(new Date(at - PUBLISHED_BEHIND_MS).toISOString());
  return { key, before: new Date(at + ahead - 1).toISOString() };
}

/** All keys in the order in which they sign: each ends some time behind the beginning of the next. */
export async function listSigningKeys({
  signingKeys,
}: Pick<SigningKeyPorts, "signingKeys">): Promise<readonly ListedSigningKey[]> {
  const keys = await signingKeys.list();
  return keys.map((key, index) => {
    const next = keys[index + 1];
    return { ...key, retires: next === undefined ? null : endBy(next) };
  });
}

function endBy({ signsFrom }: SigningKey): string {
  return new Date(Date.parse(signsFrom) + PUBLISHED_BEHIND_MS).toISOString();
}

/** The key set that receivers verify with (RFC 7517 §5). */
export async function publishedKeys(
  ports: Pick<SigningKeyPorts, "signingKeys" | "now">,
): Promise<{ readonly keys: readonly JsonObject[] }> {
  const present = new Date(ports.now()).toISOString();
  const keys = await listSigningKeys(ports);
  return {
    keys: keys.filter(({ retires }) => retires === null || retires > present).map((key) => key.publicKey),
  };
}

/**
 * The key that signs now. The first is made where there is none, and one is made ahead of the end of the present one: one, however
 * many processes find it missing.
 */
export async function currentSigningKey(ports: SigningKeyPorts): Promise<SigningKey> {
  const present = ports.now();
  const keys = await ports.signingKeys.list();
  const current =
    keys.findLast(({ signsFrom }) => Date.parse(signsFrom) <= present) ?? keys.findLast(signsAtOnce);
  const newest = keys.at(-1);
  if (current === undefined) return (await makeNext(ports, newest, 0)) ?? currentSigningKey(ports);
  if (newest === undefined || present - Date.parse(newest.created) >= LIFETIME_MS)
    await makeNext(ports, newest, PUBLISHED_AHEAD_MS);
  return current;
}

/** Whether a key was made to sign from then on: where it does not yet, the clock of the process that made it is ahead of ours. */
function signsAtOnce({ created, signsFrom }: SigningKey): boolean {
  return Date.parse(signsFrom) <= Date.parse(created);
}

/** Null where another process was first. */
async function makeNext(
  ports: SigningKeyPorts,
  newest: SigningKey | undefined,
  ahead: number,
): Promise<SigningKey | null> {
  const { key, before } = await prepareKey(ports, ahead);
  return (await ports.signingKeys.addBehind(newest?.id ?? null, key, before)) ? key : null;
}
