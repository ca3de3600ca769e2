/**
 * Administrators and their issuers as they are shown: the same JSON on the command line and below `/admin/v1`.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import {
  ADMIN_TENANT,
  type AdminGroups,
  type AdminIdentity,
  type AdminIssuer,
  isBootstrapToken,
  refusesBootstrap,
  roleOfScopes,
  type StoredToken,
  type TenancyPorts,
} from "@scim/tenancy";

/** The token of an administrator. */
export function shownAdmin(token: StoredToken): JsonObject {
  const { id, name, created, createdBy, expires, lastUsed, revoked } = token;
  const { role, tenant } = roleOfScopes(token.scopes) ?? { role: null, tenant: null };
  const kind = isBootstrapToken(token) ? "bootstrap" : "token";
  return { id, kind, name, role, tenant, expires, lastUsed, revoked, created, createdBy };
}

/** An administrator who signs in by an issuer. */
export function shownIdentity(identity: AdminIdentity): JsonObject {
  const { id, name, role, tenant, issuer, subject, expires, lastUsed, created, createdBy, revision } =
    identity;
  return {
    id,
    kind: "identity",
    name,
    role,
    tenant,
    issuer,
    subject,
    expires,
    lastUsed,
    created,
    createdBy,
    revision,
  };
}

/** An issuer of administrators. */
export function shownIssuer(shown: AdminIssuer): JsonObject {
  const { id, issuer, jwksUri, audience, claim, algorithms, groups, state, created, createdBy, revision } =
    shown;
  return {
    id,
    issuer,
    jwksUri,
    audience,
    claim,
    algorithms: [...algorithms],
    groups: groups === null ? null : shownGroups(groups),
    state,
    created,
    createdBy,
    revision,
  };
}

function shownGroups({ claim, roles }: AdminGroups): JsonObject {
  return { claim, roles: roles.map(({ group, role, tenant }) => ({ group, role, tenant })) };
}

/** All administrators, those with tokens first, and whether the token that the administration began with is refused. */
export async function shownAdmins({
  tokens,
  admins,
  now,
}: Pick<TenancyPorts, "tokens" | "admins" | "now">): Promise<{
  readonly admins: readonly JsonObject[];
  readonly bootstrapRefused: boolean;
}> {
  const present = Date.parse(now());
  const [withTokens, identities, bootstrapRefused] = await Promise.all([
    tokens.listTokens(ADMIN_TENANT),
    admins.listIdentities(),
    refusesBootstrap({ admins, now: () => present }),
  ]);
  return {
    admins: [...withTokens.map(shownAdmin), ...identities.map(shownIdentity)],
    bootstrapRefused,
  };
}
