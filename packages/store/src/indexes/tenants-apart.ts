/**
 * Work for many tenants, of which one that fails does not hold up the others.
 * @module
 */
import { isScimError, SchemaDocumentError } from "@scim/schemas";

/** What became of the tenants of one round. */
export class TenantsApart {
  readonly #failed = new Map<string, unknown>();

  /**
   * Does a piece of work for a tenant, unless one before has failed.
   * @throws ScimError `unavailable` where the database fails, which it does for all of them
   */
  async attempt(tenant: string, work: () => Promise<void>): Promise<void> {
    if (this.#failed.has(tenant)) return;
    try {
      await work();
    } catch (error) {
      if (isOfAll(error)) throw error;
      this.#failed.set(tenant, error);
    }
  }

  /** @throws what went wrong first */
  settle(): void {
    for (const error of this.#failed.values()) throw error;
  }
}

/** Whether the database fails. Of a tenant whose documents do not fit the service any more, it is these. */
function isOfAll(error: unknown): boolean {
  return isScimError(error) && error.code === "unavailable" && !(error.cause instanceof SchemaDocumentError);
}
