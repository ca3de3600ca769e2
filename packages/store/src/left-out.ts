/**
 * Tenants of which some work has failed, and which it leaves out for a while: they hold up no other, and are told of now and then.
 * @module
 */

import { isScimError } from "@scim/schemas";
import { isOutgrown } from "@scim/tenancy";

/** Whether a failure is that of the database, and so of all tenants: one whose documents have been outgrown fails alone. */
export function isOfAllTenants(error: unknown): boolean {
  return isScimError(error) && error.code === "unavailable" && !isOutgrown(error);
}

/** Remembers them. */
export class LeftOut {
  readonly #milliseconds: number;
  /** Until when each is left out. */
  readonly #until = new Map<string, number>();

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  has(tenant: string): boolean {
    const until = this.#until.get(tenant);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#until.delete(tenant);
    return false;
  }

  add(tenant: string): void {
    this.#until.set(tenant, performance.now() + this.#milliseconds);
  }
}
