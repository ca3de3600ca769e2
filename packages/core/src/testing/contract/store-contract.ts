/**
 * What every store of resources must do.
 * @module
 */
import { COLLECTION_RULES } from "./collections.ts";
import { CONNECTION_RULES } from "./connection-rules.ts";
import { DELETING_RULES } from "./deleting.ts";
import { IMPORTING_RULES } from "./importing.ts";
import { INVERSE_RULES } from "./inverses.ts";
import { ISOLATION_RULES } from "./isolation.ts";
import { KEYSET_RULES } from "./keyset.ts";
import { PREVIEWING_RULES } from "./previewing.ts";
import { QUERY_RULES } from "./queries.ts";
import { REFERENCE_ROW_RULES } from "./reference-rows.ts";
import { RESTORING_RULES } from "./restoring.ts";
import type { ResourceStoreRule } from "./rule.ts";
import { SECRET_RULES } from "./secrets.ts";
import { SNAPSHOT_RULES } from "./snapshots.ts";
import { STAGING_RULES } from "./staging.ts";
import { TENANT_RULES } from "./tenants.ts";
import { TENANT_WRITE_RULES } from "./tenants-writing.ts";
import { UNIQUENESS_RULES } from "./uniqueness.ts";
import { WRITING_RULES } from "./writing.ts";

/**
 * The contract of a store of resources, as data without a test runner.
 *
 * @example
 * for (const { rule, name, run } of RESOURCE_STORE_CONTRACT) {
 *   test(`${rule}: ${name}`, () => run(openEmptyStore));
 * }
 */
export const RESOURCE_STORE_CONTRACT: readonly ResourceStoreRule[] = [
  ...WRITING_RULES,
  ...UNIQUENESS_RULES,
  ...CONNECTION_RULES,
  ...ISOLATION_RULES,
  ...TENANT_RULES,
  ...TENANT_WRITE_RULES,
  ...DELETING_RULES,
  ...RESTORING_RULES,
  ...SECRET_RULES,
  ...PREVIEWING_RULES,
  ...IMPORTING_RULES,
  ...COLLECTION_RULES,
  ...SNAPSHOT_RULES,
  ...STAGING_RULES,
  ...REFERENCE_ROW_RULES,
  ...INVERSE_RULES,
  ...QUERY_RULES,
  ...KEYSET_RULES,
];
