/**
 * Receivers looked up, changed and removed, whatever their kind.
 * @module
 */
import { type EventFeed, nextRevision } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { type Deciding, decisionOf } from "../decision.ts";
import type { ReceiverStore } from "./port.ts";
import { type AddressesLiftedBy, type AllowedAddresses, faultOfUrl } from "./receiver-url.ts";
import {
  familyOf,
  type Receiver,
  type ReceiverFamily,
  type ReceiverName,
  type ReceiverSettings,
} from "./receiver.ts";
import { EVENT_PATTERNS, isEventPattern } from "./wanted.ts";

/** What administration of receivers needs. What it changes is told with who does it. */
export interface ReceiverPorts extends Deciding {
  readonly receivers: ReceiverStore;
  readonly events: Pick<EventFeed, "head">;
  /** Which addresses receivers may have. */
  readonly allowed: AllowedAddresses;
  /** A new id that no other receiver has. */
  readonly newId: () => string;
  /** A number from 0 to below 1, such as `Math.random` gives; see `nextRevision`. */
  readonly random: () => number;
}

/** A receiver that is changed or removed. */
export interface ReceiverTarget {
  readonly family: ReceiverFamily;
  readonly name: ReceiverName;
  /** The revision that it is meant for; null or left out: whichever it has. */
  readonly expected?: number | null;
}

/** What changes of a receiver; what is left out stays. */
export interface ReceiverChange {
  readonly url?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly payload?: Receiver["payload"] | undefined;
  readonly state?: "active" | "paused" | undefined;
}

/** How often a change is tried again where others change the same receiver. */
const ATTEMPTS = 8;
/** Most patterns of one receiver. */
const MOST_PATTERNS = 100;

/**
 * The receiver of a name.
 * @throws ScimError `notFound`
 */
export async function findReceiver(
  { receivers }: Pick<ReceiverPorts, "receivers">,
  family: ReceiverFamily,
  name: ReceiverName,
): Promise<Receiver> {
  const found = await receivers.find(name);
  if (found !== null && familyOf(found.kind) === family) return found;
  throw new ScimError("notFound", `Tenant '${name.tenant}' has no ${family} '${name.id}'.`);
}

/** The receivers of a tenant of one family, by id, which is in the order of their making. */
export async function listReceivers(
  { receivers }: Pick<ReceiverPorts, "receivers">,
  family: ReceiverFamily,
  tenant: string,
): Promise<readonly Receiver[]> {
  return (await receivers.list(tenant)).filter(({ kind }) => familyOf(kind) === family);
}

/** The settings by which a server allows receivers at such addresses. */
const LIFTED_BY: AddressesLiftedBy = {
  privateAddresses: "delivery.privateAddresses",
  plainHttp: "delivery.plainHttp",
};

/**
 * Checks what is asked of a receiver, as {@link createWebhook} and its like do: for whoever wants to know it before.
 * @throws ScimError `invalidValue`
 */
export function checkSettings(
  { allowed }: Pick<ReceiverPorts, "allowed">,
  { url, types }: Pick<ReceiverChange, "url" | "types">,
): void {
  const fault = url === undefined ? null : faultOfUrl(url, allowed, LIFTED_BY);
  if (fault !== null) throw new ScimError("invalidValue", `The address of a receiver ${fault}.`);
  if (types === undefined) return;
  const odd = types.find((pattern) => !isEventPattern(pattern));
  if (odd === undefined && types.length <= MOST_PATTERNS) return;
  throw new ScimError(
    "invalidValue",
    odd === undefined
      ? `At most ${MOST_PATTERNS} patterns of events can be given.`
      : `'${odd.slice(0, 100)}' says no events: use ${EVENT_PATTERNS}.`,
  );
}

/**
 * Checks whether a receiver of a kind has an address: one that asks has none, and every other has one.
 * @throws ScimError `invalidValue`
 */
export function checkAddress(kind: Receiver["kind"], url: string | undefined): void {
  if ((kind === "poll") === (url === undefined)) return;
  throw new ScimError(
    "invalidValue",
    "A stream that is pushed has an address, and one that is polled has none.",
  );
}

/**
 * Changes a receiver. One that is made active is no longer disabled, and goes on where it stopped.
 * @throws ScimError `notFound`, `versionMismatch`; `invalidValue`, also where a stream that is pushed with a header `Authorization`
 *   would go to another origin: that is for `changeStream`
 */
export async function changeReceiver(
  ports: ReceiverPorts,
  target: ReceiverTarget,
  change: ReceiverChange,
): Promise<Receiver> {
  checkSettings(ports, change);
  return replaceReceiver(ports, target, (before) => {
    checkSentSecret(before, change);
    return changedSettings(before, change);
  });
}

/**
 * What a change makes of the settings of a receiver.
 * @throws ScimError `invalidValue`
 */
export function changedSettings(before: Receiver, change: ReceiverChange): Partial<ReceiverSettings> {
  if (change.url !== undefined) checkAddress(before.kind, change.url);
  const { url = before.url, types = before.types, payload = before.payload } = change;
  const { state = before.state } = change;
  return { url, types, payload, state, reason: state === "disabled" ? before.reason : null };
}

/**
 * A push bears a secret of its receiver: another one must not learn it because an address is changed.
 * @throws ScimError `invalidValue`
 */
export function checkSentSecret({ kind, url, secrets }: Receiver, change: Pick<ReceiverChange, "url">): void {
  if (kind !== "push" || secrets.length === 0 || change.url === undefined) return;
  if (new URL(change.url).origin === new URL(url).origin) return;
  throw new ScimError(
    "invalidValue",
    "The header Authorization is for the receiver at the present address. Send 'authorization' for the new one along, or null for none.",
  );
}

/**
 * Writes what becomes of a receiver's settings.
 * @throws ScimError `notFound`, `versionMismatch`; `unavailable` where others keep changing it
 */
export async function replaceReceiver(
  ports: Pick<ReceiverPorts, "receivers" | "random"> & Deciding,
  target: ReceiverTarget,
  changed: (before: Receiver) => Partial<ReceiverSettings>,
): Promise<Receiver> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await expectReceiver(ports, target, attempt);
    const after: Receiver = {
      ...before,
      ...changed(before),
      revision: nextRevision(before.revision, ports.random()),
    };
    if (await ports.receivers.replace(after, before.revision, decisionOf(ports))) return after;
  }
}

async function expectReceiver(
  ports: Pick<ReceiverPorts, "receivers">,
  { family, name, expected = null }: ReceiverTarget,
  attempt: number,
): Promise<Receiver> {
  const found = await findReceiver(ports, family, name);
  if (attempt > ATTEMPTS) {
    throw new ScimError("unavailable", "The receiver is being changed by others; try again.");
  }
  if (expected === null || expected === found.revision) return found;
  throw new ScimError("versionMismatch", `The ${family} '${name.id}' was changed meanwhile.`, {
    members: { expectedVersion: String(expected), currentVersion: String(found.revision) },
  });
}

/**
 * Removes a receiver, and what was set aside for it.
 * @throws ScimError `notFound`, `versionMismatch`; `unavailable` where others keep changing it
 */
export async function removeReceiver(
  ports: Pick<ReceiverPorts, "receivers"> & Deciding,
  target: ReceiverTarget,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await expectReceiver(ports, target, attempt);
    if (await ports.receivers.remove(found, decisionOf(ports))) return;
  }
}
