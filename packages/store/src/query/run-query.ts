/**
 * Runs a query: by index on the thread of the requests, else by going through the resources beside them.
 * @module
 */
import {
  queryReads,
  type ReadSelection,
  type StoreCandidates,
  type StoredResource,
  type StorePage,
  type StoreQuery,
} from "@scim/core";
import type { Executor, Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import { answerBeside, answerQuery, conditionsOf, type ScanPlan } from "./answer.ts";
import type { QuerySetting } from "./query-setting.ts";
import { candidatesFromPlace, scanFromPlace } from "./keyset-scan.ts";
import { liveCount } from "./live-count.ts";
import { MOST_ASKED } from "./narrowed.ts";
import type { Lookup } from "./predicate.ts";
import { lookUpCandidates } from "./look-up-scan.ts";
import { type Scan, scanForCandidates, scanForPage, sortForPage } from "./scan.ts";
import { CONDITION_WINDOW, ScanReader } from "./scan-reader.ts";
import type { ScanLimits, ScanTurns } from "./scan-turns.ts";
import { scanSort, scanTest } from "./sieve.ts";

/** Resources that are passed over on the way to a page by number as fast as other requests are answered. */
const SHORT_WAY = 10_000;

/** Values of collections that are read with a batch of candidates: some hundredths of a second. */
const MOST_VALUES = 10_000;

/** What queries run on. */
export interface QueryRunner {
  readonly executor: Executor;
  /** Who may go through resources. */
  readonly turns: ScanTurns;
  /** Most resources that are gone through between requests. */
  readonly inPlace: number;
}

/** Makes what queries run on. */
export function queryRunner(executor: Executor, turns: ScanTurns, limits: ScanLimits = {}): QueryRunner {
  return { executor, turns, inPlace: limits.inPlace ?? DEFAULT_IN_PLACE };
}

const DEFAULT_IN_PLACE = 500;

/** Answers a query, or gives candidates. */
export async function runQuery(
  runner: QueryRunner,
  setting: QuerySetting,
): Promise<StorePage | StoreCandidates> {
  const { page } = setting.query;
  const isLong = page.kind === "index" && page.offset > SHORT_WAY;
  const plan =
    (isLong ? null : await runner.executor.snapshot(() => answerQuery(setting))) ??
    (await scanning(runner, setting, (reader) => reader.run(answerBeside(setting))));
  if (plan.kind === "page") return plan;
  if (plan.lookup?.atOnce === true) return lookUp(runner, setting, { ...plan, lookup: plan.lookup });
  const scan = { plan, test: scanTest(setting, plan) };
  if (!findsPage(setting, scan)) return candidates(runner, setting, scan);
  return scanning(runner, setting, async (reader) => {
    const present = await planAgain(reader, setting, scan);
    return present.kind === "page" ? present.page : findPage(reader, setting, present.scan);
  });
}

/** Runs a scan when its turn has come. */
async function scanning<Result>(
  runner: QueryRunner,
  setting: QuerySetting,
  scan: (reader: ScanReader) => Promise<Result>,
): Promise<Result> {
  const open = await openScan(runner, setting);
  try {
    return await scan(open.reader);
  } finally {
    await open.close();
  }
}

interface OpenScan {
  readonly reader: ScanReader;
  close(): Promise<void>;
}

async function openScan(
  { executor, turns, inPlace }: QueryRunner,
  { scope: { tenant, signal }, query }: QuerySetting,
): Promise<OpenScan> {
  const conditions = conditionsOf(query);
  const count = await executor.read(liveCount({ tenant, type: query.type }));
  if (count <= inPlace && Math.min(count, CONDITION_WINDOW) * conditions <= MOST_ASKED) {
    const reader = { run: <Result>(steps: Steps<Result>) => executor.snapshot(steps), close: async () => {} };
    const oneState = false;
    return {
      reader: new ScanReader({ executor, reader, oneState, signal, conditions }),
      close: reader.close,
    };
  }
  const endTurn = await turns.take(tenant, signal);
  try {
    const reader = await executor.openSnapshot(signal);
    return {
      reader: new ScanReader({ executor, reader, oneState: true, signal, conditions }),
      close: () => reader.close().finally(endTurn),
    };
  } catch (error) {
    endTurn();
    throw error;
  }
}

type Planned =
  | { readonly kind: "page"; readonly page: StorePage }
  | { readonly kind: "scan"; readonly scan: Scan };

/**
 * Plans a scan on the state that it reads: what indexes told when it was planned first, before its turn came, they
 * may tell no more.
 * @throws ScimError `unavailable` where another kind of scan is needed now
 */
async function planAgain(reader: ScanReader, setting: QuerySetting, first: Scan): Promise<Planned> {
  const plan = await reader.run(answerBeside(setting));
  if (plan.kind === "page") return { kind: "page", page: plan };
  const scan = { plan, test: scanTest(setting, plan) };
  if (
    findsPage(setting, scan) !== findsPage(setting, first) ||
    isInOrder(setting, plan) !== isInOrder(setting, first.plan)
  )
    throw indexesChanged();
  return { kind: "scan", scan };
}

function indexesChanged(): Error {
  return unavailable("Indexes have changed since the query began. Try again.");
}

/** Whether a scan meets the resources in the order of the query. */
function isInOrder({ query: { page } }: QuerySetting, { sort, isOrdered }: ScanPlan): boolean {
  return page.kind === "keyset" ? sort !== null : isOrdered;
}

/** Whether a scan finds a page by itself: all that it takes stands in the rows. */
function findsPage(setting: QuerySetting, { plan, test }: Scan): boolean {
  return test.exact && (isInOrder(setting, plan) || scanSort(setting.query.sort) !== null);
}

function findPage(reader: ScanReader, setting: QuerySetting, scan: Scan): Promise<StorePage> {
  const { page, sort: asked } = setting.query;
  const { isOrdered, sort } = scan.plan;
  if (page.kind === "keyset" && sort !== null) {
    return scanFromPlace(reader, setting, { ...scan, page, sort });
  }
  if (page.kind === "index" && isOrdered) return scanForPage(reader, setting, { ...scan, page });
  const path = scanSort(asked);
  if (path === null) throw new TypeError("What the query sorts by is not in the rows");
  return sortForPage(reader, setting, { ...scan, sort: path });
}

/** What is read with candidates. Longer collections are asked in parts. */
function candidateReads(query: StoreQuery): ReadSelection {
  return { ...queryReads(query), most: MOST_VALUES };
}

function lookUp(
  { executor }: QueryRunner,
  setting: QuerySetting,
  plan: ScanPlan & { readonly lookup: Lookup },
): StoreCandidates {
  const { lookup, sort } = plan;
  const select = candidateReads(setting.query);
  return {
    kind: "candidates",
    order: setting.query.page.kind === "keyset" && sort !== null ? "query" : "id",
    batches: lookUpCandidates(executor, setting, { plan, lookup, select }),
    plan: `index of ${lookup.name}, then a filter${plan.unready}`,
  };
}

function candidates(runner: QueryRunner, setting: QuerySetting, scan: Scan): StoreCandidates {
  const isKeyset = setting.query.page.kind === "keyset";
  return {
    kind: "candidates",
    order: isKeyset && isInOrder(setting, scan.plan) ? "query" : "id",
    batches: streaming(runner, setting, scan),
    plan: `scan${scan.plan.unready}`,
  };
}

/** Runs a scan when its first batch is asked for and its turn has come. */
async function* streaming(
  runner: QueryRunner,
  setting: QuerySetting,
  first: Scan,
): AsyncGenerator<readonly StoredResource[], void, undefined> {
  const open = await openScan(runner, setting);
  try {
    const present = await planAgain(open.reader, setting, first);
    if (present.kind === "page") throw indexesChanged();
    yield* candidatesOf(open.reader, setting, present.scan);
  } finally {
    await open.close();
  }
}

function candidatesOf(
  reader: ScanReader,
  setting: QuerySetting,
  scan: Scan,
): AsyncIterable<readonly StoredResource[]> {
  const { page } = setting.query;
  const { sort } = scan.plan;
  const select = candidateReads(setting.query);
  return page.kind === "keyset" && sort !== null
    ? candidatesFromPlace(reader, setting, { ...scan, page, sort, select })
    : scanForCandidates(reader, setting, { ...scan, select });
}
