/**
 * What an open database offers, whichever it is.
 * @module
 */
import type { EventFeed, ResourceStore, TokenStore } from "@scim/core";

/** An open store. */
export interface Store {
  readonly resources: ResourceStore;
  readonly tokens: TokenStore;
  readonly events: EventFeed;
  /**
   * Resolves when the database answers.
   * @throws ScimError `unavailable`
   */
  check(): Promise<void>;
  /** Takes no more writes, finishes those under way, and closes the database. */
  close(): Promise<void>;
}
