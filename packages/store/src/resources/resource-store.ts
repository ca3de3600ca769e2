/**
 * Resources in SQL, for any database that an executor runs statements on.
 * @module
 */
import {
  DEFAULT_CAPABILITIES,
  queryReads,
  type ResourceStore,
  type StoreCandidates,
  type StorePage,
  type TypeCapabilities,
} from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { answerQuery, type QuerySetting } from "../query/answer.ts";
import { candidatesFromPlace, scanFromPlace } from "../query/keyset-scan.ts";
import { scanForCandidates, scanForPage } from "../query/scan.ts";
import type { Executor } from "../steps.ts";
import { readCollection } from "./collections.ts";
import { purgeTombstones } from "./purge.ts";
import { readResource, readResources } from "./read.ts";
import { countReferenceRows, readReferenceRows } from "./reference-rows.ts";
import { applyPlan, previewPlan } from "./write.ts";

/** Makes the store of resources of a database. */
/** A database compares versions, takes back what is tried out, and runs statements of an application. */
const CAPABILITIES: TypeCapabilities = { ...DEFAULT_CAPABILITIES, statements: true };

export function createResourceStore(executor: Executor, dialect: Dialect): ResourceStore {
  return {
    // Without a snapshot: the row, with its version, is read first. Where another process writes in between, newer
    // references stand beside an older version, which only makes a later condition on that version fail.
    read: ({ tenant }, { type, id }, select) =>
      executor.read(readResource({ tenant, type }, { id, select }, dialect)),
    readMany: ({ tenant }, { type, ids }, select) =>
      executor.snapshot(readResources({ tenant, type }, { ids, select }, dialect)),
    references: ({ tenant }, { type, id, path }, selection) =>
      executor.read(readCollection({ tenant, type, owner: id, path }, selection, dialect)),
    referenceRows: ({ tenant }, query) => readReferenceRows(executor, { tenant, query, dialect }),
    countReferenceRows: ({ tenant }, filter) => countReferenceRows(executor, tenant, filter),
    query: (scope, query) => runQuery(executor, { scope, query, dialect }),
    write: (scope, plan) => executor.write((transaction) => applyPlan({ scope, dialect, transaction }, plan)),
    preview: (scope, plan) =>
      executor.write((transaction) => previewPlan({ scope, dialect, transaction }, plan)),
    purge: (before, limit) => executor.write(() => purgeTombstones(before, limit)),
  };
}
    capabilities: () => CAPABILITIES,

async function runQuery(executor: Executor, setting: QuerySetting): Promise<StorePage | StoreCandidates> {
  const plan = await executor.snapshot(answerQuery(setting));
  if (plan.kind === "page") return plan;
  const { page } = setting.query;
  const { lookup, sort } = plan;
  const select = queryReads(setting.query);
  const scan =
    page.kind === "keyset" && sort !== null && lookup === null ? { plan, page, sort, select } : null;
  if (plan.exact && lookup === null) {
    if (scan !== null) return scanFromPlace(executor, setting, scan);
    if (page.kind === "index") return scanForPage(executor, setting, { plan, page });
  }
  return {
    kind: "candidates",
    order: page.kind === "keyset" && sort !== null ? "query" : "id",
    batches:
      scan === null
        ? scanForCandidates(executor, setting, { plan, select })
        : candidatesFromPlace(executor, setting, scan),
    plan: lookup === null ? "scan" : `index of ${lookup.name}, then a filter`,
  };
}
