/**
 * Decisions over changes that guards hold, as commands and the admin API take them.
 * @module
 */
import type { AdminDecision, GuardStore, HeldChoice } from "@scim/events";
import { ScimError } from "@scim/schemas";
import type { ConnectionStore } from "@scim/tenancy";
import { requireKnownConnection } from "./known-tenant.ts";

/** What decides: a release lets changes pass when they are sent again, a dismissal forgets them. */
export type HeldDecision = "release" | "dismiss";

/** What was decided. */
export interface DecidingHeld {
  readonly tenant: string;
  readonly how: HeldDecision;
  readonly which: HeldChoice;
  readonly decision: AdminDecision;
}

/**
 * Releases or dismisses. Resolves to how many changes: of those that were released already, none.
 * @throws ScimError `notFound` where no change of the id is held; TenancyError `notFound` where there is no such connection
 */
export async function decideHeld(
  { guard, connections }: { readonly guard: GuardStore; readonly connections: ConnectionStore },
  { tenant, how, which, decision }: DecidingHeld,
): Promise<number> {
  const count = await guard[how](tenant, which, decision);
  if (count > 0) return count;
  if ("connection" in which) {
    await requireKnownConnection({ connections }, { tenant, connection: which.connection });
    return 0;
  }
  const [known] = await guard.held(tenant, { id: which.id, limit: 1 });
  if (known !== undefined) return 0;
  throw new ScimError(
    "notFound",
    `Tenant '${tenant}' holds no change '${which.id}': it was dismissed, or has passed since it was released, or the id is of something else. List what is held.`,
  );
}
