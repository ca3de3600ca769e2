/**
 * Signs tokens (RFC 8417 §2, RFC 7515).
 * @module
 */
import { catalogFor, type CatalogSource, type FeedEvent } from "@scim/core";
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

/** Makes what signs. It keeps the key that signs for a second. */
export function createTokenSigner(parts: TokenParts): TokenSigner {
  let known: { readonly key: SigningKey; readonly secret: string; readonly until: number } | null = null;

  async function key(): Promise<{ readonly key: SigningKey; readonly secret: string }> {
    if (known !== null && parts.now() < known.until) return known;
    const found = await currentSigningKey(parts);
    const secret = parts.seal.open(found.sealed);
    if (secret === null)
      throw new TypeError("the signing key cannot be read with the keys of the service; rotate it.");
    known = { key: found, secret, until: parts.now() + KNOWN_MS };
    return known;
  }

  return {
    sign: async (receiver, event) => {
      const { importJWK, SignJWT } = await import("jose");
      const catalog = await catalogFor(parts.catalog, receiver.tenant);
      const { key: signing, secret } = await key();
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
