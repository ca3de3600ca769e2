/**
 * The service as an operator's commands use it: the rules in this process, over the database of the settings.
 * @module
 */
import type { ModelCatalog, OperatorService, RequestContext } from "@scim/core";
import { isScimError } from "@scim/schemas";
import { DEFAULT_NAME, isTenantName } from "@scim/tenancy";
import type { Store } from "@scim/store/sqlite";
import pino from "pino";
import { requireConnectionOfCommand, requireServedTenant } from "../administration/known-tenant.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { openDatabase } from "../store/database.ts";
import { connectionProfiles } from "../profile.ts";
import { requireDefinitions } from "../schemas/served-definitions.ts";
import { loadRegistries } from "../schemas/schema-registry.ts";
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
}

/** A service that an operator's command works on. */
export interface Operator {
  readonly service: OperatorService;
  readonly catalog: ModelCatalog;
  readonly context: RequestContext;
  readonly store: Store;
  close(): Promise<void>;
}

/**
 * Opens the service for a command.
 * @param signal ends reads that take long
 * @throws CommandFailure where the database or the documents cannot be used, or there is no such tenant
 */
export async function openOperator(
  settings: Settings,
  { command, ...flags }: OperatorOptions,
  signal?: AbortSignal,
): Promise<Operator> {
  const tenant = flags.tenant ?? DEFAULT_TENANT;
  if (!isTenantName(tenant)) throw new CommandFailure(EXIT.usage, `'${tenant}' is no name of a tenant.`);
  const registries = loadRegistries(settings, pino({ level: "silent" }));
  const store = await openDatabase(settings);
  const rules = tenantRules({ store, registries: () => registries, ceilings: serviceCeilings(settings) });
  try {
    await requireServedTenant(store, tenant);
    if (flags.connection !== undefined)
      await requireConnectionOfCommand(store, { tenant, connection: flags.connection });
    if (tenant === DEFAULT_TENANT) await requireDefinitions({ store, rules });
    const service = await operatorServices(settings, { store, rules }).serviceOf(tenant);
    const { connection } = flags;
    const profile = await connectionProfiles(settings, store.connections)(tenant, connection ?? DEFAULT_NAME);
    const context = operatorContext({ tenant, connection, origin: { command }, profile, signal });
    return { service, catalog: await rules.catalogOf(tenant), context, store, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw isScimError(error) ? new CommandFailure(EXIT.failed, error.message, error) : error;
  }
}
