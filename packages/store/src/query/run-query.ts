/**
 * Runs a query: by index on the thread of the requests, else by going through the resources beside them.
 * @module
 */
import {
  queryReads,
  type StoreCandidates,
  type StoredResource,
  type StorePage,
  type StoreScope,
} from "@scim/core";
import type { Executor } from "../steps.ts";
import { answerQuery, type QuerySetting, type ScanPlan } from "./answer.ts";
import { candidatesFromPlace, scanFromPlace } from "./keyset-scan.ts";
import { lookUpCandidates, type Scan, scanForCandidates, scanForPage, sortForPage } from "./scan.ts";
import { ScanReader } from "./scan-reader.ts";
import type { ScanTurns } from "./scan-turns.ts";
import { scanSort, scanTest } from "./sieve.ts";

/** Resources that are passed over on the way to a page by number as fast as other requests are answered. */
const SHORT_WAY = 10_000;

/** What queries run on. */
export interface QueryRunner {
  readonly executor: Executor;
  /** Who may go through resources. */
  readonly turns: ScanTurns;
}

/** Answers a query, or gives candidates. */
export async function runQuery(
  runner: QueryRunner,
  setting: QuerySetting,
): Promise<StorePage | StoreCandidates> {
  const { page } = setting.query;
  const isLong = page.kind === "index" && page.offset > SHORT_WAY;
  const plan = await (isLong
    ? scanning(runner, setting, (reader) => reader.run(answerQuery(setting)))
    : runner.executor.snapshot(answerQuery(setting)));
  if (plan.kind === "page") return plan;
  if (plan.lookup !== null) return lookUp(runner, setting, { ...plan, lookup: plan.lookup });
  const scan = { plan, test: scanTest(setting, plan) };
  const find = scan.test.exact ? pageFinder(setting, scan) : null;
  return find === null ? candidates(runner, setting, scan) : scanning(runner, setting, find);
}

/** Runs a scan when its turn has come. */
async function scanning<Result>(
  runner: QueryRunner,
  setting: QuerySetting,
  scan: (reader: ScanReader) => Promise<Result>,
): Promise<Result> {
  const open = await openScan(runner, setting.scope);
  try {
    return await scan(open.reader);
  } finally {
    await open.close();
  }
}

/** Runs a scan when its first batch is asked for and its turn has come. */
async function* streaming(
  runner: QueryRunner,
  setting: QuerySetting,
  scan: (reader: ScanReader) => AsyncIterable<readonly StoredResource[]>,
): AsyncGenerator<readonly StoredResource[], void, undefined> {
  const open = await openScan(runner, setting.scope);
  try {
    yield* scan(open.reader);
  } finally {
    await open.close();
  }
}

interface OpenScan {
  readonly reader: ScanReader;
  close(): Promise<void>;
}

async function openScan({ executor, turns }: QueryRunner, { tenant, signal }: StoreScope): Promise<OpenScan> {
  const endTurn = await turns.take(tenant, signal);
  try {
    const reader = await executor.openSnapshot(signal);
    return {
      reader: new ScanReader(executor, reader, signal),
      close: () => reader.close().finally(endTurn),
    };
  } catch (error) {
    endTurn();
    throw error;
  }
}

/** The scan that finds a page of what is decided; null where what the query sorts by is not in the rows. */
function pageFinder(setting: QuerySetting, scan: Scan): ((reader: ScanReader) => Promise<StorePage>) | null {
  const { page, sort: asked } = setting.query;
  const { isOrdered, sort } = scan.plan;
  if (page.kind === "keyset" && sort !== null) {
    return (reader) => scanFromPlace(reader, setting, { ...scan, page, sort });
  }
  if (page.kind === "index" && isOrdered) return (reader) => scanForPage(reader, setting, { ...scan, page });
  const path = scanSort(asked);
  return path === null ? null : (reader) => sortForPage(reader, setting, { ...scan, sort: path });
}

function lookUp(
  { executor }: QueryRunner,
  setting: QuerySetting,
  plan: ScanPlan & { readonly lookup: NonNullable<ScanPlan["lookup"]> },
): StoreCandidates {
  const { lookup, sort } = plan;
  const select = queryReads(setting.query);
  return {
    kind: "candidates",
    order: setting.query.page.kind === "keyset" && sort !== null ? "query" : "id",
    batches: lookUpCandidates(executor, setting, { plan, lookup, select }),
    plan: `index of ${lookup.name}, then a filter${plan.unready}`,
  };
}

function candidates(runner: QueryRunner, setting: QuerySetting, scan: Scan): StoreCandidates {
  const { page } = setting.query;
  const { sort } = scan.plan;
  const select = queryReads(setting.query);
  const isInOrder = page.kind === "keyset" && sort !== null;
  return {
    kind: "candidates",
    order: isInOrder ? "query" : "id",
    batches: streaming(runner, setting, (reader) =>
      isInOrder
        ? candidatesFromPlace(reader, setting, { ...scan, page, sort, select })
        : scanForCandidates(reader, setting, { ...scan, select }),
    ),
    plan: `scan${scan.plan.unready}`,
  };
}
