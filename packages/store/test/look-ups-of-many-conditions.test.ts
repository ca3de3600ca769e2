import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import type { StoreCandidates, StorePage, StoreQuery, StoreScope } from "@scim/core";
import { createPlan, filterOf, indexPage, NOTHING, SCOPE, sortOf } from "@scim/core/testing";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openSqliteStore, type SqliteStoreOptions, type Store } from "../src/sqlite/index.ts";
import { openPostgres } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";
import { stamping } from "./support/indexed.ts";
import { trace } from "./support/statements.ts";

/** More than are gone through between requests. */
const USERS = 3000;

/** A file with many users, whose names all begin alike. */
let template = "";

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "scim-conditions-"));
  template = join(folder, "scim.db");
  const store = await openSqliteStore({ path: template });
  await fill(store, USERS);
  await store.close();
  return () => rmSync(folder, { recursive: true });
});

async function fill(store: Store, users: number): Promise<void> {
  const resources = stamping(store);
  const writes = Array.from({ length: users }, (_, number) => {
    const body = {
      userName: `user-${String(number).padStart(4, "0")}`,
      displayName: `Doe ${number}`,
      title: number % 10 === 0 ? "Dr" : "Mr",
    };
    return resources.write(SCOPE, createPlan({ type: "User", id: idOf(number), body }));
  });
  await Promise.all(writes);
}

function idOf(number: number): string {
  return `u${String(number).padStart(5, "0")}`;
}

function filled(options: Partial<SqliteStoreOptions> = {}): Promise<Store> {
  const path = newFile();
  copyFileSync(template, path);
  return open(path, options);
}

let threads: Worker[] = [];

beforeEach(() => {
  threads = [];
  const note = (worker: Worker): void => void threads.push(worker);
  process.on("worker", note);
  onTestFinished(() => void process.off("worker", note));
});

function times(count: number, term: string, word: "and" | "or"): string {
  return Array.from({ length: count }, () => term).join(` ${word} `);
}

interface Asked {
  readonly filter: string;
  readonly page?: StoreQuery["page"];
  readonly sort?: StoreQuery["sort"];
  readonly scope?: StoreScope;
}

async function ask(store: Store, asked: Asked): Promise<StorePage | StoreCandidates> {
  const { filter, page = indexPage(0, 2), sort = null, scope = SCOPE } = asked;
  const query = { type: "User", filter: filterOf("User", filter), sort, page, select: NOTHING };
  return store.resources.query(scope, query);
}

async function pageOf(store: Store, asked: Asked): Promise<StorePage> {
  const answer = await ask(store, asked);
  if (answer.kind !== "page") throw new Error("The database decides it.");
  return answer;
}

const DOES = times(180, 'displayName co "doe"', "and");

/** Filters that one look-up leads, the pages that are asked for, and what is found. */
const BESIDE: readonly (readonly [string, Asked, Partial<StorePage>, readonly number[]])[] = [
  [
    "all of many conditions",
    { filter: `userName sw "user-" and ${DOES}` },
    { total: USERS, plan: "scan of indexes" },
    [0, 1],
  ],
  [
    "some of those that the look-up finds",
    { filter: `userName sw "user-1" and ${DOES}`, page: indexPage(999, 5) },
    { total: 1000, plan: "scan of indexes" },
    [1999],
  ],
  [
    "those behind as many as are looked at in one step",
    { filter: `userName sw "user-" and ${DOES}`, page: indexPage(2500, 2) },
    { total: USERS, plan: "scan of indexes" },
    [2500, 2501],
  ],
  [
    "one of many conditions",
    { filter: `userName sw "user-" and (${times(180, 'displayName co "doe 7"', "or")})` },
    { total: 111, plan: "scan of indexes" },
    [7, 70],
  ],
  [
    "conditions of which the rows decide one",
    { filter: `userName sw "user-" and title eq "dr" and ${DOES}` },
    { total: USERS / 10, plan: "scan" },
    [0, 10],
  ],
  [
    "in another order",
    { filter: `userName sw "user-2" and ${DOES}`, sort: sortOf("User", "userName", true) },
    { total: 1000, plan: "scan" },
    [2999, 2998],
  ],
  [
    "nothing to ask of very many, in the order of an attribute",
    { filter: 'userName sw "user-"', sort: sortOf("User", "displayName", true), page: indexPage(1, 2) },
    { total: USERS, plan: "index of userName" },
    [998, 997],
  ],
  [
    "behind a place in that order",
    {
      filter: 'userName sw "user-"',
      sort: sortOf("User", "displayName"),
      page: { kind: "keyset", from: { key: "doe 999", id: idOf(999) }, direction: "backward", limit: 2 },
    },
    { total: USERS, more: true, plan: "index of userName" },
    [997, 998],
  ],
  [
    "behind a place",
    {
      filter: `userName sw "user-1" and ${DOES}`,
      page: { kind: "keyset", from: { key: null, id: idOf(1500) }, direction: "forward", limit: 2 },
    },
    { more: true, plan: "scan of indexes" },
    [1501, 1502],
  ],
];

