/**
 * The service as an operator's commands use it: the rules in this process, over the database of the settings.
 * @module
 */
import type { ModelCatalog, OperatorService, RequestContext } from "@scim/core";
import { isScimError, type SchemaRegistry } from "@scim/schemas";
import { DEFAULT_NAME, isTenantName } from "@scim/tenancy";
import type { Store } from "@scim/store/sqlite";
import pino from "pino";
import { requireKnownConnection, requireServedTenant } from "../administration/known-tenant.ts";
import { CommandFailure, EXIT, exitCodeOf } from "../failure.ts";
import { openDatabase } from "../store/database.ts";
import { connectionProfiles } from "../profile.ts";
import { requireDefinitions } from "../schemas/served-definitions.ts";
import { loadRegistries } from "../schemas/schema-registry.ts";
import type { ServedTenants } from "../serve/served-tenants.ts";
import { serviceCeilings } from "../serve/service-limits.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";
import { tenantRules } from "../schemas/tenant-rules.ts";
import { operatorContext } from "./operator-context.ts";
import { operatorServices } from "./operator-services.ts";

/** Whose resources a command is about. */
export interface OperatorFlags {
  readonly tenant?: string;
  readonly connection?: string;
}

/** What a command works on, and which it is. */
export interface OperatorOptions extends OperatorFlags {
  /** What changes are told with, such as `scim import`. */
  readonly command: string;
  /** Told of tolerances that are made use of. Default: nobody is. */
  readonly onSwitch?: RequestContext["onSwitch"];
}

/** A service that an operator's command works on. */
export interface Operator {
  readonly service: OperatorService;
  readonly catalog: ModelCatalog;
  /** The schemas and resource types of the tenant. */
  readonly registry: SchemaRegistry;
  readonly context: RequestContext;
  readonly store: Store;
  close(): Promise<void>;
}

/** The database of the settings, for commands that are about several tenants. */
export interface OperatorDatabase extends Pick<Operator, "store" | "close"> {
  /**
   * What a command works on of one tenant.
   * @param signal ends reads that take long
   * @throws CommandFailure where there is no such tenant or connection, or the tenant's documents cannot be used
   */
  of(options: OperatorOptions, signal?: AbortSignal): Promise<Operator>;
}

/**
 * Opens the database for a command.
 * @throws CommandFailure where the database or the documents cannot be used
 */
export async function openOperatorDatabase(settings: Settings): Promise<OperatorDatabase> {
  const registries = loadRegistries(settings, pino({ level: "silent" }));
  const store = await openDatabase(settings);
  const close = (): Promise<void> => store.close();
  const rules = tenantRules({ store, registries: () => registries, ceilings: serviceCeilings(settings) });
  let services: ServedTenants | null = null;
  const profileOf = connectionProfiles(settings, store.connections);
  const of = async (
    { command, tenant = DEFAULT_TENANT, connection, onSwitch }: OperatorOptions,
    signal?: AbortSignal,
  ): Promise<Operator> => {
    await requireServedTenant(store, tenant);
    if (connection !== undefined) await requireKnownConnection(store, { tenant, connection });
    if (tenant === DEFAULT_TENANT) await requireDefinitions({ store, rules });
    // Made when the documents are known to fit: it sees to their indexes.
    services ??= operatorServices(settings, { store, rules });
    const service = await services.serviceOf(tenant);
    const profile = await profileOf(tenant, connection ?? DEFAULT_NAME);
    const context = operatorContext({ tenant, connection, origin: { command }, profile, signal, onSwitch });
    const { catalog, registry } = await rules.of(tenant);
    return { service, catalog, registry, context, store, close };
  };
  return {
    store,
    close,
    of: (options, signal) =>
      of(options, signal).catch((error: unknown) => {
        throw isScimError(error) ? new CommandFailure(exitCodeOf(error.status), error.message, error) : error;
      }),
  };
}

/**
 * Opens the service for a command.
 * @param signal ends reads that take long
 * @throws CommandFailure where the database or the documents cannot be used, or there is no such tenant
 */
export async function openOperator(
  settings: Settings,
  options: OperatorOptions,
  signal?: AbortSignal,
): Promise<Operator> {
  const { tenant = DEFAULT_TENANT } = options;
  if (!isTenantName(tenant)) throw new CommandFailure(EXIT.usage, `'${tenant}' is no name of a tenant.`);
  const database = await openOperatorDatabase(settings);
  try {
    return await database.of(options, signal);
  } catch (error) {
    await database.close();
    throw error;
  }
}
