/**
 * Access tokens of foreign issuers: JWTs that a client sends to SCIM itself (RFC 9068 and its like).
 * @module
 */
import type { CredentialGrant } from "../credentials/credential-grant.ts";
import { ADMIN_TENANT } from "../credentials/token-text.ts";
import { SUBJECT_CLAIMS, type ClientTrust, type SubjectClaim } from "./client.ts";
import type { ClientStore, WithClient } from "./client-store.ts";
import { grantOf } from "./client-tokens.ts";
import { readUnverified, type UnverifiedJwt } from "./jwt/foreign-jwt.ts";
import type { JwtCheck } from "./jwt/verify-jwt.ts";

/** What finding needs from outside. */
export interface ForeignAccessOptions {
  readonly clients: Pick<ClientStore, "findAccessTrusts">;
  readonly checkJwt: JwtCheck;
  /** The tenant that is meant where the address names none; null for none: then no foreign token is good there. */
  readonly tenant: string | null;
  /** Makes the error for keys of an issuer that cannot be read. */
  readonly unavailable: (cause: unknown) => Error;
  /** Told why a JWT is refused whose issuer, audience and subject are those of a client. */
  readonly onRefused?: ((reason: string, client: ForeignClient) => void) | undefined;
}

/** The client that a JWT would stand for. */
export type ForeignClient = WithClient<"trust", ClientTrust>["client"];

/**
 * What a JWT of a foreign issuer stands for; null where it is none, or leads not to exactly one client. The address
 * names the tenant, and no claim does: otherwise whoever administers one tenant could enter what an issuer says of
 * another.
 * @param tenant the tenant that the address names, or null
 * @throws what `unavailable` makes
 */
export async function findForeignAccess(
  text: string,
  tenant: string | null,
  options: ForeignAccessOptions,
): Promise<CredentialGrant | null> {
  const where = tenant ?? options.tenant;
  const claims = readUnverified(text, SUBJECT_CLAIMS);
  if (where === null || where === ADMIN_TENANT || claims === null) return null;
  const found = await meantBy(claims, where, options);
  if (found === null) return null;
  const { trust, client } = found;
  const outcome = await options.checkJwt(text, trust);
  switch (outcome.kind) {
    case "good": {
      const expires = new Date(outcome.jwt.expires).toISOString();
      return grantOf(client, { scopes: client.scopes, expires });
    }
    case "refused":
      options.onRefused?.(outcome.reason, client);
      return null;
    case "unavailable":
      throw options.unavailable(outcome.cause);
  }
}

/** The one trust that issuer, audience and subject are those of; null for none, and where there are several. */
async function meantBy(
  { issuer, audiences, subjects }: UnverifiedJwt<SubjectClaim>,
  tenant: string,
  { clients }: ForeignAccessOptions,
): Promise<WithClient<"trust", ClientTrust> | null> {
  if (audiences.length === 0 || subjects.size === 0) return null;
  const query = { issuer, subjects: [...new Set(subjects.values())] };
  const found = (await clients.findAccessTrusts(tenant, query)).filter(
    ({ trust }) => audiences.includes(trust.audience) && subjects.get(trust.claim) === trust.subject,
  );
  const [one, ...others] = found;
  return one === undefined || others.length > 0 ? null : one;
}
