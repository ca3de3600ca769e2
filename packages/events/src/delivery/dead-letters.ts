/**
 * What was given up listed, delivered again, or dropped for good; and receivers set back.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { type Deciding, decisionOf } from "../decision.ts";
import { findReceiver, type ReceiverPorts, type ReceiverTarget } from "./administration.ts";
import type { AsideDelivery } from "./receiver.ts";

/** Most dead letters that are listed, or named, at once. */
const MOST_LISTED = 1000;

/**
 * The deliveries that were given up, in the order of their positions.
 * @throws ScimError `notFound`
 */
export async function listDead(
  ports: Pick<ReceiverPorts, "receivers">,
  { family, name }: Pick<ReceiverTarget, "family" | "name">,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly AsideDelivery[]> {
  await findReceiver(ports, family, name);
  return ports.receivers.aside(name, { state: "dead", after, limit: Math.min(limit, MOST_LISTED) });
}

/** As many as are listed at once may be named at once. */
function checkPositions(positions: readonly number[] | null): void {
  if (positions === null || positions.length <= MOST_LISTED) return;
  throw new ScimError("invalidValue", `At most ${MOST_LISTED} positions can be named at once.`);
}

/**
 * Gives up for good what was given up: those of positions, or all. The events stay in the feed.
 * @returns how many dead letters are gone
 * @throws ScimError `notFound`, `invalidValue`
 */
export async function dropDead(
  ports: Pick<ReceiverPorts, "receivers"> & Deciding,
  { family, name }: Pick<ReceiverTarget, "family" | "name">,
  positions: readonly number[] | null,
): Promise<number> {
  await findReceiver(ports, family, name);
  checkPositions(positions);
  return ports.receivers.drop(name, positions, decisionOf(ports));
}

/** What is delivered again: everything behind a position, or what was given up (those of positions, or all). */
export type Replay =
  | { readonly kind: "behind"; readonly position: number }
  | { readonly kind: "dead"; readonly positions: readonly number[] | null };

/**
 * Delivers again. The ids of messages stay the same, so that a receiver that remembers them can tell.
 * @returns how many deliveries were taken up again; null where it is all behind a position
 * @throws ScimError `notFound`, `invalidValue`
 */
export async function replay(
  ports: Pick<ReceiverPorts, "receivers" | "events"> & Deciding,
  { family, name }: Pick<ReceiverTarget, "family" | "name">,
  wanted: Replay,
): Promise<number | null> {
  await findReceiver(ports, family, name);
  if (wanted.kind === "dead") {
    checkPositions(wanted.positions);
    return ports.receivers.revive(name, wanted.positions, decisionOf(ports));
  }
  const head = await ports.events.head(name.tenant);
  if (!Number.isSafeInteger(wanted.position) || wanted.position < 0 || wanted.position > head) {
    throw new ScimError(
      "invalidValue",
      `The position must be a whole number from 0 to ${head}, the last one.`,
    );
  }
  await ports.receivers.rewind(name, wanted.position, decisionOf(ports));
  return null;
}
