/**
 * Whether a tenant or a connection is there that a command or a request names: one that is not, such as a name with a slip
 * in it, has nothing, and is given nothing.
 * @module
 */
import {
  ADMIN_TENANT,
  type ConnectionName,
  type ConnectionStore,
  DEFAULT_NAME,
  findConnection,
  findTenant,
  requireTenant,
  TenancyError,
  type TenantStore,
} from "@scim/tenancy";
import { CommandFailure, EXIT } from "../failure.ts";

interface Tenants {
  readonly tenants: Pick<TenantStore, "find">;
}

/** The server makes them: a database that no server has seen lacks their rows. */
const MADE: ReadonlySet<string> = new Set([DEFAULT_NAME, ADMIN_TENANT]);

/**
 * Requires that a tenant is there, or was.
 * @throws TenancyError `notFound`
 */
export async function requireKnownTenant(ports: Tenants, tenant: string): Promise<void> {
  if (!MADE.has(tenant)) await findTenant(ports, tenant);
}

/**
 * The same, for commands.
 * @throws CommandFailure
 */
export async function requireTenantOfCommand(ports: Tenants, tenant: string): Promise<void> {
  await orFailure(() => requireKnownTenant(ports, tenant));
}

/**
 * Requires that a tenant is there to be worked on: of one that was deleted, nothing is read or written.
 * @throws CommandFailure
 */
export async function requireServedTenant(ports: Tenants, tenant: string): Promise<void> {
  if (!MADE.has(tenant)) await orFailure(() => requireTenant(ports, tenant));
}

/**
 * Requires that a connection is there that a command acts for.
 * @throws CommandFailure
 */
export async function requireConnectionOfCommand(
  ports: { readonly connections: ConnectionStore },
  name: ConnectionName,
): Promise<void> {
  if (name.connection !== DEFAULT_NAME) await orFailure(() => findConnection(ports, name));
}

async function orFailure(look: () => Promise<unknown>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    throw new CommandFailure(EXIT.failed, error.message, error);
  }
}
