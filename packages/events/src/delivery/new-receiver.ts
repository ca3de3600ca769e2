/**
 * Receivers that are made: where they begin, and how many there may be.
 * @module
 */
import { nextRevision } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { type Deciding, decisionOf } from "../decision.ts";
import { listReceivers, type ReceiverPorts } from "./administration.ts";
import { familyOf, type Receiver, type ReceiverFamily } from "./receiver.ts";

/** Most receivers of one family that a tenant may have: each reads every event. */
const MOST_RECEIVERS = 50;

/**
 * The position that a new receiver begins behind.
 * @param since as it was asked for; without it, it begins with what happens next
 * @throws ScimError `invalidValue`, also where the tenant has as many as it may have
 */
export async function beginningOf(
  ports: Pick<ReceiverPorts, "receivers" | "events">,
  { family, tenant }: { readonly family: ReceiverFamily; readonly tenant: string },
  since: number | undefined,
): Promise<number> {
  const [head, others] = await Promise.all([ports.events.head(tenant), listReceivers(ports, family, tenant)]);
  const position = since ?? head;
  if (!Number.isSafeInteger(position) || position < 0 || position > head) {
    throw new ScimError(
      "invalidValue",
      `It must begin behind a whole number from 0 to ${head}, the last position.`,
    );
  }
  if (others.length < MOST_RECEIVERS) return position;
  throw tooMany(family);
}

function tooMany(family: ReceiverFamily): ScimError {
  return new ScimError("invalidValue", `A tenant may have ${MOST_RECEIVERS} ${family}s; delete one first.`);
}

/**
 * Adds a receiver, unless others that are added at this moment are as many as there may be.
 * @throws ScimError `invalidValue`
 */
export async function addReceiver(
  ports: Pick<ReceiverPorts, "receivers"> & Deciding,
  receiver: Receiver,
): Promise<void> {
  if (!(await ports.receivers.add(receiver, decisionOf(ports), MOST_RECEIVERS)))
    throw tooMany(familyOf(receiver.kind));
}

/** What is decided of a new receiver. */
export type DecidedReceiver = Pick<
  Receiver,
  "tenant" | "kind" | "url" | "types" | "payload" | "audience" | "position" | "secrets"
>;

/** A receiver that has not been told anything. */
export function newReceiver(
  { newId, now, random }: Pick<ReceiverPorts, "newId" | "now" | "random">,
  decided: DecidedReceiver,
): Receiver {
  return {
    ...decided,
    id: newId(),
    state: "active",
    reason: null,
    created: new Date(now()).toISOString(),
    revision: nextRevision(0, random()),
    failingSince: null,
    lastDelivery: null,
    lastProblem: null,
  };
}
