/**
 * What an open database offers, whichever it is.
 * @module
 */
import type { EventFeed, ResourceStore } from "@scim/core";
import type { AuditStore } from "@scim/events";
import type { ConnectionStore, TenantStore, TokenStore } from "@scim/tenancy";
import type { WaitingEvents } from "./events/waiting-events.ts";
import type { StoreIndexes } from "./indexes/keeper.ts";

/** An open store. */
export interface Store {
  readonly resources: ResourceStore;
  /** Which attributes have an index, and how far each is built. */
  readonly indexes: StoreIndexes;
  readonly tokens: TokenStore;
  readonly tenants: TenantStore;
  readonly connections: ConnectionStore;
  readonly events: EventFeed;
  /** The audit log. Entries come into it where the store was opened with a chain, and gives positions. */
  readonly audit: AuditStore;
  /** How many events wait for their position, over all tenants: many, or old ones, say that readers are late. */
  waitingEvents(): Promise<WaitingEvents>;
  /**
   * Resolves when the database answers.
   * @throws ScimError `unavailable`
   */
  check(): Promise<void>;
  /** Takes no more writes, finishes those under way, and closes the database. */
  close(): Promise<void>;
}
