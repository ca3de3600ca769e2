/**
 * The chain of a tenant's audit entries: each hash covers the entry, the hash before it and the tenant, so that none
 * can be changed, removed or moved without those behind it telling.
 * @module
 */
import type { ModelCatalog } from "@scim/core";
import type { AuditKeys } from "../keys.ts";
import { createLink, type LinkEvents, linkKeys, type LinkKeys } from "./link.ts";
import { type AuditedAttributes, modelOrNull } from "./sensitivity.ts";

/** Where a chain has come to. */
export interface ChainEnd {
  readonly position: number;
  readonly hash: string;
}

/**
 * Something is wrong with the events of a tenant, or with what is known of its attributes: no entries can be made of them, and they
 * wait for their positions. Those of no other tenant do.
 */
export class TenantHeldUp extends Error {
  override readonly name = "TenantHeldUp";
  readonly tenant: string;

  constructor(tenant: string, cause: unknown) {
    super(`The events of tenant '${tenant}' cannot be given positions: they wait.`, { cause });
    this.tenant = tenant;
  }
}

/** Makes entries of events. */
export interface AuditChain {
  readonly link: LinkEvents;
  /**
   * Sees to it that what is known of a tenant's attributes is present, before events of it are linked. Where it rejects, they wait:
   * see {@link TenantHeldUp}. Default: it always is.
   */
  readonly prepare?: ((tenant: string) => Promise<void>) | undefined;
  /** Makes the secret of a resource that has none yet. */
  readonly newSecret: () => string;
  /** What makes the same entries on another thread; null where none is to make them. */
  readonly elsewhere: LinkedElsewhere | null;
}

/** What makes entries on another thread, with `createLink` and SHA-256. */
export interface LinkedElsewhere {
  readonly keys: LinkKeys;
  /**
   * The attributes of a resource type, as it is served now, once the tenant was prepared: plain data. Null where it is not served any
   * more. While they stay the same, it is the same object.
   */
  readonly attributesOf: (tenant: string, type: string) => AuditedAttributes | null;
}

/** What a chain is made with. */
export interface AuditChainOptions extends AuditKeys {
  /** Tells which attributes hold personal values: for all tenants, or of each as it was prepared. */
  readonly catalog: ModelCatalog | ((tenant: string) => ModelCatalog);
  /** Makes ready what `catalog` tells of a tenant. Default: nothing. */
  readonly prepare?: ((tenant: string) => Promise<void>) | undefined;
  /** Makes a secret of at least 128 random bits: 22 characters of base64url, or more, and always as many. */
  readonly newSecret: () => string;
  /**
   * Whether a store may make entries on a thread of its own where there are many: with SHA-256 of its own, which `digest` must be
   * too. Default false.
   */
  readonly onThreads?: boolean;
}

/**
 * Makes the chain of a service.
 *
 * @example
 * const audit = createAuditChain({ keys, hmac, digest, newSecret, catalog: createModelCatalog(registry) });
 * const store = await openSqliteStore({ path, audit });
 * @throws TypeError where there is no key
 */
export function createAuditChain(options: AuditChainOptions): AuditChain {
  const { digest, catalog, newSecret, prepare, onThreads = false } = options;
  const catalogOf = typeof catalog === "function" ? catalog : () => catalog;
  const attributesOf = (tenant: string, type: string): AuditedAttributes | null =>
    modelOrNull(catalogOf(tenant), type)?.members ?? null;
  const keys = linkKeys(options);
  return {
    newSecret,
    prepare,
    link: createLink({ keys, digest, attributesOf }),
    elsewhere: onThreads ? { keys, attributesOf } : null,
  };
}
