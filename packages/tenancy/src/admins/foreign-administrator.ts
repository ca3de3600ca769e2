/**
 * Administrators by the JWTs of issuers that an owner trusts.
 * @module
 */
import { scopeOfRole } from "../administration/roles.ts";
import type { CredentialGrant } from "../credentials/credential-grant.ts";
import { ADMIN_TENANT, DEFAULT_NAME } from "../credentials/token-text.ts";
import { isExpired } from "../credentials/verify-token.ts";
import { readUnverified } from "../oauth/jwt/foreign-jwt.ts";
import type { JwtCheck } from "../oauth/jwt/verify-jwt.ts";
import {
  ADMIN_SUBJECT_CLAIMS,
  type AdminGroup,
  type AdminIdentity,
  type AdminIssuer,
} from "./admin-identity.ts";
import type { AdminStore } from "./admin-store.ts";

/** What finding needs from outside. */
export interface ForeignAdministratorOptions {
  readonly admins: Pick<AdminStore, "findIssuers" | "findIdentity">;
  readonly checkJwt: JwtCheck;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Makes what logs name somebody by who is an administrator by a group: always the same, and nothing of the person. */
  readonly idOf: (issuer: string, subject: string) => string;
  /** Makes the error for keys of an issuer that cannot be read. */
  readonly unavailable: (cause: unknown) => Error;
  /** Makes the error for somebody who is signed in, and is no administrator. */
  readonly unknown: (issuer: AdminIssuer) => Error;
  /** Called with the id of a listed administrator who was let in: it must neither throw nor take time. */
  readonly onUse?: ((id: string) => void) | undefined;
  /** Told why a JWT is refused whose issuer and audience are trusted. */
  readonly onRefused?: ((reason: string, issuer: AdminIssuer) => void) | undefined;
}

/**
 * The administrator that a JWT stands for; null where it is none, or none that is valid. Issuer and audience lead to one
 * issuer that an owner entered, and issuer and subject to one administrator. Somebody who is not listed so is what the
 * groups are that the owner gave roles to; no other claim gives one.
 * @param tenant the tenant that is asked for: no other than `admin` has administrators
 * @throws what `unavailable` and `unknown` make
 */
export async function findForeignAdministrator(
  text: string,
  tenant: string | null,
  options: ForeignAdministratorOptions,
): Promise<CredentialGrant | null> {
  const claims = tenant === ADMIN_TENANT ? readUnverified(text, ADMIN_SUBJECT_CLAIMS) : null;
  if (claims === null) return null;
  const [issuer, ...others] = (await options.admins.findIssuers(claims.issuer)).filter(
    ({ state, audience }) => state === "active" && claims.audiences.includes(audience),
  );
  if (issuer === undefined || others.length > 0) return null;
  const subject = claims.subjects.get(issuer.claim);
  if (subject === undefined) return null;
  // The subject is asked of what is signed too, so that the one that was read is the one that was meant.
  const outcome = await options.checkJwt(text, {
    ...issuer,
    subject,
    groupClaim: issuer.groups?.claim,
  });
  switch (outcome.kind) {
    case "good": {
      const found = await findAdministrator({ issuer, subject, groups: outcome.jwt.groups }, options);
      if (found === null || isExpired(found, options.now())) throw options.unknown(issuer);
      return grantOf(found, outcome.jwt.expires);
    }
    case "refused":
      options.onRefused?.(outcome.reason, issuer);
      return null;
    case "unavailable":
      throw options.unavailable(outcome.cause);
  }
}

/** Who is an administrator: listed, or by a group. */
type Found = Pick<AdminIdentity, "id" | "name" | "role" | "tenant" | "expires">;

/** Whom a good JWT names, and the groups that it tells of. */
interface Named {
  readonly issuer: AdminIssuer;
  readonly subject: string;
  readonly groups: readonly string[];
}

/** Who is listed is what the list says; else the groups count. */
async function findAdministrator(
  { issuer, subject, groups }: Named,
  { admins, idOf, onUse, now }: ForeignAdministratorOptions,
): Promise<Found | null> {
  const listed = await admins.findIdentity({ issuer: issuer.id, subject });
  if (listed !== null) {
    if (!isExpired(listed, now())) onUse?.(listed.id);
    return listed;
  }
  const given = issuer.groups?.roles.find((each: AdminGroup) => groups.includes(each.group));
  if (given === undefined) return null;
  // The trail names somebody by the subject: the name that a JWT has is one that people may choose.
  const { role, tenant } = given;
  return { id: idOf(issuer.id, subject), name: subject, role, tenant, expires: null };
}

/** What an administrator may do, until the JWT or the administrator ends. */
function grantOf({ id, name, role, tenant, expires }: Found, jwtExpires: number): CredentialGrant {
  const end = expires === null ? jwtExpires : Math.min(jwtExpires, Date.parse(expires));
  return {
    tenant: ADMIN_TENANT,
    connection: DEFAULT_NAME,
    id,
    name,
    scopes: [scopeOfRole(role, tenant)],
    subject: null,
    expires: new Date(end).toISOString(),
  };
}
