/**
 * OAuth clients: what an identity provider gets access tokens as, and what it proves itself with.
 * @module
 */

/** A suspended client gets no access token, and those that it has are refused until it is resumed. */
export type ClientState = "active" | "suspended";

/** A client (RFC 6749 §2) of one connection. */
export interface OAuthClient {
  readonly tenant: string;
  /** Id of the client in its tenant; the `client_id` of OAuth holds the tenant as well. */
  readonly id: string;
  readonly connection: string;
  /** What people call it, or null. */
  readonly name: string | null;
  readonly state: ClientState;
  /** Names of the scopes that it may ask for, such as `scim` or `scim:read`. */
  readonly scopes: readonly string[];
  /** How long its access tokens are good for, in seconds: 600 to 21600. */
  readonly tokenLifetime: number;
  /** UTC with milliseconds. */
  readonly created: string;
  /** Who made it; null where nobody noted it. */
  readonly createdBy: string | null;
  /** Grows with each change; see `nextRevision`. */
  readonly revision: number;
}

/** A client of a tenant. */
export type ClientName = Pick<OAuthClient, "tenant" | "id">;

/** A secret of a client: never its text, only a keyed hash. A client may have several, so that they can be changed. */
export interface ClientSecret {
  readonly tenant: string;
  readonly client: string;
  readonly id: string;
  /** base64url. */
  readonly hash: string;
  /** Which key made the hash. */
  readonly keyId: string;
  /** UTC with milliseconds. */
  readonly created: string;
  readonly createdBy: string | null;
  readonly expires: string;
  /** When an access token was last given for it; null for never. */
  readonly lastUsed: string | null;
}

/**
 * What a JWT of a foreign issuer is good for: `assertion` authenticates the client at the token endpoint (RFC 7523
 * §2.2), `access-token` is sent to SCIM itself.
 */
export type TrustPurpose = "assertion" | "access-token";

/** The purposes of trusts. */
export const TRUST_PURPOSES: readonly TrustPurpose[] = ["assertion", "access-token"];

/** Tells whether a text is one of them. */
export function isTrustPurpose(text: string): text is TrustPurpose {
  return TRUST_PURPOSES.some((purpose) => purpose === text);
}

/** The claim that must hold the subject: `sub`, or what issuers name the client by. */
export type SubjectClaim = "sub" | "client_id" | "azp" | "appid";

/** The claims that may name the subject. */
export const SUBJECT_CLAIMS: readonly SubjectClaim[] = ["sub", "client_id", "azp", "appid"];

/** Tells whether a text is one of them. */
export function isSubjectClaim(text: string): text is SubjectClaim {
  return SUBJECT_CLAIMS.some((claim) => claim === text);
}

/** A foreign issuer whose JWTs stand for a client. All of it was entered by an administrator. */
export interface ClientTrust {
  readonly tenant: string;
  readonly client: string;
  readonly id: string;
  readonly purpose: TrustPurpose;
  /** Value of `iss`. */
  readonly issuer: string;
  /** Address of the issuer's public keys (RFC 7517). */
  readonly jwksUri: string;
  /** Value that `aud` is or holds. */
  readonly audience: string;
  readonly claim: SubjectClaim;
  /** Value of that claim. */
  readonly subject: string;
  /** Whether an assertion without `jti` is refused; with it, an assertion is good once in any case. */
  readonly requireJti: boolean;
  /** UTC with milliseconds. */
  readonly created: string;
  readonly createdBy: string | null;
}

/** Whether two trusts are for the same JWTs: of two of one client, the keys of one alone would be looked at. */
export function isSameTrust(one: ClientTrust, other: ClientTrust): boolean {
  const said = ["purpose", "issuer", "audience", "claim", "subject"] as const;
  return said.every((what) => one[what] === other[what]);
}

/** A secret or a trust of a client. */
export interface ClientCredentialName {
  readonly tenant: string;
  readonly client: string;
  readonly id: string;
}

/** An access token that was given to a client, as it is stored. */
export interface AccessToken {
  readonly tenant: string;
  readonly client: string;
  /** The secret or the trust that it was given for: it goes with it. */
  readonly credential: string;
  /** Keyed hash of its text, base64url. */
  readonly hash: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** UTC with milliseconds. */
  readonly created: string;
  readonly expires: string;
}
