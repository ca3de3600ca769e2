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

/** A server holds them from its start on, unless resources break one. */
export async function checkConnectionRules({ settings, store, tenant }: RuleSetting): Promise<Check> {
  const name = "uniqueness";
  const profiles = createConnectionProfiles(profileOf(settings));
  const open: string[] = [];
  for (const row of await store.connections.list(tenant)) {
    const { connection } = row;
    const { switches } = profiles(row);
    for (const constraint of ALL_CONSTRAINTS) {
      if (!switches.has(constraint.name)) continue;
      const state = await store.resources.rules?.state(connectionRule(constraint, { tenant, connection }));
      if (state?.complete !== true) open.push(`${constraint.name} of connection '${connection}'`);
    }
  }
  if (open.length === 0) return fine(name, "what is on is held for all resources");
  return warning(
    name,
    `not held for resources from before: ${open.join(", ")}`,
    "A server holds it within an hour of its start, unless resources break it: its log names their ids. See docs/profiles.md.",
  );
}
