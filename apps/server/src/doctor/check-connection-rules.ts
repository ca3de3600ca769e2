/**
 * Whether the uniqueness rules that profiles of connections have are held for all resources, also for those from before.
 * @module
 */
import { ALL_CONSTRAINTS, connectionRule } from "@scim/core";
import { createConnectionProfiles } from "@scim/tenancy";
import type { Store } from "@scim/store/sqlite";
import { profileOf } from "../profile.ts";
import type { Settings } from "../settings/table.ts";
import { type Check, fine, warning } from "./check.ts";

/** What the check looks at. */
export interface RuleSetting {
  readonly settings: Settings;
  readonly store: Pick<Store, "connections" | "resources">;
  readonly tenant: string;
}

/**
 * A server holds them from its start on, unless resources break one. One that is begun binds whoever writes already, as of
 * each connection that was made within the hour.
 */
export async function checkConnectionRules({ settings, store, tenant }: RuleSetting): Promise<Check> {
  const name = "uniqueness";
  const profiles = createConnectionProfiles(profileOf(settings));
  const open: string[] = [];
  let begun = false;
  for (const row of await store.connections.list(tenant)) {
    const { connection } = row;
    const { switches } = profiles(row);
    for (const constraint of ALL_CONSTRAINTS) {
      if (!switches.has(constraint.name)) continue;
      const state = await store.resources.rules?.state(connectionRule(constraint, { tenant, connection }));
      if (state === null || state === undefined)
        open.push(`${constraint.name} of connection '${connection}'`);
      else if (!state.complete) begun = true;
    }
  }
  if (open.length === 0) {
    const whom = begun ? "whoever writes, and for resources from before within an hour" : "all resources";
    return fine(name, `what is on is held for ${whom}`);
  }
  return warning(
    name,
    `not held for resources from before: ${open.join(", ")}`,
    "A server holds it within an hour of its start, unless resources break it: its log names their ids. See docs/profiles.md.",
  );
}
