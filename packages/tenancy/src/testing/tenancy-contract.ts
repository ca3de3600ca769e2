/**
 * What every store of tenants and connections must do.
 * @module
 */
import { NEIGHBOUR_RULES } from "./neighbour-rules.ts";
import { ROOM_RULES } from "./room-rules.ts";
import { TENANT_RULES, type TenancyStoreRule } from "./tenant-rules.ts";

/** The contract of stores of tenants and connections, as data without a test runner. */
export const TENANCY_STORE_CONTRACT: readonly TenancyStoreRule[] = [
  ...TENANT_RULES,
  ...NEIGHBOUR_RULES,
  ...ROOM_RULES,
];
