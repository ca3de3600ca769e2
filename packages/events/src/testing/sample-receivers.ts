/**
 * What the rules of receivers are tried with.
 * @module
 */
import type { EventFeed, ResourceStore } from "@scim/core";
import { type ContractRule, SCOPE } from "@scim/core/testing";
import type { AdminDecision } from "../decision.ts";
import type { Present } from "../delivery/backoff.ts";
import type { DeliveryProgress, ReceiverStore } from "../delivery/port.ts";
import type { AsideDelivery, Receiver, ReceiverName } from "../delivery/receiver.ts";

/** A store with receivers. */
export interface StoreWithReceivers {
  readonly resources: ResourceStore;
  readonly events: EventFeed;
  readonly receivers: ReceiverStore;
}

/** A rule of a store of receivers. */
export type ReceiverRule = ContractRule<StoreWithReceivers>;

/** Whose receivers they are. */
export const TENANT: string = SCOPE.tenant;

/** A webhook of the tenant of the contract. */
export function sampleReceiver(of: Partial<Receiver> = {}): Receiver {
  return {
    tenant: TENANT,
    id: "r1",
    kind: "webhook",
    url: "https://hooks.example.com/scim",
    state: "active",
    reason: null,
    types: ["User", "*.deleted"],
    payload: "reference",
    secrets: [{ id: "s1", sealed: "sealed", created: at(0), expires: null }],
    audience: null,
    created: at(0),
    revision: 1,
    position: 0,
    failingSince: null,
    lastDelivery: null,
    lastProblem: null,
    ...of,
  };
}

/** What an administrator decides at an instant. */
export function by(instant: string): AdminDecision {
  return { actor: { admin: "ada" }, at: instant };
}

/** An instant so many seconds after the first of March. */
export function at(seconds: number): string {
  return new Date(Date.UTC(2026, 2, 1) + seconds * 1000).toISOString();
}

/** A delivery of a position that was set aside. */
export function delivery(position: number, of: Partial<AsideDelivery> = {}): AsideDelivery {
  return {
    position,
    type: "User",
    resource: `u${position}`,
    state: "waiting",
    attempts: 1,
    since: at(1),
    next: at(60),
    problem: "The receiver answered 500.",
    ...of,
  };
}

/** How far holder `a` came, from the beginning on, at the address of {@link sampleReceiver}. */
export function progress(of: Partial<DeliveryProgress>): DeliveryProgress {
  const outcome = { failingSince: null, lastDelivery: null, lastProblem: null };
  const { url } = sampleReceiver();
  return { holder: "a", url, from: 0, to: 0, outcome, disabled: null, aside: [], done: [], ...of };
}

/** The receiver of most rules. */
export const NAME: ReceiverName = { tenant: TENANT, id: "r1" };

/** The present so many seconds after the beginning: nothing is set for more than 100 seconds later. */
export function present(seconds: number): Present {
  return { now: at(seconds), latest: at(seconds + 100) };
}

/** Whether a holder gets the lease of {@link NAME}. */
export async function leased(
  { receivers }: StoreWithReceivers,
  holder: string,
  seconds = 0,
): Promise<boolean> {
  const lease = { holder, ...present(seconds), until: at(seconds + 10) };
  return (await receivers.lease(NAME, lease)) !== null;
}

/** Positions of what is set aside in a state. */
export async function positions(
  { receivers }: StoreWithReceivers,
  state: AsideDelivery["state"],
  page: { readonly after: number; readonly limit: number } = { after: 0, limit: 100 },
): Promise<readonly number[]> {
  return (await receivers.aside(NAME, { state, ...page })).map(({ position }) => position);
}
