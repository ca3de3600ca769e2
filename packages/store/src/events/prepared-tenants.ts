/**
 * Tenants before their events are linked: what is known of their attributes is made ready.
 * @module
 */
import { type AuditChain, TenantUnprepared } from "@scim/events";
import { LeftOut } from "../left-out.ts";

/** Milliseconds for which one of which that fails is left out (five seconds). */
const LEFT_OUT_MS = 5000;

/** Prepares tenants. */
export class PreparedTenants {
  readonly #prepare: (tenant: string) => Promise<void>;
  readonly #leftOut = new LeftOut(LEFT_OUT_MS);

  constructor({ prepare = async () => undefined }: Pick<AuditChain, "prepare">) {
    this.#prepare = prepare;
  }

  isLeftOut(tenant: string): boolean {
    return this.#leftOut.has(tenant);
  }

  /** @throws TenantUnprepared */
  async prepare(tenant: string): Promise<void> {
    try {
      await this.#prepare(tenant);
    } catch (cause) {
      this.#leftOut.add(tenant);
      throw new TenantUnprepared(tenant, cause);
    }
  }
}
