/**
 * Administrators who sign in elsewhere: the issuers that are trusted for them, and who of whom is which administrator.
 * @module
 */
import type { AdminRole } from "../administration/roles.ts";
import type { JwtAlgorithm } from "../oauth/jwt/foreign-jwt.ts";

/** Nobody signs in by an issuer that is suspended. */
export type AdminIssuerState = "active" | "suspended";

/** The claim that names a person: `sub` (OpenID Connect Core §2), or `oid`, by which Microsoft Entra ID shows people. */
export type AdminSubjectClaim = "sub" | "oid";

/** The claims that may name a person. */
export const ADMIN_SUBJECT_CLAIMS: readonly AdminSubjectClaim[] = ["sub", "oid"];

/** Tells whether a text is one of them. */
export function isAdminSubjectClaim(text: string): text is AdminSubjectClaim {
  return ADMIN_SUBJECT_CLAIMS.some((claim) => claim === text);
}

/** What whoever is in a group of an issuer is here. */
export interface AdminGroup {
  /** Name or id of the group, as JWTs have it. */
  readonly group: string;
  readonly role: AdminRole;
  /** The one tenant of a `tenant-admin`; null for the others. */
  readonly tenant: string | null;
}

/** The roles that groups of an issuer give. */
export interface AdminGroups {
  /** The claim that holds the groups of a person: a list of texts, or one text. */
  readonly claim: string;
  /** Of those that a person is in, the first counts. At least one. */
  readonly roles: readonly AdminGroup[];
}

/** An OpenID provider, or another issuer of JWTs, by which administrators sign in. An owner entered all of it. */
export interface AdminIssuer {
  readonly id: string;
  /** Value of `iss`. */
  readonly issuer: string;
  /** Address of the issuer's public keys (RFC 7517). */
  readonly jwksUri: string;
  /** Value that `aud` is or holds. */
  readonly audience: string;
  readonly claim: AdminSubjectClaim;
  /** The algorithms that it signs by; at least one. */
  readonly algorithms: readonly JwtAlgorithm[];
  /** What people are who are not listed by their subject; null where they are nothing. */
  readonly groups: AdminGroups | null;
  readonly state: AdminIssuerState;
  /** UTC with milliseconds. */
  readonly created: string;
  readonly createdBy: string | null;
  /** Grows with each change; see `nextRevision`. */
  readonly revision: number;
}

/** An administrator by issuer and subject: whatever else a JWT says counts for nothing then. */
export interface AdminIdentity {
  /** By it logs and the trail of administration name the administrator. */
  readonly id: string;
  /** Id of the issuer. */
  readonly issuer: string;
  /** Value of the claim that names people at this issuer. */
  readonly subject: string;
  /** What people call the administrator. */
  readonly name: string;
  readonly role: AdminRole;
  /** The one tenant of a `tenant-admin`; null for the others. */
  readonly tenant: string | null;
  /** When it ends, UTC with milliseconds; null for when it is revoked. */
  readonly expires: string | null;
  /** When it last sent a request, UTC with milliseconds, to the minute; null for never. No change of the row. */
  readonly lastUsed: string | null;
  readonly created: string;
  readonly createdBy: string | null;
  /** Grows with each change; see `nextRevision`. */
  readonly revision: number;
}
