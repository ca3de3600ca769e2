/**
 * Removes what is kept of secrets where a tenant does not want that any more.
 * @module
 */
import type { TenantStore } from "../tenants/tenant.ts";
import { TenancyError } from "./tenancy-error.ts";
import { findTenant } from "./tenants.ts";

/** How the hashes of a tenant are removed. */
export interface SecretRemoval {
  readonly tenant: string;
  /** Rows that are removed at once: few enough that no writer waits long. */
  readonly batch: number;
  /** Resolves when no server takes secrets of the tenant to hash any more: a second after it was called. */
  readonly settled: () => Promise<void>;
}

/**
 * Removes the hashes of the secrets of a tenant that drops them, as long as it does. Where that was interrupted, the same call goes on. A write that
 * waited for its hash meanwhile may leave one: whoever looks after tenants calls `TenantStore.removeHashes` now and again.
 * Resolves to how many there were.
 * @throws TenancyError `notFound`, `refused` where the tenant keeps them
 */
export async function forgetSecrets(
  ports: { readonly tenants: Pick<TenantStore, "find" | "removeHashes"> },
  { tenant: name, batch, settled }: SecretRemoval,
): Promise<number> {
  const { secrets } = await findTenant(ports, name);
  if (secrets !== "drop") throw new TenancyError("refused", `The tenant '${name}' keeps hashes of secrets.`);
  await settled();
  let removed = 0;
  for (;;) {
    const rows = await ports.tenants.removeHashes(name, batch);
    removed += rows;
    if (rows === 0) return removed;
  }
}
