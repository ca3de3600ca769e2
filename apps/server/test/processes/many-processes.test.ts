import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { clientOf, type Client } from "../over-http/client.ts";
import { ENGINES, type TestDatabase } from "../over-http/engines.ts";
import { newToken, startServer, type RunningServer } from "../over-http/server.ts";
import { examineDerived } from "./derived-rows.ts";
import { writeAll, type GroupRecord } from "./conditional-writers.ts";
import { groupState, type GroupState } from "./group-state.ts";

const PROCESSES = 4;
const CLIENTS = 64;
const GROUPS = 16;
const KILLS = 2;

/** Several servers on one database, any of which may be killed and started again. */
interface Cluster {
  /** A client of one of them, in turns. */
  readonly next: () => Client;
  /** Kills one with SIGKILL, in turns, and starts another in its place. */
  readonly replaceOne: () => Promise<void>;
}

async function startCluster({ environment }: TestDatabase): Promise<Cluster> {
  const told = { ...environment, SCIM_TOKEN: newToken() };
  const start = async (): Promise<RunningServer> => {
    const server = await startServer(told);
    onTestFinished(() => server.stop());
    return server;
  };
  // The first brings the schema up to date, and all of them may.
  const servers = await Promise.all(Array.from({ length: PROCESSES }, start));
  let [called, killed] = [0, 0];
  return {
    next: () => {
      called += 1;
      const server = servers[called % servers.length];
      if (server === undefined) throw new TypeError("No server runs.");
      return clientOf(server);
    },
    replaceOne: async () => {
      const place = killed % servers.length;
      killed += 1;
      servers[place]?.kill();
      servers[place] = await start();
    },
  };
}

async function newGroups({ next }: Cluster): Promise<readonly GroupRecord[]> {
  const names = Array.from({ length: GROUPS }, (_, at) => `group-${at}`);
  return Promise.all(
    names.map(async (displayName) => ({
      group: await next().group({ displayName }),
      acknowledged: new Map(),
      unknown: new Set<string>(),
    })),
  );
}

/** Every place of a group tells the same story. */
function expectWhole(state: GroupState): void {
  // One event for each revision: no version was built on twice, and none is left out.
  expect(state.events.map(({ revision }) => revision)).toEqual(
    Array.from({ length: state.revision }, (_, at) => at + 1),
  );
  const last = state.events.at(-1);
  expect(state.version).toBe(last?.version);
  expect(state.displayName).toBe(last?.displayName);
  expect(state.indexed).toEqual([state.displayName]);
  // The members came in the order of the events, each once.
  expect(state.members).toEqual(state.events.flatMap(({ added }) => added));
  expect(new Set(state.members).size).toBe(state.members.length);
}

/** What clients were told is what happened. */
function expectAcknowledged(state: GroupState, { acknowledged, unknown }: GroupRecord): void {
  const marks = new Set([...acknowledged.keys(), ...unknown]);
  expect([...acknowledged.keys()].filter((mark) => !state.members.includes(mark))).toEqual([]);
  expect(state.members.filter((mark) => !marks.has(mark))).toEqual([]);
  // No two changes were made on one version, and each led to the version of its own event.
  const bases = [...acknowledged.values()].map(({ from }) => from);
  expect(new Set(bases).size).toBe(bases.length);
  const versions = new Map(state.events.map(({ added, version }) => [added[0], `W/"${version}"`]));
  for (const [mark, { to }] of acknowledged) expect(to).toBe(versions.get(mark));
}

/** Holds every group against what its clients were told. */
async function expectAll(database: TestDatabase, groups: readonly GroupRecord[]): Promise<void> {
  for (const record of groups) {
    const state = await groupState(database, record.group.id);
    expectWhole(state);
    expectAcknowledged(state, record);
  }
}

function acknowledgedOf(groups: readonly GroupRecord[]): number {
  return groups.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
}

describe.each(ENGINES)("$name: 64 clients of 4 servers on one database", ({ makeBare }) => {
  test("R7644-3.14-09 each acknowledged change is found once and no version forks, also when servers are killed", async () => {
    const database = await makeBare();
    const cluster = await startCluster(database);
    const groups = await newGroups(cluster);
    const writers = { client: cluster.next, groups, clients: CLIENTS };
    await writeAll({ ...writers, changes: 1 });
    await expectAll(database, groups);
    expect(groups.flatMap(({ unknown }) => [...unknown])).toEqual([]);
    expect(acknowledgedOf(groups)).toBe(CLIENTS);

    const killing = (async () => {
      for (let kills = 0; kills < KILLS; kills += 1) {
        await delay(50 + Math.random() * 200);
        await cluster.replaceOne();
      }
    })();
    await writeAll({ ...writers, changes: 1, during: killing });
    await expectAll(database, groups);
    expect(acknowledgedOf(groups)).toBeGreaterThanOrEqual(CLIENTS * 2);
    expect(await examineDerived(database.environment)).toEqual({ compared: GROUPS, first: [] });
  });
});
