/**
 * Administrators and their issuers, read from rows. What only a later release knows is an error: guessing would give
 * rights.
 * @module
 */
import {
  type AdminIdentity,
  type AdminIssuer,
  isAdminSubjectClaim,
  isJwtAlgorithm,
  roleOfScopes,
} from "@scim/tenancy";
import { numberOf, type Row, textOf, textOrNullOf } from "../steps.ts";

/** A row of `admin_issuers`. */
export function issuerOf(row: Row): AdminIssuer {
  const claim = textOf(row, "claim");
  if (!isAdminSubjectClaim(claim))
    throw new TypeError("An issuer names a claim that this release does not know");
  const algorithms: unknown = JSON.parse(textOf(row, "algorithms"));
  return {
    id: textOf(row, "id"),
    issuer: textOf(row, "issuer"),
    jwksUri: textOf(row, "jwks_uri"),
    audience: textOf(row, "audience"),
    claim,
    algorithms: Array.isArray(algorithms) ? algorithms.filter(isJwtAlgorithm) : [],
    // A state that a later release gives, this one does not know: nobody signs in by such an issuer.
    state: textOf(row, "state") === "active" ? "active" : "suspended",
    created: textOf(row, "created"),
    createdBy: textOrNullOf(row, "created_by"),
    revision: numberOf(row, "revision"),
  };
}

/** A row of `admin_identities`. */
export function identityOf(row: Row): AdminIdentity {
  const role = roleOfScopes([textOf(row, "scope")]);
  if (role === null) throw new TypeError("An administrator has a role that this release does not know");
  return {
    id: textOf(row, "id"),
    issuer: textOf(row, "issuer"),
    subject: textOf(row, "subject"),
    name: textOf(row, "name"),
    ...role,
    expires: textOrNullOf(row, "expires"),
    created: textOf(row, "created"),
    createdBy: textOrNullOf(row, "created_by"),
    revision: numberOf(row, "revision"),
  };
}
