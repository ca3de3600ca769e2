/**
 * What acts tell of issuers and administrators.
 * @module
 */
import type { ToldState } from "../acts/admin-act.ts";
import type { AdminGroups, AdminIdentity, AdminIssuer } from "../admins/admin-identity.ts";

/** What is told of an issuer. */
export function toldIssuer({
  issuer,
  jwksUri,
  audience,
  claim,
  algorithms,
  groups,
  state,
}: AdminIssuer): ToldState {
  return {
    issuer,
    jwksUri,
    audience,
    claim,
    algorithms: [...algorithms],
    ...(groups === null ? {} : { groups: toldGroups(groups) }),
    state,
  };
}

function toldGroups({ claim, roles }: AdminGroups): ToldState {
  const told = roles.map(({ group, role, tenant }) => ({
    group,
    role,
    ...(tenant === null ? {} : { tenant }),
  }));
  return { claim, roles: told };
}

/** What is told of an administrator: to whom rights were given must be known when its row is gone. */
export function toldIdentity({ issuer, subject, name, role, tenant, expires }: AdminIdentity): ToldState {
  return {
    issuer,
    subject,
    name,
    role,
    ...(tenant === null ? {} : { tenant }),
    ...(expires === null ? {} : { expires }),
  };
}
