/**
 * What the rules of an audit log are tried with.
 * @module
 */
import type { EventFeed, ResourceStore } from "@scim/core";
import { assignAll, type ContractRule, ContractViolation, NOTHING, SCOPE, seed } from "@scim/core/testing";
import type { AuditStore } from "../audit/port.ts";
import { type AuditUpkeep, CHECKPOINT_MS } from "../audit/upkeep.ts";
import { SAMPLE_KEYS } from "./sample-keys.ts";

/** A store with an audit log. It must be opened with `SAMPLE_AUDIT`. */
export interface AuditedStore {
  readonly resources: ResourceStore;
  readonly events: EventFeed;
  readonly audit: AuditStore;
}

/** A rule of an audit log. */
export type AuditRule = ContractRule<AuditedStore>;

/** Whose log it is. */
export const TENANT = SCOPE.tenant;
/** Looks for an event that has its position: transactions of others on the same server may hold it up. */
const LOOKS = 2000;
/** Milliseconds between two looks in vain. */
const LOOK_MS = 3;

/** Gives positions until the last event of a tenant is that of a resource's present version, whatever others there are. */
export async function placeUpTo(
  { events, resources }: Pick<AuditedStore, "events" | "resources">,
  { tenant, type, id }: { readonly tenant: string; readonly type: string; readonly id: string },
): Promise<void> {
  const stored = await resources.read({ ...SCOPE, tenant }, { type, id }, NOTHING);
  let last: string | undefined;
  for (let look = 0; look < LOOKS && last !== stored?.version; look += 1) {
    if (look > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    await events.assign(1000);
    last = (await events.read(tenant, { after: 0, limit: 1000 })).at(-1)?.version;
  }
  if (last === undefined || last !== stored?.version)
    throw new ContractViolation("version of the last event", last ?? null, stored?.version ?? "one");
}

/** New users `u<first>` to `u<last>`, each an hour after the one before. */
export async function addUsers(store: AuditedStore, first: number, last: number): Promise<void> {
  for (let n = first; n <= last; n += 1) {
    const [id, at] = [`u${n}`, hour(n)];
    await seed(store.resources, [{ type: "User", id, body: { userName: id }, at }]);
  }
  await assignAll(store, last - first + 1);
}

/** An instant so many hours after the first of March. */
export function hour(n: number): string {
  return new Date(Date.UTC(2026, 2, 1) + n * CHECKPOINT_MS).toISOString();
}

/** An upkeep so many hours after the first of March. */
export function upkeep({ audit }: AuditedStore, hours: number): AuditUpkeep {
  return { ...SAMPLE_KEYS, audit, now: () => Date.parse(hour(hours)), isStopped: () => false };
}
