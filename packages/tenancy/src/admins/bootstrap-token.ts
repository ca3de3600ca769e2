/**
 * The token that a server begins with (`SCIM_ADMIN_TOKEN`): it is of nobody, and good until an owner signs in by name.
 * @module
 */
import type { StoredToken } from "../credentials/port.ts";
import { ADMIN_TENANT } from "../credentials/token-text.ts";
import type { AdminStore } from "./admin-store.ts";

/** Who is noted as the maker of tokens that a start of the server sees to. */
export const STARTED_BY = "start of the server";

/** Tells whether a token is the one that the administration begins with: tokens of administrators have a name or a maker. */
export function isBootstrapToken({
  tenant,
  name,
  createdBy,
}: Pick<StoredToken, "tenant" | "name" | "createdBy">): boolean {
  return tenant === ADMIN_TENANT && name === null && (createdBy === null || createdBy === STARTED_BY);
}

/** What tells whether the token is refused. */
export interface BootstrapRefusal {
  readonly admins: Pick<AdminStore, "hasOwner">;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Whether the token that the administration begins with is refused: while an owner can sign in by an issuer. */
export function refusesBootstrap({ admins, now }: BootstrapRefusal): Promise<boolean> {
  return admins.hasOwner(new Date(now()).toISOString());
}
