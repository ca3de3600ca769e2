/**
 * What administration needs from outside.
 * @module
 */
import type { ConnectionStore } from "../connections/connection.ts";
import type { TokenStore } from "../credentials/port.ts";
import type { TokenHasher } from "../credentials/token-hash.ts";
import type { TenantStore } from "../tenants/tenant.ts";

/** Stores, clock, ids and secrets. */
export interface TenancyPorts {
  readonly tenants: TenantStore;
  readonly connections: ConnectionStore;
  readonly tokens: TokenStore;
  readonly hasher: TokenHasher;
  /** Unpredictable bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
  /** A new id that no other token has. */
  readonly newId: () => string;
  /** The present, UTC with milliseconds. */
  readonly now: () => string;
  /** Makes a text unreadable, so that only this service can read it again. */
  readonly seal: (text: string) => string;
}
