/**
 * What others write while a page is found and read, in a tenant of few resources, whose reads see a state each.
 */
import type { ListAnswer, OperatorService, ResourceStore } from "@scim/core";
import { isJsonObject, USER_URN } from "@scim/schemas";
import { expect, onTestFinished, test } from "vitest";
import { IndexKeeper } from "../../src/indexes/keeper.ts";
import { postgresDialect } from "../../src/postgres/dialect.ts";
import { createExecutor } from "../../src/postgres/executor.ts";
import { SessionAge } from "../../src/postgres/session-age.ts";
import { SessionPool } from "../../src/postgres/session-pool.ts";
import { SnapshotPool } from "../../src/postgres/snapshot.ts";
import { StatementNames } from "../../src/postgres/statement-names.ts";
import { ScanTurns } from "../../src/query/scan-turns.ts";
import { LongAnswerTurns } from "../../src/resources/long-answer-turns.ts";
import { createResourceStore } from "../../src/resources/resource-store.ts";
import type { Executor } from "../../src/steps.ts";
import { emptyDatabase } from "../support/engines.ts";
import { CALLER, create, idsOf, list, PLAIN, serviceOver, walk } from "../support/services.ts";

const STAYING = 9;

/** Moves of a walk: in the order of changes who moves is always before it. */
const MOST_MOVES = 60;

/** A store that lets others write before each of its reads. */
async function openInterrupted(between: () => Promise<void>): Promise<ResourceStore> {
  const limits = {
    statementTimeout: 60_000,
    acquireTimeout: 10_000,
    names: new StatementNames(false),
    age: new SessionAge(),
  };
  const url = await emptyDatabase();
  const pool = new SessionPool({ ...limits, url, size: 4 });
  const snapshots = new SnapshotPool(new SessionPool({ ...limits, url, size: 2 }), 2, pool);
  const whole = createExecutor({ pool, snapshots, retryTimeout: 1000, freshEvents: null });
  const executor: Executor = {
    ...whole,
    read: async (steps) => {
      await between();
      return whole.read(steps);
    },
    snapshot: async (steps) => {
      await between();
      return whole.snapshot(steps);
    },
  };
  const indexes = new IndexKeeper({ executor: whole, dialect: postgresDialect, interval: 3_600_000 });
  onTestFinished(async () => {
    await indexes.stop();
    await Promise.all([pool.close(), snapshots.close()]);
  });
  return createResourceStore({
    executor,
    dialect: postgresDialect,
    indexes,
    turns: new ScanTurns(),
    answers: new LongAnswerTurns(2),
  });
}

/** Users of whom all but two stay as they are, and those two moving from end to end whenever anything is read. */
async function openMoving(): Promise<{
  readonly service: OperatorService;
  readonly staying: readonly string[];
  /** Lets them move so many times more. */
  readonly moveFromNow: () => void;
  readonly meanwhile: <Result>(work: () => Promise<Result>) => Promise<Result>;
}> {
  let move: (() => Promise<void>) | null = null;
  const service = serviceOver(
    await openInterrupted(async () => {
      const now = move;
      // What moves reads, too.
      move = null;
      await now?.();
      move = now;
    }),
  );
  const add = (name: string, level: number): Promise<string> => create(service, "User", bodyOf(name, level));
  const first = await add("mover1", 0);
  const staying: string[] = [];
  for (let level = 1; level <= STAYING; level += 1) staying.push(await add(`user${String(level)}`, level));
  const movers = [first, await add("mover2", 0)];
  let [moves, left] = [0, 0];
  const moveOn = async (): Promise<void> => {
    if (left === 0) return;
    left -= 1;
    const at = moves % 2;
    const level = Math.trunc(moves / 2) % 2 === 0 ? STAYING + 1 : 0;
    moves += 1;
    const body = bodyOf(`mover${String(at + 1)}`, level);
    await service.replace(CALLER, { ...PLAIN, type: "User", id: movers[at] ?? "", body });
  };
  return {
    service,
    staying,
    moveFromNow: () => {
      left = MOST_MOVES;
    },
    meanwhile: async (work) => {
      move = moveOn;
      return work().finally(() => {
        move = null;
      });
    },
  };
}

/** Who is at an end is called so. `nickName` and `title` have no index, `displayName` has one. */
function bodyOf(userName: string, level: number): { readonly [name: string]: string | readonly string[] } {
  const key = `level ${String(level).padStart(2, "0")}`;
  const title = level === 0 ? "lowest" : level > STAYING ? "highest" : "between";
  return { schemas: [USER_URN], userName, displayName: key, nickName: key, title };
}

test.each([
  ["nickName", null],
  ["nickName", 'title sw "between" or title sw "h" or title sw "l"'],
  ["displayName", null],
  ["displayName", 'title ne "nobody"'],
  ["displayName", 'displayName sw "level" and title ne "nobody"'],
  ["meta.lastModified", 'title ne "nobody"'],
  [null, 'title ne "nobody"'],
] as const)(
  "R9865-DEC-01 in order of %s, filtered by %s, who stays is met once, whoever moves while a page is found and read",
  async (sortBy, filter) => {
    const { service, staying, moveFromNow, meanwhile } = await openMoving();
    for (const sortOrder of ["ascending", "descending"] as const)
      for (const count of [1, 2, 4]) {
        moveFromNow();
        const page = (cursor: string): Promise<ListAnswer> =>
          meanwhile(() => list(service, "User", { filter, sortBy, sortOrder, count, cursor }));
        const there = (await walk(page, {})).flatMap(idsOf).filter((id) => staying.includes(String(id)));
        const order = sortBy === null || sortOrder === "ascending" ? staying : staying.toReversed();
        expect([sortOrder, count, there]).toEqual([sortOrder, count, order]);
      }
  },
);

test.each([
  ["nickName", "title"],
  [null, "title"],
  ["displayName", "title"],
] as const)(
  "in order of %s, what a page shows matches its filter on %s, also where it was changed meanwhile",
  async (sortBy, path) => {
    const { service, moveFromNow, meanwhile } = await openMoving();
    moveFromNow();
    for (const paging of [{ startIndex: 1 }, { cursor: "" }])
      for (const value of ["lowest", "highest"]) {
        const filter = `${path} eq "${value}"`;
        const answer = await meanwhile(() => list(service, "User", { filter, sortBy, ...paging }));
        const shown = answer.resources.filter(isJsonObject).map((each) => each[path]);
        expect(shown.filter((each) => each !== value)).toEqual([]);
      }
  },
);
