/**
 * OAuth clients and what they have, read from rows.
 * @module
 */
import {
  isSubjectClaim,
  type AccessToken,
  type ClientSecret,
  type ClientTrust,
  type OAuthClient,
} from "@scim/tenancy";
import { numberOf, type Row, textOf, textOrNullOf } from "../steps.ts";

/** A row of `oauth_clients`. */
export function clientOf(row: Row): OAuthClient {
  return {
    tenant: textOf(row, "tenant"),
    id: textOf(row, "id"),
    connection: textOf(row, "connection"),
    name: textOrNullOf(row, "name"),
    // A state that a later release gives, this one does not know: such a client gets no token.
    state: textOf(row, "state") === "active" ? "active" : "suspended",
    scopes: scopesOf(row),
    tokenLifetime: numberOf(row, "token_lifetime"),
    created: textOf(row, "created"),
    createdBy: textOrNullOf(row, "created_by"),
    revision: numberOf(row, "revision"),
  };
}

/** A row of `client_secrets`. */
export function secretOf(row: Row): ClientSecret {
  return {
    tenant: textOf(row, "tenant"),
    client: textOf(row, "client"),
    id: textOf(row, "id"),
    hash: textOf(row, "hash"),
    keyId: textOf(row, "key_id"),
    created: textOf(row, "created"),
    createdBy: textOrNullOf(row, "created_by"),
    expires: textOf(row, "expires"),
    lastUsed: textOrNullOf(row, "last_used"),
  };
}

/** A row of `client_trusts`. */
export function trustOf(row: Row): ClientTrust {
  const claim = textOf(row, "claim");
  if (!isSubjectClaim(claim)) throw new TypeError("A trust names a claim that this release does not know");
  return {
    tenant: textOf(row, "tenant"),
    client: textOf(row, "client"),
    id: textOf(row, "id"),
    purpose: textOf(row, "purpose") === "access-token" ? "access-token" : "assertion",
    issuer: textOf(row, "issuer"),
    jwksUri: textOf(row, "jwks_uri"),
    audience: textOf(row, "audience"),
    claim,
    subject: textOf(row, "subject"),
    requireJti: numberOf(row, "require_jti") === 1,
    created: textOf(row, "created"),
    createdBy: textOrNullOf(row, "created_by"),
  };
}

/** A row of `access_tokens`. */
export function accessTokenOf(row: Row): AccessToken {
  return {
    tenant: textOf(row, "tenant"),
    client: textOf(row, "client"),
    credential: textOf(row, "credential"),
    hash: textOf(row, "hash"),
    keyId: textOf(row, "key_id"),
    scopes: scopesOf(row),
    created: textOf(row, "created"),
    expires: textOf(row, "expires"),
  };
}

function scopesOf(row: Row): readonly string[] {
  const scopes: unknown = JSON.parse(textOf(row, "scopes"));
  return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [];
}
