/**
 * What is known of how a connection behaves: what its guard counts and holds, and when it sends requests.
 * @module
 */
import type { ConnectionName } from "@scim/tenancy";
import { sql } from "../sql.ts";
import type { Steps } from "../steps.ts";

/** Forgets it: another connection of the name has habits of its own. */
export function* forgetHabits({ tenant, connection }: ConnectionName): Steps<void> {
  yield sql`DELETE FROM guard_windows WHERE tenant = ${tenant} AND connection = ${connection}`;
  yield sql`DELETE FROM guard_held WHERE tenant = ${tenant} AND connection = ${connection}`;
  // The row stays: by it the upkeep of the request log finds the tenant, whose entries go when they are too old.
  yield sql`UPDATE request_sources SET run = '', begun = '', last = '', intervals = '[]', silence_told = NULL
    WHERE tenant = ${tenant} AND connection = ${connection}`;
}
