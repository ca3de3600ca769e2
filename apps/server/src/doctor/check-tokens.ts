/**
 * Whether tokens of a tenant, or of administrators, end soon.
 * @module
 */
import type { Store } from "@scim/store/sqlite";
import { ADMIN_TENANT, isExpiring } from "@scim/tenancy";
import { type Check, fine, warning } from "./check.ts";

const NAME = "tokens";

/** What the check looks at. */
export interface TokenSetting {
  readonly store: Pick<Store, "tokens">;
  readonly tenant: string;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
}

/** Tokens that end within thirty days. */
export async function checkTokens({ store: { tokens }, tenant, now }: TokenSetting): Promise<Check> {
  const stored = [...(await tokens.listTokens(tenant)), ...(await tokens.listTokens(ADMIN_TENANT))];
  const ending = stored
    .filter((token) => isExpiring(token, { now }))
    .toSorted((a, b) => Date.parse(a.expires ?? "") - Date.parse(b.expires ?? ""));
  const [first] = ending;
  if (first === undefined) return fine(NAME, "none ends within 30 days");
  const which = `${first.id} of tenant '${first.tenant}' on ${first.expires?.slice(0, 10) ?? ""}`;
  return warning(
    NAME,
    ending.length === 1
      ? `one ends within 30 days: ${which}`
      : `${ending.length} end within 30 days, the first ${which}`,
    "Make a new one with 'scim token create', give it to the client, and revoke the old one when it is not used any more.",
  );
}
