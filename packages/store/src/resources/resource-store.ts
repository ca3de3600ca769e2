/**
 * Resources in SQL, for any database that an executor runs statements on.
 * @module
 */
import { DEFAULT_CAPABILITIES, type ResourceStore, type TypeCapabilities } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import type { StoreIndexes } from "../indexes/keeper.ts";
import { queryRunner, runQuery } from "../query/run-query.ts";
import type { ScanLimits, ScanTurns } from "../query/scan-turns.ts";
import { type BulkWriter, createImportStore } from "../imports/import-store.ts";
import { findHash } from "../secrets/hash-rows.ts";
import type { Executor } from "../steps.ts";
import { TenantRound } from "../tenant-round.ts";
import { readCollection } from "./collections.ts";
import type { LongAnswerTurns } from "./long-answer-turns.ts";
import { createConnectionRules } from "./connection-rules.ts";
import { deletedResources } from "./deleted.ts";
import { purgeTombstones } from "./purge.ts";
import { readResource, readResources } from "./read.ts";
import { countReferenceRows, readReferenceRows } from "./reference-rows.ts";
import { resourceOf, storedTextOf } from "./rows.ts";
import { openResourceSnapshot } from "./snapshot.ts";
import { purgeStages } from "./purge-stages.ts";
import { Stages } from "./stages.ts";
import { applyPlan, previewPlan } from "./write.ts";

/** A database compares versions, takes back what is tried out, runs statements of an application, and keeps hashes. */
const CAPABILITIES: TypeCapabilities = { ...DEFAULT_CAPABILITIES, statements: true, secrets: true };

/** What a store of resources works with. */
export interface ResourceStoreOptions {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly indexes: StoreIndexes;
  /** Who may go through resources. */
  readonly turns: ScanTurns;
  /** Who may be sent an answer in parts. */
  readonly answers: LongAnswerTurns;
  /** Writes imports beside this thread. Default: the executor does. */
  readonly writeBulk?: BulkWriter | undefined;
}

/** Makes the store of resources of a database. */
export function createResourceStore(
  { executor, dialect, indexes, turns, answers, writeBulk }: ResourceStoreOptions,
  scans?: ScanLimits,
): ResourceStore {
  const runner = queryRunner(executor, turns, scans);
  const stages = new Stages(executor, dialect);
  const round = new TenantRound();
  return {
    indexes,
    // Without a snapshot: the row, with its version, is read first. Where another process writes in between, newer
    // references stand beside an older version, which only makes a later condition on that version fail.
    read: ({ tenant }, { type, id }, select) =>
      executor.read(readResource({ tenant, type }, { id, select, make: resourceOf }, dialect)),
    readText: ({ tenant }, { type, id }, select) =>
      executor.read(readResource({ tenant, type }, { id, select, make: storedTextOf }, dialect)),
    readMany: ({ tenant }, { type, ids }, select) =>
      executor.snapshot(() => readResources({ tenant, type }, { ids, select }, dialect)),
    references: ({ tenant }, { type, id, path }, selection) =>
      executor.read(readCollection({ tenant, type, owner: id, path }, selection, dialect)),
    snapshot: (scope) => openResourceSnapshot({ executor, dialect, turns: answers }, scope),
    referenceRows: ({ tenant, signal }, query) =>
      readReferenceRows(executor, { tenant, query, dialect, signal }),
    countReferenceRows: ({ tenant, signal }, filter) =>
      countReferenceRows(executor, { tenant, dialect, signal }, filter),
    query: (scope, query) =>
      runQuery(runner, { scope, query, dialect, indexes: indexes.of(scope.tenant, query.type) }),
    stage: (scope) => stages.open(scope),
    write: (scope, plan) =>
      plan.kind === "delete" || plan.kind === "restore" || plan.staged === undefined
        ? executor.write((transaction) => applyPlan({ scope, dialect, transaction }, plan))
        : stages.write(scope, plan, plan.staged.stage),
    preview: (scope, plan) =>
      executor.write((transaction) => previewPlan({ scope, dialect, transaction }, plan)),
    purge: async (before, limit) => {
      await purgeStages(executor);
      return purgeTombstones({ executor, dialect, round }, { before, limit });
    },
    rules: createConnectionRules(executor, dialect),
    deleted: deletedResources(executor),
    secrets: { find: ({ tenant }, target) => executor.read(findHash(tenant, target)) },
    imports: createImportStore({ executor, dialect, writeBulk }),
    capabilities: () => CAPABILITIES,
  };
}
