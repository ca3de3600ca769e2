/**
 * All tenants, whatever their state.
 * @module
 */
import type { Store } from "@scim/store/sqlite";
import type { Tenant } from "@scim/tenancy";

/** Tenants that are read at once. */
const PAGE = 100;

/** The names of all tenants, in their order. */
export async function* eachTenant({
  tenants,
}: Pick<Store, "tenants">): AsyncGenerator<string, void, undefined> {
  let after: string | null = null;
  for (;;) {
    const page: readonly Tenant[] = await tenants.list({ after, count: PAGE });
    for (const { tenant } of page) yield tenant;
    if (page.length < PAGE) return;
    after = page.at(-1)?.tenant ?? after;
  }
}
