/**
 * Connections, and what the service asks of a store of them.
 * @module
 */
import type { ProfileName, RequestRate, SwitchName } from "@scim/core";
import type { AdminAct } from "../acts/admin-act.ts";
import type { KeyPage } from "../key-page.ts";

/** Tokens of a suspended connection are refused until it is resumed. */
export type ConnectionState = "active" | "suspended";

/** A switch of a profile that a connection turns on or off. */
export interface SwitchFlip {
  readonly name: SwitchName;
  readonly on: boolean;
}

/** How many deactivations, deletions and member removals a connection may make before somebody looks. */
export interface ConnectionGuard {
  /** `observe`: more is told, and done. `hold`: more is refused until an admin releases it. `off`: nothing is counted. */
  readonly mode: "off" | "observe" | "hold";
  /** So many pass in any case: 0 to 1,000,000. */
  readonly atLeast: number;
  /** And so many of a hundred resources of the type: 0 to 100. The greater of both counts. */
  readonly percent: number;
  /** Minutes in which they are counted: 1 to 10,080 (a week). */
  readonly window: number;
  /** Ids or userNames of resources that are never held nor counted: at most 1000. */
  readonly named: readonly string[];
}

/** One provisioning client of a tenant: it owns tokens, a profile and limits. */
export interface Connection {
  readonly tenant: string;
  readonly connection: string;
  readonly state: ConnectionState;
  /** Null: the profile that the service is set to. */
  readonly profile: ProfileName | null;
  readonly switches: readonly SwitchFlip[];
  /** Null: the rate that the service is set to. */
  readonly rate: RequestRate | null;
  /** Null: the guard that the service is set to. */
  readonly guard: ConnectionGuard | null;
  /** Minutes without a request after which it counts as silent; 0: never. Null: as its earlier runs have it. */
  readonly silentAfter: number | null;
  /** UTC with milliseconds. */
  readonly created: string;
  /** Grows with each change; see `nextRevision`. */
  readonly revision: number;
}

/** Names a connection. */
export type ConnectionName = Pick<Connection, "tenant" | "connection">;

/** A connection that has to be there while something of it is added, and how much there may be. */
export interface ConnectionRoom extends ConnectionName {
  /** Nothing is added where there are so many already. Default: as many as come. */
  readonly most?: number | undefined;
}

/** Port of connections. An act that is given is told in the transaction of the write, or neither is kept. */
export interface ConnectionStore {
  find(tenant: string, connection: string): Promise<Connection | null>;
  /**
   * The connections of a tenant in the order of their names.
   * @param page default all of them
   */
  list(tenant: string, page?: KeyPage): Promise<readonly Connection[]>;
  /** Resolves to false where the tenant has one of this name. */
  add(connection: Connection, act?: AdminAct): Promise<boolean>;
  /** Writes a connection with its new revision. Resolves to false where the stored one has not the revision `before`. */
  replace(connection: Connection, before: number, act?: AdminAct): Promise<boolean>;
  /** Takes a connection and its tokens away, at once. Resolves to whether there was one of that revision. */
  remove(connection: Connection, act?: AdminAct): Promise<boolean>;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Tells whether a text can name a connection (`^[a-z0-9][a-z0-9-]{0,62}$`). */
export function isConnectionName(text: string): boolean {
  return NAME.test(text);
}
