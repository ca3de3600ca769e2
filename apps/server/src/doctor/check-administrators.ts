/**
 * How administrators get in: whether anybody can, and whether the token that the administration began with is still good.
 * @module
 */
import type { Store } from "@scim/store/sqlite";
import { ADMIN_TENANT, isBootstrapToken, isExpired, refusesBootstrap } from "@scim/tenancy";
import { counted } from "../progress/progress.ts";
import { type Check, fine, warning } from "./check.ts";

const NAME = "administrators";

/** What the check looks at. */
export interface AdministratorSetting {
  readonly store: Pick<Store, "admins" | "tokens">;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
}

/** Tells whether servers refuse `SCIM_ADMIN_TOKEN`: whoever wonders why it is refused looks here. Nobody at all is told as well. */
export async function checkAdministrators({
  store: { admins, tokens },
  now,
}: AdministratorSetting): Promise<Check> {
  if (await refusesBootstrap({ admins, now: () => now }))
    return fine(NAME, "an owner can sign in by an issuer, and servers refuse SCIM_ADMIN_TOKEN");
  const all = await tokens.listTokens(ADMIN_TENANT);
  const good = all.filter((token) => token.revoked === null && !isExpired(token, now));
  if (good.some(isBootstrapToken))
    return fine(NAME, "no owner can sign in by an issuer, and SCIM_ADMIN_TOKEN is good");
  if (good.length > 0) {
    const named = counted(good.length, "token of an administrator is", "tokens of administrators are");
    return fine(NAME, `no owner can sign in by an issuer, no SCIM_ADMIN_TOKEN is good, and ${named}`);
  }
  return warning(
    NAME,
    "no owner can sign in by an issuer, and no token of an administrator is good",
    "Make a token with 'scim token create --tenant admin --name NAME', or give SCIM_ADMIN_TOKEN to the server.",
  );
}
