/**
 * Ports of delivery: the store of receivers, and what sends.
 * @module
 */
import type { AdminDecision } from "../decision.ts";
import type { Present } from "./backoff.ts";
import type { AsideDelivery, Receiver, ReceiverName } from "./receiver.ts";

/** Which deliveries are read: of one state, in the order of their positions. */
export interface AsidePage {
  readonly state: AsideDelivery["state"];
  /** Those behind this position; 0 for the beginning. */
  readonly after: number;
  /** At most so many: 1 or more. */
  readonly limit: number;
}

/** Who works on a receiver, and until when nobody else may. */
export interface Lease extends Present {
  /** Different for each worker. */
  readonly holder: string;
  /** The end of the lease: UTC with milliseconds. */
  readonly until: string;
}

/** How far a worker came. */
export interface DeliveryProgress {
  /** Who holds the lease. */
  readonly holder: string;
  /** The address that it told. */
  readonly url: string;
  /** The position that it began at, and the one that it came to. */
  readonly from: number;
  readonly to: number;
  readonly outcome: Pick<Receiver, "failingSince" | "lastDelivery" | "lastProblem">;
  /** Why the receiver is disabled from now on; null where it is not. */
  readonly disabled: string | null;
  /** Deliveries that are set aside, or tried in vain once more. */
  readonly aside: readonly AsideDelivery[];
  /** Positions of those that were set aside and are delivered now. */
  readonly done: readonly number[];
}

/**
 * Port of receivers. Every part of it keeps to one tenant, but for {@link ReceiverStore.tenants}. A decision that is given
 * is told in the transaction of the write, where that changes anything, or neither is kept.
 */
export interface ReceiverStore {
  /** Tenants that have receivers, behind one, by name. */
  tenants(after: string, limit: number): Promise<readonly string[]>;
  /** The receivers of a tenant, by id. */
  list(tenant: string): Promise<readonly Receiver[]>;
  find(name: ReceiverName): Promise<Receiver | null>;
  /**
   * Adds a receiver. Resolves to false where the tenant has one of this id, or so many of its family, however many are added at once.
   * @param most default: as many as come
   */
  add(receiver: Receiver, decision?: AdminDecision, most?: number): Promise<boolean>;
  /**
   * Writes the settings of a receiver with their new revision. Resolves to false where the stored one has not the
   * revision `before`. One that is made active has not failed yet.
   */
  replace(receiver: Receiver, before: number, decision?: AdminDecision): Promise<boolean>;
  /**
   * Removes a receiver and what was set aside for it. Resolves to false where none is stored with its revision.
   */
  remove(receiver: ReceiverName & Pick<Receiver, "revision">, decision?: AdminDecision): Promise<boolean>;
  /**
   * Ids of a tenant's active receivers that something is sent to and that have events behind their position, or stand at one
   * that was never given, or have deliveries whose time has come.
   */
  due(tenant: string, present: Present): Promise<readonly string[]>;
  /**
   * Takes or keeps the lease of an active receiver. Resolves to null where there is none, or somebody else holds it.
   */
  lease(name: ReceiverName, lease: Lease): Promise<Receiver | null>;
  /** Gives a lease back, so that others need not wait for its end. */
  release(name: ReceiverName, holder: string): Promise<void>;
  /**
   * Writes how far a worker came, whole or not at all. Resolves to false where it does not hold the lease any more, or
   * address or position are not those that it began with: what it did counts for nothing then.
   */
  advance(name: ReceiverName, progress: DeliveryProgress): Promise<boolean>;
  /** Deliveries that are set aside. */
  aside(name: ReceiverName, page: AsidePage): Promise<readonly AsideDelivery[]>;
  /**
   * Goes back, or ahead, to a position: what is set aside behind it goes, and whoever holds the lease loses it.
   * Resolves to false where there is no such receiver.
   */
  rewind(name: ReceiverName, position: number, decision?: AdminDecision): Promise<boolean>;
  /**
   * Has deliveries that were given up tried again when it is decided: those of the positions, or all. Resolves to how
   * many.
   */
  revive(name: ReceiverName, positions: readonly number[] | null, decision: AdminDecision): Promise<number>;
  /** Removes deliveries that were given up: those of the positions, or all. Resolves to how many. */
  drop(name: ReceiverName, positions: readonly number[] | null, decision: AdminDecision): Promise<number>;
}

/** A request to a receiver. */
export interface OutgoingRequest {
  readonly url: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What became of a request. */
export type SendOutcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** Seconds that the header `Retry-After` asks for; null where it does not. */
      readonly retryAfter: number | null;
      /** The beginning of the body: at most 65,536 characters. */
      readonly body: string;
    }
  | {
      readonly kind: "failed";
      /** A sentence for people, without values of persons. */
      readonly problem: string;
    };

/**
 * Port of what sends a request: one POST, no redirect followed, no address that the service may not call, and an end
 * after some time. It does not reject.
 */
export type SendEvent = (request: OutgoingRequest) => Promise<SendOutcome>;

/** Makes a text unreadable, so that only this service can read it again. */
export interface SecretSeal {
  seal(text: string): string;
  /** The text; null where it was sealed with a key that the service does not have any more. */
  open(sealed: string): string | null;
}
