/**
 * A receiver as administrators are shown it: everything but its secrets.
 * @module
 */
import type { Receiver, ReceiverStore } from "@scim/events";

/** Deliveries that are counted: what is more is shown as this. */
const COUNTED = 1000;

/** What is shown of a receiver, with how many deliveries wait and how many are dead: 1000 stands for more. */
export async function shownReceiver(
  receivers: Pick<ReceiverStore, "aside">,
  receiver: Receiver,
): Promise<ShownReceiver> {
  const count = async (state: "waiting" | "dead"): Promise<number> =>
    (await receivers.aside(receiver, { state, after: 0, limit: COUNTED })).length;
  const [waiting, dead] = await Promise.all([count("waiting"), count("dead")]);
  const { secrets, ...shown } = receiver;
  return {
    ...shown,
    secrets: secrets.map(({ id, created, expires }) => ({ id, created, expires })),
    waiting,
    dead,
  };
}

/** What is shown of a receiver. */
export interface ShownReceiver extends Omit<Receiver, "secrets"> {
  readonly secrets: readonly Omit<Receiver["secrets"][number], "sealed">[];
  readonly waiting: number;
  readonly dead: number;
}
