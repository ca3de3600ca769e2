/**
 * Opens what every command works on: the store and the keys.
 * @module
 */
import type { CursorSeal, Profile } from "@scim/core";
import { createAuditChain, type AuditKeys } from "@scim/events";
import {
  type ConnectionGuard,
  createConnectionProfiles,
  createTokenHasher,
  type ProfiledConnection,
  type SecretKey,
  type ServiceCeilings,
  type TokenHasher,
} from "@scim/tenancy";
import type { Store } from "@scim/store/sqlite";
import pino, { type Logger } from "pino";
import { dataFolder, type DataFolder } from "../credentials/data-folder.ts";
import { createKeySeal, type KeySeal, SEAL_PURPOSES } from "../credentials/key-seal.ts";
import { createCursorSeal } from "./cursor-seal.ts";
import { requireKnownTenant } from "../administration/known-tenant.ts";
import { openDatabase, requireDatabase } from "./database.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { createKeyAddressFault, type KeyAddressFault } from "../oauth/key-address.ts";
import { profileOf } from "../profile.ts";
import { loadRegistries, type ServiceRegistries } from "../schemas/schema-registry.ts";
import { serviceCeilings } from "../serve/service-limits.ts";
import { guardOfService } from "../settings/service-guard.ts";
import type { Settings } from "../settings/table.ts";
import { auditKeys, hmacSha256, newSecret } from "../sources.ts";
import { type ServedTenantRules, tenantRules } from "../schemas/tenant-rules.ts";

/** The store, what tokens and values are hashed with, and what makes cursors. */
export interface OpenedStore {
  readonly store: Store;
  readonly hasher: TokenHasher;
  readonly cursorSeal: CursorSeal;
  /** Seals the keys of token hashes that were made elsewhere. */
  readonly keySeal: KeySeal;
  /** What the audit log is made and verified with. */
  readonly auditKeys: AuditKeys;
  /** What each tenant is served by. */
  readonly rules: ServedTenantRules;
  /** The profile of a connection, as the settings and its row have it. */
  readonly profileOf: (connection: ProfiledConnection) => Profile;
  /** The limits of the service, which no tenant has beyond. */
  readonly ceilings: ServiceCeilings;
  /** The guard of connections that have none of their own. */
  readonly guard: ConnectionGuard;
  /** What is wrong with an address that keys of an issuer are to be read at. */
  readonly keyAddressFault: KeyAddressFault;
  /** Folder of secrets; null on PostgreSQL, where processes of several machines share the database. */
  readonly folder: DataFolder | null;
}

/**
 * Opens the store that the settings name.
 * @param registries given where the process gives positions to events: each comes into the audit log
 * @param log told where a setting does not fit the database
 * @throws CommandFailure saying why the database cannot be used, or which setting is missing
 */
export async function openStore(
  settings: Settings,
  registries?: ServiceRegistries,
  log?: Logger,
): Promise<OpenedStore> {
  // Before keys are made for it.
  requireDatabase(settings);
  const { databaseUrl } = settings;
  const folder = databaseUrl.kind === "sqlite" ? dataFolder(settings.dataDir, databaseUrl.path) : null;
  const keys = settings.secretKeys ?? folder?.keys() ?? demandKeys();
  const hasher = createTokenHasher(keys, hmacSha256);
  const audited = auditKeys(keys);
  const audit =
    registries === undefined
      ? undefined
      : createAuditChain({
          ...audited,
          newSecret,
          catalog: (tenant) => rules.known(tenant).catalog,
          prepare: async (tenant) => void (await rules.of(tenant)),
          onThreads: true,
        });
  const ceilings = serviceCeilings(settings);
  const store = await openDatabase(settings, {
    audit,
    // Asked while queries run: the rules are made below, before any does.
    scansOf: (tenant) => rules.known(tenant).limits["query.scansPerTenant"],
    onUnkeptNames: () => log?.warn(UNKEPT_NAMES),
  });
  let loaded = registries ?? null;
  const rules = tenantRules({
    store,
    registries: () => (loaded ??= loadRegistries(settings, pino({ level: "silent" }))),
    ceilings,
  });
  return {
    store,
    hasher,
    cursorSeal: createCursorSeal(keys),
    keySeal: createKeySeal(keys, SEAL_PURPOSES.importedKey),
    auditKeys: audited,
    profileOf: createConnectionProfiles(profileOf(settings)),
    ceilings,
    guard: guardOfService(settings),
    keyAddressFault: createKeyAddressFault(settings["oauth.privateIssuers"] === "allow"),
    rules,
    folder,
  };
}

/**
 * Opens the store of the settings for a piece of work on a tenant, and closes it behind it.
 * @throws CommandFailure as `openStore`, and where there is no such tenant
 */
export async function withStore<Result>(
  { settings, tenant }: { readonly settings: Settings; readonly tenant: string },
  work: (opened: OpenedStore) => Promise<Result>,
): Promise<Result> {
  const opened = await openStore(settings);
  try {
    await requireKnownTenant(opened.store, tenant);
    return await work(opened);
  } finally {
    await opened.store.close();
  }
}

const UNKEPT_NAMES =
  "the pooler does not keep names of prepared statements: they are used no more; set postgres.preparedStatements to off";

/** Every process must have the same keys, and there is no folder that all share. */
function demandKeys(): readonly SecretKey[] {
  throw new CommandFailure(
    EXIT.usage,
    "SCIM_SECRET_KEYS must be given on PostgreSQL, the same to every process; " +
      `make one with: echo "1:$(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')"`,
  );
}