describe("what a look-up finds, and many conditions are to be asked of", () => {
  test.each(BESIDE)("is gone through beside the requests: %s", async (_name, asked, expected, ids) => {
    const store = await filled();
    const page = await pageOf(store, asked);
    expect(page).toMatchObject(expected);
    expect(page.resources.map(({ id }) => id)).toEqual(ids.map(idOf));
    expect(threads).toHaveLength(1);
    expect(threads[0]?.performance.eventLoopUtilization().active).toBeGreaterThan(0);
  });

  test("is gone through beside the requests where the service decides the rest", async () => {
    const store = await filled();
    const answer = await ask(store, { filter: `userName sw "user-1" and meta.location pr and ${DOES}` });
    if (answer.kind !== "candidates") throw new Error("Where a resource is, only the service knows.");
    let found = 0;
    for await (const batch of answer.batches) found += batch.length;
    expect([found, threads.length]).toEqual([1000, 1]);
  });

  test("ends with its client", async () => {
    const store = await filled();
    const client = new AbortController();
    const started = new Promise((resolve) => void process.once("worker", resolve));
    const scope = { ...SCOPE, signal: client.signal };
    const asked = ask(store, { filter: `userName sw "user-" and ${DOES}`, scope });
    await started;
    const gone = new Error("gone");
    client.abort(gone);
    await expect(asked).rejects.toBe(gone);
  });

  test.each<[name: string, filter: string, total: number, sort?: StoreQuery["sort"]]>([
    ["few conditions", 'userName sw "user-01" and displayName co "doe"', 100],
    ["few found", `userName sw "user-001" and ${DOES}`, 10],
    ["nothing to ask", 'userName sw "user-"', USERS],
    ["nothing to ask of not so many in order", 'userName sw "user-1"', 1000, sortOf("User", "displayName")],
    ["one alone", `userName eq "user-0007" and ${DOES}`, 1],
  ])("is answered between requests: %s", async (_name, filter, total, sort = null) => {
    const store = await filled();
    expect(await pageOf(store, { filter, sort })).toMatchObject({ total, plan: "index of userName" });
    expect(threads).toHaveLength(0);
  });

  test("is gone through beside the requests also where the tenant has few resources", async () => {
    const store = await filled({ scans: { inPlace: USERS } });
    expect(await pageOf(store, { filter: DOES })).toMatchObject({ total: USERS });
    expect(threads).toHaveLength(1);
  });
});

test.each([
  ["PostgreSQL", openPostgres],
  ["SQLite in memory", () => open(":memory:")],
])("the same is found on %s", async (_name, openStore) => {
  const store = await openStore();
  await fill(store, 90);
  const sorted = sortOf("User", "userName", true);
  const filter = `userName sw "user-00" and not (userName sw "user-005") and ${DOES}`;
  const page = await pageOf(store, { filter, page: indexPage(1, 2), sort: sorted });
  expect(page).toMatchObject({ total: 80, plan: "scan" });
  expect(page.resources.map(({ id }) => id)).toEqual([idOf(88), idOf(87)]);
  expect(await pageOf(store, { filter })).toMatchObject({ total: 80, plan: "scan of indexes" });
  const alternatives = `(userName sw "user-001" or userName sw "user-00") and ${DOES}`;
  expect(await pageOf(store, { filter: alternatives })).toMatchObject({ total: 90, plan: "scan of indexes" });
});

/** How many entries the statements may read that count what look-ups find. */
function counted(filter: string): number {
  const { statements } = trace(template, { type: "User", filter });
  const counts = statements.filter(({ text }) => text.endsWith("LIMIT ?) found"));
  return counts.reduce((sum, { params }) => sum + Number(params.at(-1)), 0);
}

describe("counting what look-ups find", () => {
  test.each([
    ["that find many each", times(100, 'userName sw "user-" and displayName ge "a"', "and")],
    ["that find few in vain", times(100, 'userName sw "user-0" and displayName ge "doe 1"', "and")],
  ])("ends for all of them together: %s", (_name, filter) => {
    expect(counted(filter)).toBeLessThanOrEqual(20_000);
  });

  test("of alternatives ends when enough were found, before they are told apart", () => {
    const filter = `(${times(40, 'userName sw "user-"', "or")}) and displayName co "x"`;
    const [count] = trace(template, { type: "User", filter }).statements;
    expect(count?.text).toContain("UNION ALL");
    expect(count?.plan.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
  });
});
