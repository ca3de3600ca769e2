/**
 * What is said of a change to an administrator who has a token.
 * @module
 */
import { ADMIN_TENANT, findToken, TenancyError, type TenancyPorts } from "@scim/tenancy";

/**
 * Refuses to change an administrator who does not sign in by an issuer.
 * @throws TenancyError `refused`, or `notFound` where there is none
 */
export async function refuseToken(ports: Pick<TenancyPorts, "tokens">, id: string): Promise<never> {
  await findToken(ports, { tenant: ADMIN_TENANT, id });
  throw new TenancyError("refused", "A token stays as it was made: make another, and revoke this one.");
}
