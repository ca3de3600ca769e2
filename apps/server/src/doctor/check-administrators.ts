/**
 * How administrators get in: whether anybody can, and whether the token that the administration began with is still good.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import type { Store } from "@scim/store/sqlite";
import { ADMIN_TENANT, type AdminIssuer, isBootstrapToken, isExpired, refusesBootstrap } from "@scim/tenancy";
import { counted } from "../progress/progress.ts";
import { type Check, fine, warning } from "./check.ts";

const NAME = "administrators";

/** What the check looks at. */
export interface AdministratorSetting {
  readonly store: Pick<Store, "admins" | "tokens">;
  /** Reads the public keys of an issuer at their address; rejects where they cannot be read. */
  readonly readKeys: (address: string) => Promise<unknown>;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
}

/** Tells whether servers refuse `SCIM_ADMIN_TOKEN`: whoever wonders why it is refused looks here. Nobody at all is told as well. */
export async function checkAdministrators(setting: AdministratorSetting): Promise<Check> {
  const {
    store: { admins, tokens },
    now,
  } = setting;
  if (await refusesBootstrap({ admins, now: () => now })) return checkIssuers(setting);
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

/** An owner gets in only by an issuer whose keys can be read. */
async function checkIssuers({ store: { admins }, readKeys, now }: AdministratorSetting): Promise<Check> {
  const owners = (await admins.listIdentities()).filter(
    (identity) => identity.role === "owner" && !isExpired(identity, now),
  );
  const issuers = (await admins.listIssuers()).filter(
    ({ id, state }) => state === "active" && owners.some(({ issuer }) => issuer === id),
  );
  const faults = await Promise.all(issuers.map((issuer) => faultOf(issuer, readKeys)));
  if (faults.some((fault) => fault === null))
    return fine(NAME, "an owner can sign in by an issuer, and servers refuse SCIM_ADMIN_TOKEN");
  return warning(
    NAME,
    `servers refuse SCIM_ADMIN_TOKEN, since an owner signs in by an issuer, and from here ${faults.join("; ")}`,
    "See to the address of the keys with 'scim admin issuer list'; 'scim token create --tenant admin --name NAME' makes a token meanwhile.",
  );
}

async function faultOf(
  { issuer, jwksUri }: AdminIssuer,
  readKeys: AdministratorSetting["readKeys"],
): Promise<string | null> {
  try {
    // It was read as JSON.
    const document = (await readKeys(jwksUri)) as JsonValue;
    if (isJsonObject(document) && isJsonArray(document["keys"])) return null;
    return `the keys of ${issuer} cannot be read: what is there is no set of keys`;
  } catch (error) {
    return `the keys of ${issuer} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
