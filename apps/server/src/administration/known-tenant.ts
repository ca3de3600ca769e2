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
  type TenantStore,
} from "@scim/tenancy";

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
 * Requires that a tenant is there to be worked on: of one that was deleted, nothing is read or written.
 * @throws TenancyError `notFound`
 */
export async function requireServedTenant(ports: Tenants, tenant: string): Promise<void> {
  if (!MADE.has(tenant)) await requireTenant(ports, tenant);
}

/**
 * Requires that a connection is there that is named.
 * @throws TenancyError `notFound`
 */
export async function requireKnownConnection(
  ports: { readonly connections: ConnectionStore },
  name: ConnectionName,
): Promise<void> {
  if (name.connection !== DEFAULT_NAME) await findConnection(ports, name);
}
