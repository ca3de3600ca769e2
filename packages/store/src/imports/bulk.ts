/**
 * New resources as plain rows: what is written with few statements, and handed to another thread.
 * @module
 */
import type { CreatePlan, ImportStep, WritePlan } from "@scim/core";
import type { ComparisonKey } from "@scim/filter";
import { storedEntry } from "../indexes/missing.ts";
import { firstVersion } from "../version.ts";

/** A new resource. */
export interface BulkResource {
  readonly type: string;
  readonly id: string;
  readonly version: string;
  readonly at: string;
  readonly created: string;
  /** JSON. */
  readonly body: string;
  readonly subject: string | null;
  /** JSON array of attribute paths. */
  readonly changed: string;
  readonly indexRevision: number | null;
}

/** An entry, and which of the resources it belongs to. */
export interface BulkEntry {
  readonly owner: number;
  readonly path: string;
  readonly key: ComparisonKey;
}

/** A value that must be unique. */
export interface BulkValue extends BulkEntry {
  readonly scope: string;
}

/** New resources without references, and the step of a run that they are. */
export interface Bulk {
  readonly resources: readonly BulkResource[];
  readonly index: readonly BulkEntry[];
  readonly unique: readonly BulkValue[];
  readonly step: ImportStep | null;
}

/** Plans that are fewer are written one by one: it costs about the same. */
const FEWEST = 16;

/** Plans as rows; null where others than new resources without references are among them. */
export function bulkOf(plans: readonly WritePlan[], step: ImportStep | null): Bulk | null {
  if (plans.length < FEWEST) return null;
  const resources: BulkResource[] = [];
  const index: BulkEntry[] = [];
  const unique: BulkValue[] = [];
  for (const [owner, plan] of plans.entries()) {
    if (plan.kind !== "create" || !isPlain(plan)) return null;
    resources.push(resourceOf(plan));
    for (const entry of plan.index) index.push({ owner, ...storedEntry(entry) });
    for (const { scope, path, key } of plan.unique) unique.push({ owner, scope, path, key });
  }
  return { resources, index, unique, step };
}

function isPlain({ collections, staged, statements }: CreatePlan): boolean {
  return collections.length === 0 && staged === undefined && (statements ?? []).length === 0;
}

function resourceOf(plan: CreatePlan): BulkResource {
  const { type, id, at, event } = plan;
  return {
    type,
    id,
    version: firstVersion(plan.nonce),
    at,
    created: plan.created ?? at,
    body: JSON.stringify(plan.body),
    subject: event.subject,
    changed: JSON.stringify(event.changed),
    indexRevision: plan.indexRevision ?? null,
  };
}
