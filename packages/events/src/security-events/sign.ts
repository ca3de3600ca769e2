/**
 * Signs tokens (RFC 8417 §2, RFC 7515).
 * @module
 */
import { catalogFor, isRecent, type CatalogSource, type FeedEvent } from "@scim/core";
import { claimsOf, type ClaimParts, type TokenReceiver } from "./claims.ts";
import {
  currentSigningKey,
  SIGNING_ALGORITHM,
  type SigningKey,
  type SigningKeyPorts,
} from "./signing-keys.ts";

/** What tokens are made with. */
export interface TokenParts extends Omit<ClaimParts, "catalog">, SigningKeyPorts {
  /** Tells which attributes are secret. */
  readonly catalog: CatalogSource;
}

/** Makes tokens. */
export interface TokenSigner {
  /** The token that tells a receiver of an event: a JWS in compact form. */
  sign(receiver: TokenReceiver, event: FeedEvent): Promise<string>;
}

/** Milliseconds that a process believes to know the present key (one second). */
const KNOWN_MS = 1000;
/** RFC 8417 §2.3: no other kind of token is taken for one of these. */
const TYPE = "secevent+jwt";

/** The key that signs, until it is looked up again. */
interface KnownKey {
  readonly key: SigningKey;
  readonly secret: string;
  /** When it was looked up, in milliseconds since 1970. */
  readonly at: number;
}

/** Makes what signs. It keeps the key that signs for a second, and looks it up once for all tokens of a moment: to look may make the next. */
export function createTokenSigner(parts: TokenParts): TokenSigner {
  let known: KnownKey | null = null;
  let looking: Promise<KnownKey> | null = null;

  async function look(): Promise<KnownKey> {
    const key = await currentSigningKey(parts);
    const secret = parts.seal.open(key.sealed);
    if (secret === null)
      throw new TypeError("the signing key cannot be read with the keys of the service; rotate it.");
    known = { key, secret, at: parts.now() };
    return known;
  }

  async function presentKey(): Promise<KnownKey> {
    if (known !== null && isRecent(known.at, { now: parts.now(), within: KNOWN_MS })) return known;
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  }

  return {
    sign: async (receiver, event) => {
      const { importJWK, SignJWT } = await import("jose");
      const catalog = await catalogFor(parts.catalog, receiver.tenant);
      const { key: signing, secret } = await presentKey();
      // What was sealed is the JSON Web Key that the service made.
      const privateKey = await importJWK(
        JSON.parse(secret) as Parameters<typeof importJWK>[0],
        SIGNING_ALGORITHM,
      );
      return new SignJWT(claimsOf({ catalog, issuerOf: parts.issuerOf }, receiver, event))
        .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid: signing.id })
        .sign(privateKey);
    },
  };
}
