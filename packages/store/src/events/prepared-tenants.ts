/**
 * Tenants before their events are linked: what is known of their attributes is made ready. One of which that fails is left out for a
 * while, so that it holds up no other.
 * @module
 */
import { type AuditChain, TenantUnprepared } from "@scim/events";

/** Milliseconds for which such a tenant is left out (five seconds). */
const LEFT_OUT_MS = 5000;

/** Prepares tenants. */
export class PreparedTenants {
  readonly #prepare: (tenant: string) => Promise<void>;
  /** Until when tenants are left out. */
  readonly #leftOut = new Map<string, number>();

  constructor({ prepare = async () => undefined }: Pick<AuditChain, "prepare">) {
    this.#prepare = prepare;
  }

  isLeftOut(tenant: string): boolean {
    const until = this.#leftOut.get(tenant);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#leftOut.delete(tenant);
    return false;
  }

  /** @throws TenantUnprepared */
  async prepare(tenant: string): Promise<void> {
    try {
      await this.#prepare(tenant);
    } catch (cause) {
      this.#leftOut.set(tenant, performance.now() + LEFT_OUT_MS);
      throw new TenantUnprepared(tenant, cause);
    }
  }
}
