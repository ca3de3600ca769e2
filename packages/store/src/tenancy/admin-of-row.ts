/**
 * Administrators and their issuers, read from rows. What only a later release knows is an error: guessing would give
 * rights.
 * @module
 */
import {
  type AdminGroup,
  type AdminGroups,
  type AdminIdentity,
  type AdminIssuer,
  isAdminSubjectClaim,
  isJwtAlgorithm,
  roleOfScopes,
  scopeOfRole,
} from "@scim/tenancy";
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import { parseObject } from "../resources/rows.ts";
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
    groups: groupsOf(textOrNullOf(row, "group_roles")),
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
    lastUsed: textOrNullOf(row, "last_used"),
    created: textOf(row, "created"),
    createdBy: textOrNullOf(row, "created_by"),
    revision: numberOf(row, "revision"),
  };
}

/** What the column of an issuer holds of the roles that its groups give: the scope of each, by group. */
export function groupsText(groups: AdminGroups | null): string | null {
  if (groups === null) return null;
  const { claim, roles } = groups;
  return JSON.stringify({
    claim,
    roles: roles.map(({ group, role, tenant }) => ({ group, scope: scopeOfRole(role, tenant) })),
  });
}

function groupsOf(text: string | null): AdminGroups | null {
  if (text === null) return null;
  const { claim, roles } = parseObject(text);
  if (typeof claim !== "string" || roles === undefined || !isJsonArray(roles))
    throw new TypeError("An issuer has groups that this release does not know");
  return { claim, roles: roles.flatMap(groupOf) };
}

/** A role that this release does not know is given to nobody. */
function groupOf(stored: JsonValue): readonly AdminGroup[] {
  const { group, scope } = isJsonObject(stored) ? stored : {};
  const role = typeof scope === "string" ? roleOfScopes([scope]) : null;
  return typeof group === "string" && role !== null ? [{ group, ...role }] : [];
}
