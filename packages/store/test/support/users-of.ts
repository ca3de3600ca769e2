/**
 * Users to import.
 * @module
 */
import { createPlan } from "@scim/core/testing";
import { type BulkGroup, OpenBulk } from "../../src/imports/bulk.ts";

/** Users with these ids, as the rows of a bulk. */
export function usersOf(...ids: readonly string[]): BulkGroup {
  const bulk = new OpenBulk();
  for (const id of ids) bulk.add(createPlan({ type: "User", id, body: { userName: `name of ${id}` } }), []);
  const [group] = bulk.close(null).groups;
  if (group === undefined) throw new TypeError("There is no group");
  return group;
}
