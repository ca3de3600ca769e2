/**
 * What the rules of guards are tried with.
 * @module
 */
import type { ResourceStore, Statement } from "@scim/core";
import { type ContractRule, createPlan, expectEqual, NOTHING, SCOPE } from "@scim/core/testing";
import type { AdminDecision } from "../decision.ts";
import {
  type GuardCount,
  type GuardPlace,
  type GuardState,
  type GuardStore,
  type HeldChange,
  isGuardBound,
} from "../guard/port.ts";

/** A store with guards. */
export interface GuardedStore {
  readonly resources: ResourceStore;
  readonly guard: GuardStore;
}

/** A rule of a store of guards. */
export type GuardRule = ContractRule<GuardedStore>;

/** What is counted, where a rule does not say otherwise. */
export const PLACE: GuardPlace = { ...SCOPE, measure: "removals", type: "User" };

/** Places that differ from it by one thing. */
export const BESIDE: readonly GuardPlace[] = [
  { ...PLACE, tenant: "south" },
  { ...PLACE, connection: "second" },
  { ...PLACE, measure: "deletions" },
  { ...PLACE, type: "Group" },
];

/** An instant of the contract, in minutes. */
export function minute(minutes: number): string {
  return new Date(Date.parse("2026-03-01T08:00:00.000Z") + minutes * 60_000).toISOString();
}

/** An administrator decides. */
export function decision(minutes: number): AdminDecision {
  return { actor: { admin: "ada" }, at: minute(minutes) };
}

/** Nothing was counted or held. */
export const UNTOUCHED: GuardState = {
  started: null,
  count: 0,
  isTold: false,
  holds: false,
  held: null,
  released: null,
};

let writes = 0;

/** Writes a resource and a statement in one transaction. Resolves to whether the bound of the statement allowed it. */
export async function wrote({ resources }: GuardedStore, statement: Statement): Promise<boolean> {
  const id = `w${(writes += 1)}`;
  const plan = { ...createPlan({ type: "User", id, body: { userName: id } }), statements: [statement] };
  try {
    await resources.write(SCOPE, plan);
    return true;
  } catch (error) {
    if (!isGuardBound(error)) throw error;
    const kept = await resources.read(SCOPE, { type: "User", id }, NOTHING);
    expectEqual(kept, null, "what was refused");
    return false;
  }
}

/** Counts one at the place in a window of an hour; without a bound where none is given. */
export function counted(
  store: GuardedStore,
  { minutes = 0, ...of }: Partial<GuardCount> & { readonly minutes?: number },
): Promise<boolean> {
  const [at, endsBefore, latest] = [minute(minutes), minute(minutes - 60), minute(minutes + 60)];
  return wrote(
    store,
    store.guard.counting({ ...PLACE, by: 1, at, endsBefore, latest, most: null, isTold: false, ...of }),
  );
}

/** What a change that is refused states. */
export type Refused = Parameters<GuardStore["hold"]>[0];

/** A change that takes two members out and is refused at the place. */
export function refused(of: Partial<Refused> = {}): Refused {
  return {
    ...PLACE,
    id: "h1",
    resource: "u1",
    last: minute(0),
    changes: [{ path: "active", before: { value: true }, after: { value: false } }],
    removed: { values: ["a", "b"], count: 2 },
    ...of,
  };
}

/** It, as it is held for the first time. */
export function heldOnce(change: Refused): HeldChange {
  return { ...change, first: change.last, tries: 1, released: null };
}

/** Ids of the held changes of a tenant. */
export async function heldIds(
  { guard }: GuardedStore,
  tenant: string = PLACE.tenant,
): Promise<readonly string[]> {
  return (await guard.held(tenant, { limit: 100 })).map(({ id }) => id);
}
