/**
 * Resources in SQL, for any database that an executor runs statements on.
 * @module
 */
import { DEFAULT_CAPABILITIES, type ResourceStore, type TypeCapabilities } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { type QueryRunner, runQuery } from "../query/run-query.ts";
import { type ScanLimits, ScanTurns } from "../query/scan-turns.ts";
import type { Executor } from "../steps.ts";
import { readCollection } from "./collections.ts";
import { purgeTombstones } from "./purge.ts";
import { readResource, readResources } from "./read.ts";
import { countReferenceRows, readReferenceRows } from "./reference-rows.ts";
import { openResourceSnapshot } from "./snapshot.ts";
import { applyPlan, previewPlan } from "./write.ts";

/** A database compares versions, takes back what is tried out, and runs statements of an application. */
const CAPABILITIES: TypeCapabilities = { ...DEFAULT_CAPABILITIES, statements: true };

/** Makes the store of resources of a database. */
export function createResourceStore(executor: Executor, dialect: Dialect, scans?: ScanLimits): ResourceStore {
  const runner: QueryRunner = { executor, turns: new ScanTurns(scans) };
  return {
    // Without a snapshot: the row, with its version, is read first. Where another process writes in between, newer
    // references stand beside an older version, which only makes a later condition on that version fail.
    read: ({ tenant }, { type, id }, select) =>
      executor.read(readResource({ tenant, type }, { id, select }, dialect)),
    readMany: ({ tenant }, { type, ids }, select) =>
      executor.snapshot(readResources({ tenant, type }, { ids, select }, dialect)),
    references: ({ tenant }, { type, id, path }, selection) =>
      executor.read(readCollection({ tenant, type, owner: id, path }, selection, dialect)),
    snapshot: (scope) => openResourceSnapshot(executor, scope, dialect),
    referenceRows: ({ tenant }, query) => readReferenceRows(executor, { tenant, query, dialect }),
    countReferenceRows: ({ tenant }, filter) => countReferenceRows(executor, tenant, filter),
    query: (scope, query) => runQuery(runner, { scope, query, dialect }),
    write: (scope, plan) => executor.write((transaction) => applyPlan({ scope, dialect, transaction }, plan)),
    preview: (scope, plan) =>
      executor.write((transaction) => previewPlan({ scope, dialect, transaction }, plan)),
    purge: (before, limit) => executor.write(() => purgeTombstones(before, limit)),
    capabilities: () => CAPABILITIES,
  };
}
