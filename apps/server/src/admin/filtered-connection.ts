/**
 * Lists that a query narrows to one connection: where there is no such connection, an empty list would hide a slip in its name.
 * @module
 */
import type { ConnectionStore } from "@scim/tenancy";
import { requireKnownConnection } from "../administration/known-tenant.ts";

/** What a list was narrowed to, and what was found of it. */
export interface FilteredList {
  readonly tenant: string;
  /** Undefined for all of them. */
  readonly connection: string | undefined;
  readonly rows: readonly unknown[];
  /** What the list was read behind; null where from its beginning. */
  readonly behind: string | number | null;
}

/**
 * Requires, where a list holds nothing at all, that the connection is there which it was narrowed to. What one left that was
 * deleted is listed as long as it is kept.
 * @throws TenancyError `notFound`
 */
export async function requireFilteredConnection(
  ports: { readonly connections: ConnectionStore },
  { tenant, connection, rows, behind }: FilteredList,
): Promise<void> {
  if (connection === undefined || behind !== null || rows.length > 0) return;
  await requireKnownConnection(ports, { tenant, connection });
}
