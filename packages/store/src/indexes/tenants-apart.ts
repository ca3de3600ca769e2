/**
 * Work for many tenants, of which one that fails does not hold up the others.
 * @module
 */
import { isOfAllTenants, type LeftOut } from "../left-out.ts";

/** What became of the tenants of one round. */
export class TenantsApart {
  readonly #failed = new Map<string, unknown>();
  readonly #leftOut: LeftOut | null;

  /** @param leftOut those that failed in earlier rounds; null where they are tried again */
  constructor(leftOut: LeftOut | null = null) {
    this.#leftOut = leftOut;
  }

  /**
   * Does a piece of work for a tenant, unless one before has failed.
   * @throws ScimError `unavailable` where the database fails, which it does for all of them
   */
  async attempt(tenant: string, work: () => Promise<void>): Promise<void> {
    if (this.#failed.has(tenant) || this.#leftOut?.has(tenant) === true) return;
    try {
      await work();
    } catch (error) {
      if (isOfAllTenants(error)) throw error;
      this.#failed.set(tenant, error);
      this.#leftOut?.add(tenant);
    }
  }

  /** @throws Error by the name of the tenant that failed first */
  settle(): void {
    for (const [tenant, cause] of this.#failed)
      throw new Error(`The indexes of tenant '${tenant}' cannot be seen to.`, { cause });
  }
}
