/**
 * How connections are guarded, and what a guard is made with.
 * @module
 */
import type { CatalogSource } from "@scim/core";
import type { PseudonymKeys } from "../requests/redaction/pseudonyms.ts";
import type { GuardPlace, GuardStore } from "./port.ts";

/** How a connection is guarded. */
export interface GuardSettings {
  /** `observe`: more is told, and done. `hold`: more is refused until somebody releases it. `off`: nothing is counted. */
  readonly mode: "off" | "observe" | "hold";
  /** So many pass in any case. */
  readonly atLeast: number;
  /** And so many of a hundred resources of the type; of removals, of a hundred values in its collections. The greater of both counts. */
  readonly percent: number;
  /** Minutes in which they are counted. */
  readonly window: number;
  /** Ids or unique names, such as userNames, that always pass. */
  readonly named: readonly string[];
}

/** A connection that has come to its bound. */
export interface GuardExceeded extends GuardPlace {
  readonly mode: "observe" | "hold";
  /** What it had in the window, this change included. */
  readonly count: number;
  readonly most: number;
  readonly windowMinutes: number;
}

/** What a guard is made with. */
export interface GuardOptions extends PseudonymKeys {
  readonly store: GuardStore;
  readonly catalog: CatalogSource;
  /** The settings of a connection; asked for each change that counts. */
  readonly settingsOf: (tenant: string, connection: string) => Promise<GuardSettings>;
  /** Boolean attributes whose false switches a resource off, such as `active`, in any letter case (RFC 7643 §2.1). */
  readonly deactivating: readonly string[];
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Called once for each window with too many, by one process: the place for a log line and a metric. */
  readonly onExceeded: (exceeded: GuardExceeded) => void;
}
