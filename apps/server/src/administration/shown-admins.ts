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
  type KeyPage,
  onPage,
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

/** An administrator with a token of its own, or one who signs in by an issuer. */
export type Administrating = StoredToken | AdminIdentity;

/** An administrator, whichever way in it has. */
export function shownAdministrator(administrator: Administrating): JsonObject {
  return "issuer" in administrator ? shownIdentity(administrator) : shownAdmin(administrator);
}

/**
 * Administrators in the order of their ids, which is that of their making.
 * @param page default all of them
 */
export async function administratorsOn(
  { tokens, admins }: Pick<TenancyPorts, "tokens" | "admins">,
  page?: KeyPage,
): Promise<readonly Administrating[]> {
  const [withTokens, identities] = await Promise.all([
    tokens.listTokens(ADMIN_TENANT, page === undefined ? {} : { page }),
    admins.listIdentities(),
  ]);
  const all: readonly Administrating[] = [...withTokens, ...identities];
  return onPage(
    all.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    ({ id }) => id,
    page,
  );
}

/** Whether the token that the administration began with is refused. */
export async function isRefused({ admins, now }: Pick<TenancyPorts, "admins" | "now">): Promise<boolean> {
  const present = Date.parse(now());
  return refusesBootstrap({ admins, now: () => present });
}
