/**
 * What administration needs from outside.
 * @module
 */
import type { Acting } from "../acts/admin-act.ts";
import type { AdminStore } from "../admins/admin-store.ts";
import type { ConnectionGuard, ConnectionStore } from "../connections/connection.ts";
import type { TokenStore } from "../credentials/port.ts";
import type { TokenHasher } from "../credentials/token-hash.ts";
import type { ClientStore } from "../oauth/client-store.ts";
import type { TenantStore } from "../tenants/tenant.ts";
import type { RulePorts } from "./hold-rules.ts";
import type { ServiceCeilings } from "../tenants/tenant-settings.ts";

/** Stores, clock, ids and secrets, and who acts. */
export interface TenancyPorts extends Acting {
  readonly tenants: TenantStore;
  readonly connections: ConnectionStore;
  readonly tokens: TokenStore;
  readonly clients: ClientStore;
  readonly admins: AdminStore;
  readonly hasher: TokenHasher;
  /** The limits of the service, which no tenant has beyond. */
  readonly ceilings: ServiceCeilings;
  /** The guard that the service is set to: of connections that have none of their own. */
  readonly guard: ConnectionGuard;
  /** Names of the resource types that a tenant has, as its documents are now. */
  readonly resourceTypes: (tenant: string) => Promise<readonly string[]>;
  /** Where a tenant may have more of them than are known here, what to do then: a sentence. Default: they are all. */
  readonly moreTypes?: ((tenant: string) => string | null) | undefined;
  /** Which of the names that the guard of a connection is to let pass nobody bears. Default: somebody bears each. */
  readonly namesOfNobody?:
    | ((
        of: { readonly tenant: string; readonly connection: string },
        named: readonly string[],
      ) => Promise<readonly string[]>)
    | undefined;
  /** Unpredictable bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
  /** A new id that no other token has. */
  readonly newId: () => string;
  /** What rules of connections need. */
  readonly uniqueness: RulePorts;
  /** What is wrong with an address that keys are to be read at, as the end of a sentence that begins with it. Default: nothing. */
  readonly keyAddressFault?: ((address: string) => string | null) | undefined;
  /** Makes a text unreadable, so that only this service can read it again. */
  readonly seal: (text: string) => string;
}

/** What the administration of OAuth clients needs. */
export type ClientPorts = Omit<
  TenancyPorts,
  "tokens" | "admins" | "seal" | "ceilings" | "guard" | "uniqueness"
>;

/** What the administration of administrators who sign in by an issuer needs. */
export type AdminPorts = Pick<TenancyPorts, "admins" | "tenants" | "newId" | "keyAddressFault"> & Acting;
