/**
 * How administrators get in: whether the token that the administration began with is still good.
 * @module
 */
import type { Store } from "@scim/store/sqlite";
import { refusesBootstrap } from "@scim/tenancy";
import { type Check, fine } from "./check.ts";

/** What the check looks at. */
export interface AdministratorSetting {
  readonly store: Pick<Store, "admins">;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
}

/** Tells whether servers refuse `SCIM_ADMIN_TOKEN`. Neither is wrong: whoever wonders why it is refused looks here. */
export async function checkAdministrators({ store: { admins }, now }: AdministratorSetting): Promise<Check> {
  const isRefused = await refusesBootstrap({ admins, now: () => now });
  return fine(
    "administrators",
    isRefused
      ? "an owner can sign in by an issuer, and servers refuse SCIM_ADMIN_TOKEN"
      : "no owner can sign in by an issuer, and SCIM_ADMIN_TOKEN is good",
  );
}
