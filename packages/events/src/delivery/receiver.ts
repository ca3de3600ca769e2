/**
 * Receivers of events, and the deliveries to them that wait or were given up.
 * @module
 */

/**
 * How a receiver is told: by a signed `webhook`, or by a Security Event Token that is sent to it (`push`) or that it asks
 * for (`poll`).
 */
export type ReceiverKind = "webhook" | "push" | "poll";

/** The kinds that something is sent to. */
export type SentKind = Exclude<ReceiverKind, "poll">;

/** The kinds, for what reads them. */
export const RECEIVER_KINDS: readonly ReceiverKind[] = ["webhook", "push", "poll"];

/** What administrators call a receiver: a webhook, or a stream of Security Event Tokens. */
export type ReceiverFamily = "webhook" | "stream";

/** The family of a kind. */
export function familyOf(kind: ReceiverKind): ReceiverFamily {
  return kind === "webhook" ? "webhook" : "stream";
}

/**
 * - `active`: it is sent what happens;
 * - `paused`: an administrator stopped it; its position stays;
 * - `disabled`: the service stopped it, as `reason` tells; its position stays.
 */
export type ReceiverState = "active" | "paused" | "disabled";

/** A secret of a receiver. */
export interface ReceiverSecret {
  readonly id: string;
  /** Its text, sealed with the keys of the service. */
  readonly sealed: string;
  /** When it was made and when it ends, UTC with milliseconds; null: it does not. */
  readonly created: string;
  readonly expires: string | null;
}

/** What administrators decide of a receiver. */
export interface ReceiverSettings {
  /** Where it listens; empty for one that asks. */
  readonly url: string;
  readonly state: ReceiverState;
  /** Why the service disabled it; null otherwise. */
  readonly reason: string | null;
  /** Which events: `User`, `User.deleted`, `*.deleted`. None: all. */
  readonly types: readonly string[];
  /** `reference`: what changed, without values of persons. `full`: the resource as well. */
  readonly payload: "reference" | "full";
  readonly secrets: readonly ReceiverSecret[];
  /** Whom the tokens of a stream name as their audience; null: its address. */
  readonly audience: string | null;
}

/** Who listens to the events of a tenant. */
export interface Receiver extends ReceiverSettings {
  readonly tenant: string;
  readonly id: string;
  readonly kind: ReceiverKind;
  readonly created: string;
  /** Grows with each change of its settings; see `nextRevision`. */
  readonly revision: number;
  /** Every event up to this position was delivered, is not wanted, or is set aside. */
  readonly position: number;
  /** Since when no delivery succeeded, UTC with milliseconds; null where the last one did. */
  readonly failingSince: string | null;
  /** When a delivery last succeeded; null for never. */
  readonly lastDelivery: string | null;
  /** What stood in the way of the last delivery that failed; null where none did. */
  readonly lastProblem: string | null;
}

/** Names a receiver. */
export interface ReceiverName {
  readonly tenant: string;
  readonly id: string;
}

/** What tells a receiver from all others. */
export function receiverKey({ tenant, id }: ReceiverName): string {
  return JSON.stringify([tenant, id]);
}

/**
 * An event that was set aside: it failed, or waits behind one of the same resource that did. It names the event and
 * holds nothing of it.
 */
export interface AsideDelivery {
  /** Position of the event. */
  readonly position: number;
  /** Type and id of the resource, whose events are delivered in their order. */
  readonly type: string;
  readonly resource: string;
  /** `dead`: it is not tried any more unless somebody says so. */
  readonly state: "waiting" | "dead";
  /** How often it was tried. */
  readonly attempts: number;
  /** When it was first tried, or set aside. */
  readonly since: string;
  /** When it is tried next: not before this instant, UTC with milliseconds. */
  readonly next: string;
  /** What stood in the way; null where it was not tried. */
  readonly problem: string | null;
}
