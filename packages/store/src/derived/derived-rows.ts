/**
 * Rows that the store derives from resources, compared with them and written anew: entries of indexes, unique values,
 * counters, and what resources that are gone left behind.
 * @module
 */
import type { DerivedSource } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { fewIds } from "../indexes/few-resources.ts";
import type { RowSource } from "../resources/read.ts";
import { liveResources } from "../resources/rows.ts";
import { sql } from "../sql.ts";
import type { Executor, Steps } from "../steps.ts";
import {
  type Compared,
  COMPARED_COLUMNS,
  compareResources,
  type CompareSetting,
} from "./compare-resources.ts";
import { repairCount, wrongCounts } from "./counts.ts";
import type { DerivedFinding, DerivedPage, OrphanFinding } from "./finding.ts";
import { nextType, orphansBehind, OWNED_TABLES, type OwnedTable, removeOrphan } from "./orphans.ts";
import { type Repaired, repairResources } from "./repair-resources.ts";
import { findingsOf } from "./tell-differences.ts";

/** Resources that are read and compared at once, at most: fewer, where they are long. */
const COMPARED = 100;

/** Resources that one transaction writes derived rows of: few enough that no writer waits long. */
const REPAIRED = 50;

/** Compares derived rows with resources, while others write. */
export interface DerivedRows {
  /**
   * Goes through the rows of a tenant, some at a time, each time in one state of the database. Nothing is held up, and
   * nothing that others do meanwhile is taken for a fault.
   */
  check(tenant: string, source: DerivedSource): AsyncIterable<DerivedPage>;
  /**
   * The same, and makes rows right where they are not: each resource in a transaction that holds its row, so that no change
   * is lost. Tells what it found; a second look tells what is left, such as values that two resources have.
   */
  repair(tenant: string, source: DerivedSource): AsyncIterable<DerivedPage>;
}

/** What derived rows are compared with. */
export interface DerivedOptions {
  readonly executor: Executor;
  readonly dialect: Dialect;
}

/** Makes what compares the derived rows of a database. */
export function createDerivedRows(options: DerivedOptions): DerivedRows {
  return {
    check: (tenant, source) => walk({ ...options, source, tenant, repairs: false }),
    repair: (tenant, source) => walk({ ...options, source, tenant, repairs: true }),
  };
}

interface Walk extends DerivedOptions, CompareSetting {
  readonly tenant: string;
  readonly repairs: boolean;
}

/** What resources that are gone left comes first: it may be in the way of what others lack. */
async function* walk(setting: Walk): AsyncGenerator<DerivedPage, void, undefined> {
  for (const owned of OWNED_TABLES) yield* orphansOf(setting, owned);
  const progress = { waiting: 0 };
  yield* resourcesOf(setting, progress);
  if (progress.waiting > 0) {
    // What held their values for nothing is gone by now. These were told of, and counted.
    for await (const page of resourcesOf(setting, progress)) void page;
  }
  yield* countsOf(setting);
}

async function* orphansOf(setting: Walk, owned: OwnedTable): AsyncGenerator<DerivedPage> {
  const { executor, tenant } = setting;
  let type = await executor.read(nextType(tenant, "", owned.table));
  while (type !== null) {
    const of = { tenant, type };
    for (let after: string | null = ""; after !== null;) {
      const { orphans, next }: { orphans: readonly string[]; next: string | null } = await executor.read(
        orphansBehind(of, after, owned),
      );
      if (setting.repairs) for (const id of orphans) await removeWhole(setting, of, { id, owned });
      if (orphans.length > 0) yield pageOf(orphans.map((id) => orphanOf(of, id, owned)));
      after = next;
      await executor.pause();
    }
    type = await executor.read(nextType(tenant, type, owned.table));
  }
}

function orphanOf({ type }: RowSource, id: string, { rows }: OwnedTable): OrphanFinding {
  return { kind: "orphan", type, id, rows };
}

