/**
 * New resources as plain rows: what is written with few statements, and handed to another thread.
 * @module
 */
import type { CreatePlan, ImportStep, WritePlan } from "@scim/core";
import type { ComparisonKey } from "@scim/filter";
import { originText } from "../resources/outbox.ts";
import { storedEntry } from "../indexes/missing.ts";
import { firstVersion } from "../version.ts";

/** New resources, column by column: the same place in every list is the same resource. */
export interface BulkResources {
  readonly types: readonly string[];
  readonly ids: readonly string[];
  readonly versions: readonly string[];
  readonly ats: readonly string[];
  readonly created: readonly string[];
  /** JSON. */
  readonly bodies: readonly string[];
  readonly subjects: readonly (string | null)[];
  /** JSON. */
  readonly origins: readonly (string | null)[];
  /** JSON arrays of attribute paths. */
  readonly changed: readonly string[];
  readonly indexRevisions: readonly (number | null)[];
}

/** Entries, column by column. */
export interface BulkEntries {
  /** Places of the resources that they belong to. */
  readonly owners: readonly number[];
  readonly paths: readonly string[];
  readonly keys: readonly ComparisonKey[];
}

/** Values that must be unique, column by column. */
export interface BulkValues extends BulkEntries {
  readonly scopes: readonly string[];
}

/** New resources without references, and the step of a run that they are. */
export interface Bulk {
  readonly resources: BulkResources;
  readonly index: BulkEntries;
  readonly unique: BulkValues;
  readonly step: ImportStep | null;
}

/** Plans that are fewer are written one by one: it costs about the same. */
const FEWEST = 16;

/** Plans as rows; null where others than new resources without references are among them. */
export function bulkOf(plans: readonly WritePlan[], step: ImportStep | null): Bulk | null {
  if (plans.length < FEWEST) return null;
  const creates = plans.filter((plan) => plan.kind === "create").filter(isPlain);
  if (creates.length < plans.length) return null;
  return { resources: resourcesOf(creates), index: indexOf(creates), unique: uniqueOf(creates), step };
}

function isPlain({ collections, staged, statements }: CreatePlan): boolean {
  return collections.length === 0 && staged === undefined && (statements ?? []).length === 0;
}

function resourcesOf(plans: readonly CreatePlan[]): BulkResources {
  return {
    types: plans.map(({ type }) => type),
    ids: plans.map(({ id }) => id),
    versions: plans.map(({ nonce }) => firstVersion(nonce)),
    ats: plans.map(({ at }) => at),
    created: plans.map(({ created, at }) => created ?? at),
    bodies: plans.map(({ body }) => JSON.stringify(body)),
    subjects: plans.map(({ event }) => event.subject),
    origins: plans.map(({ event }) => originText(event.origin)),
    changed: plans.map(({ event }) => JSON.stringify(event.changed)),
    indexRevisions: plans.map(({ indexRevision }) => indexRevision ?? null),
  };
}

/** Attribute by attribute, so that neighbours in the index are written one after another. */
function indexOf(plans: readonly CreatePlan[]): BulkEntries {
  const byPath = new Map<string, { readonly owners: number[]; readonly keys: ComparisonKey[] }>();
  for (const [owner, plan] of plans.entries()) {
    for (const entry of plan.index) {
      const { path, key } = storedEntry(entry);
      const known = byPath.get(path) ?? { owners: [], keys: [] };
      byPath.set(path, known);
      known.owners.push(owner);
      known.keys.push(key);
    }
  }
  return {
    owners: [...byPath.values()].flatMap(({ owners }) => owners),
    paths: [...byPath].flatMap(([path, { owners }]) => owners.map(() => path)),
    keys: [...byPath.values()].flatMap(({ keys }) => keys),
  };
}

function uniqueOf(plans: readonly CreatePlan[]): BulkValues {
  const values = {
    owners: [] as number[],
    scopes: [] as string[],
    paths: [] as string[],
    keys: [] as ComparisonKey[],
  };
  for (const [owner, plan] of plans.entries()) {
    for (const { scope, path, key } of plan.unique) {
      values.owners.push(owner);
      values.scopes.push(scope);
      values.paths.push(path);
      values.keys.push(key);
    }
  }
  return values;
}
