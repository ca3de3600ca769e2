/**
 * Whether tokens or secrets of a tenant, or tokens of administrators, end soon.
 * @module
 */
import type { Store } from "@scim/store/sqlite";
import { ADMIN_TENANT, type ExpiringCredential, expiringOf } from "@scim/tenancy";
import { type Check, fine, warning } from "./check.ts";

const NAME = "tokens";

/** What the check looks at. */
export interface TokenSetting {
  readonly store: Pick<Store, "tokens" | "clients">;
  readonly tenant: string;
  /** Whether those of administrators are looked at, too. */
  readonly shared: boolean;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
}

/** Tokens and secrets that end within thirty days. */
export async function checkTokens({ store, tenant, shared, now }: TokenSetting): Promise<Check> {
  const ending: ExpiringCredential[] = [];
  for (const holder of shared ? [tenant, ADMIN_TENANT] : [tenant]) {
    for await (const credential of expiringOf(holder, { ...store, now })) ending.push(credential);
  }
  const [first] = ending.toSorted((a, b) => Date.parse(a.expires ?? "") - Date.parse(b.expires ?? ""));
  if (first === undefined) return fine(NAME, "none ends within 30 days");
  const which = `${first.client === null ? "" : `secret of client ${first.client}, `}${first.id} of tenant '${first.tenant}' on ${first.expires?.slice(0, 10) ?? ""}`;
  return warning(
    NAME,
    ending.length === 1
      ? `one ends within 30 days: ${which}`
      : `${ending.length} end within 30 days, the first ${which}`,
    "Make a new one with 'scim token create' or 'scim client secret add', give it to the client, and revoke the old one when it is not used any more.",
  );
}