async function removeWhole(
  { executor, dialect }: Walk,
  of: RowSource,
  orphan: Parameters<typeof removeOrphan>[1],
): Promise<void> {
  while (!(await executor.write(() => removeOrphan(of, orphan, dialect)))) await executor.pause();
}

async function* resourcesOf(
  setting: Walk,
  progress: { waiting: number },
): AsyncGenerator<DerivedPage, void, undefined> {
  const { executor, tenant } = setting;
  let type = await executor.read(nextType(tenant, "", sql`resources`));
  while (type !== null) {
    const of = { tenant, type };
    const unknown = new Set<string | null>();
    for (let after: string | null = ""; after !== null;) {
      const step: Step = await compareStep(setting, of, after);
      const page = setting.repairs ? await repaired(setting, of, { step, progress }) : step.page;
      // An attribute, or a type, that is not known is told once.
      const findings = page.findings.filter((each) => each.kind !== "unknown" || !unknown.has(each.path));
      for (const each of findings) if (each.kind === "unknown") unknown.add(each.path);
      yield { ...page, findings };
      after = step.next;
      await executor.pause();
    }
    type = await executor.read(nextType(tenant, type, sql`resources`));
  }
}

interface Step {
  readonly page: DerivedPage;
  /** Ids of resources that differ. */
  readonly differing: readonly string[];
  readonly next: string | null;
}

async function compareStep(setting: Walk, of: RowSource, after: string): Promise<Step> {
  const behind = sql`FROM ${liveResources(of.tenant, of.type)} AND r.id > ${after}`;
  const seen = await setting.executor.snapshot(function* look(): Steps<{
    readonly compared: Compared | null;
    readonly findings: readonly DerivedFinding[];
  }> {
    const few = yield* fewIds(sql`${behind} ORDER BY r.id`, COMPARED);
    const query = sql`SELECT ${COMPARED_COLUMNS} ${behind} ORDER BY r.id LIMIT ${few.length}`;
    const compared = yield* compareResources(setting, of, query);
    if (compared === null) return { compared, findings: [] };
    // What is repaired is told as it is found then.
    const told = setting.repairs ? { ...compared, differences: [] } : compared;
    return { compared, findings: yield* findingsOf(setting, of, told) };
  });
  const { compared, findings } = seen;
  if (compared === null)
    return {
      page: pageOf([{ kind: "unknown", type: of.type, path: null }]),
      differing: [],
      next: null,
    };
  const { ids, unsettled, differences } = compared;
  return {
    page: { compared: ids.length, unsettled, findings },
    differing: differences.map(({ id }) => id),
    next: ids.at(-1) ?? null,
  };
}

/** Repairs what a step found, and tells of what there was by then. */
async function repaired(
  setting: Walk,
  of: RowSource,
  { step, progress }: { readonly step: Step; readonly progress: { waiting: number } },
): Promise<DerivedPage> {
  const findings = [...step.page.findings];
  for (let start = 0; start < step.differing.length; start += REPAIRED) {
    const ids = step.differing.slice(start, start + REPAIRED);
    const done: Repaired = await setting.executor.write(() => repairResources(setting, of, ids));
    findings.push(...done.findings.filter(({ kind }) => kind !== "unknown"));
    progress.waiting += done.waiting;
    await setting.executor.pause();
  }
  return { ...step.page, findings };
}

async function* countsOf({ executor, tenant, repairs }: Walk): AsyncGenerator<DerivedPage> {
  const wrong = await wrongCounts(executor, tenant);
  if (repairs) for (const each of wrong) await executor.write(() => repairCount(tenant, each));
  if (wrong.length > 0)
    yield pageOf(wrong.map(({ kind, type, counted, live }) => ({ kind, type, counted, live })));
}

function pageOf(findings: readonly DerivedFinding[]): DerivedPage {
  return { compared: 0, unsettled: 0, findings };
}
