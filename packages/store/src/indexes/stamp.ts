/**
 * What a write says of the entries that it leaves: whether they are right for the version that it makes.
 * @module
 */
import type { CreatePlan, RestorePlan, UpdatePlan } from "@scim/core";
import type { RowSource } from "../resources/read.ts";
import { type Sql, sql } from "../sql.ts";
import { revisionOf } from "./view.ts";

/** The value of `indexed_version` in a row whose entries are all new: its version, where the plan knows all that is to be indexed. */
export function stampOfNew(source: RowSource, plan: CreatePlan | RestorePlan, version: string): Sql {
  const known = isCurrent(source, plan);
  return known === null ? sql`NULL` : sql`CASE WHEN ${known} THEN ${version} END`;
}

/** The value of `indexed_version` in a changed row: entries that were wrong stay wrong. */
export function stampOfChanged(source: RowSource, plan: UpdatePlan, version: string): Sql {
  if (plan.body === null) return sql`CASE WHEN indexed_version = version THEN ${version} END`;
  const known = isCurrent(source, plan);
  return known === null
    ? sql`NULL`
    : sql`CASE WHEN indexed_version = version AND ${known} THEN ${version} END`;
}

/** The condition that the catalog is the one that a plan was made by; null where the plan names none. */
function isCurrent(
  { tenant, type }: RowSource,
  { indexRevision }: Pick<CreatePlan, "indexRevision">,
): Sql | null {
  return indexRevision === undefined || indexRevision === null
    ? null
    : sql`${revisionOf(tenant, type)} = ${indexRevision}`;
}
