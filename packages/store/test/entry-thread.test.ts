import { hash } from "node:crypto";
import { createModelCatalog, type ModelCatalog } from "@scim/core";
import { adding, fetchOne, SCOPE, seed, updatePlan } from "@scim/core/testing";
import {
  type AuditChain,
  type ChainEnd,
  type Checkpoint,
  createAuditChain,
  type EventToLink,
  statedEntry,
  verifyAudit,
} from "@scim/events";
import { SAMPLE_KEYS } from "@scim/events/testing";
import { createDefaultRegistry } from "@scim/schemas";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sql } from "../src/sql.ts";
import { CommitQueue } from "../src/sqlite/commit-queue.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { EntryMaker } from "../src/sqlite/entry-maker.ts";
import type { Executor } from "../src/steps.ts";
import type { Store } from "../src/store.ts";
import { newFile, open } from "./support/folders.ts";

const { tenant } = SCOPE;
const KEYS = { ...SAMPLE_KEYS, digest: (text: string) => hash("sha256", text, "base64url") };
/** More than what is not worth a thread. */
const MANY = 120;

function chainOf(catalog: ModelCatalog | (() => ModelCatalog), onThreads = true): AuditChain {
  let made = 0;
  const newSecret = (): string => `secret ${String((made += 1)).padStart(6, "0")}`;
  return createAuditChain({ ...KEYS, newSecret, catalog, onThreads });
}

const CATALOG = createModelCatalog(createDefaultRegistry());

async function addUsers(store: Store, prefix: string, count = MANY): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  await seed(
    store.resources,
    ids.map((id) => ({ type: "User", id, body: { userName: id, active: true } })),
  );
}

/** The secrets of resources, by id. */
function secretsIn(path: string): ReadonlyMap<unknown, string> {
  const connection = new SqliteConnection(path, { lockWait: 1000 });
  const { rows } = connection.run(sql`SELECT id, secret FROM subject_secrets WHERE tenant = ${tenant}`);
  connection.close();
  return new Map(rows.map(({ id, secret }) => [id, String(secret)]));
}

/** What the log holds, and what it would if its entries were made here. */
async function bothLogs(store: Store, path: string, chain: AuditChain): Promise<readonly unknown[]> {
  const secrets = secretsIn(path);
  const secretOf = (_type: string, id: string): string => secrets.get(id) ?? "none";
  const events: readonly EventToLink[] = await store.events.read(tenant, { after: 0, limit: 10_000 });
  const entries = await store.audit.read(tenant, { after: 0, limit: 10_000 });
  return [entries, chain.link(tenant, { previous: null, secretOf }, events)];
}

/** Gives all positions. Answers how often a thread made entries. */
async function assignAll(store: Store): Promise<number> {
  const placing = vi.spyOn(EntryMaker.prototype, "place");
  while ((await store.events.assign(1000)) > 0);
  const made = await Promise.all(placing.mock.results.map(async ({ value }) => value));
  placing.mockRestore();
  return made.filter((given) => given > 0).length;
}

describe("entries that a thread makes", () => {
  test("are those that would be made where requests are served, of every kind of change", async () => {
    const path = newFile();
    const chain = chainOf(CATALOG);
    const store = await open(path, { audit: chain });
    await addUsers(store, "u");
    await seed(store.resources, [{ type: "Group", id: "g", body: { displayName: "g" }, members: ["u1"] }]);
    const group = await fetchOne(store.resources, { type: "Group", id: "g" });
    await store.resources.write(SCOPE, updatePlan(group, { collections: [adding("u2", "u3")] }));
    expect(await assignAll(store)).toBe(1);
    for (let index = 0; index < MANY; index += 1) {
      const user = await fetchOne(store.resources, { type: "User", id: `u${index}` });
      const body = { ...user.body, title: `title ${index}`, active: index % 2 === 0 };
      await store.resources.write(SCOPE, updatePlan(user, { body }));
    }
    expect(await assignAll(store)).toBe(1);
    const [entries, here] = await bothLogs(store, path, chain);
    expect(entries).toHaveLength(2 * MANY + 2);
    expect(entries).toEqual(here);
    const { valid } = await verifyAudit(tenant, { ...KEYS, audit: store.audit, events: store.events });
    expect(valid).toBe(true);
  });

  test("of few events are made where requests are served", async () => {
    const store = await open(newFile(), { audit: chainOf(CATALOG) });
    await addUsers(store, "u", 50);
    expect(await assignAll(store)).toBe(0);
  });

  test("tell values as the documents of a tenant say at the time", async () => {
    let catalog = CATALOG;
    const store = await open(newFile(), { audit: chainOf(() => catalog) });
    await addUsers(store, "a");
    await assignAll(store);
    catalog = createModelCatalog(showing("userName"));
    await addUsers(store, "b");
    expect(await assignAll(store)).toBe(1);
    const shown = (await store.audit.read(tenant, { after: 0, limit: 1000 })).map((entry) =>
      statedEntry(entry)?.changes.find(({ path }) => path === "userName"),
    );
    expect([shown[0], shown[MANY]]).toEqual([
      { path: "userName" },
      { path: "userName", after: { value: "b0" } },
    ]);
  });

  test("come behind those that are missing of earlier events", async () => {
    const path = newFile();
    const chain = chainOf(CATALOG);
    const audited = await open(path, { audit: chain });
    await addUsers(audited, "a");
    expect(await assignAll(audited)).toBe(1);
    const plain = await open(path);
    await addUsers(plain, "b");
    while ((await plain.events.assign(1000)) > 0);
    await addUsers(audited, "c");
    while ((await audited.events.assign(1000)) > 0);
    const [entries, here] = await bothLogs(audited, path, chain);
    expect(entries).toHaveLength(3 * MANY);
    expect(entries).toEqual(here);
  });

  test("are made anew where several processes give positions at once: each event has one", async () => {
    const path = newFile();
    const chain = chainOf(CATALOG);
    const stores = await Promise.all([1, 2, 3].map(async () => open(path, { audit: chain })));
    const [first] = stores;
    if (first === undefined) throw new TypeError("There is no store");
    for (const round of ["a", "b", "c"]) {
      await addUsers(first, round);
      await Promise.all(stores.map(assignAll));
    }
    const [entries, here] = await bothLogs(first, path, chain);
    expect(entries).toHaveLength(3 * MANY);
    expect(entries).toEqual(here);
  });
});

/** A registry in which the values of an attribute of Users are shown. */
function showing(path: string): ReturnType<typeof createDefaultRegistry> {
  const registry = createDefaultRegistry();
  const users = registry.resourceType("User");
  if (users === undefined) throw new TypeError("There is no User");
  registry.addResourceType({
    ...users,
    annotations: { ...users.annotations, [path]: { sensitivity: "none" } },
  });
  return registry;
}

/** What opens a store with three Users, and makes entries of their events on a thread. */
interface Making {
  readonly path: string;
  readonly store: Store;
  readonly maker: EntryMaker;
  readonly chain: AuditChain;
  /** The connection that writes entries. */
  readonly writer: SqliteConnection;
}

/** @param between run when an entry is made, before it is written by the queue */
async function making(
  between: (path: string, queue: CommitQueue) => Promise<void> | void,
  idle?: number,
): Promise<Making> {
  const path = newFile();
  const chain = chainOf(CATALOG);
  const { elsewhere, newSecret } = chain;
  if (elsewhere === null) throw new TypeError("Entries are to be made on a thread");
  const store = await open(path, { audit: chain });
  await addUsers(store, "u", 3);
  const writer = new SqliteConnection(path, { lockWait: 1000 });
  onTestFinished(() => writer.close());
  const queue = new CommitQueue(writer, { busyTimeout: 1000, pauses: true });
  const executor: Pick<Executor, "write"> = {
    write: async (makeSteps) => {
      await between(path, queue);
      return queue.submit(makeSteps);
    },
  };
  const maker = new EntryMaker({ path, lockWait: 1000, elsewhere, newSecret, executor, idle });
  onTestFinished(() => maker.close());
  return { path, store, maker, chain, writer };
}

describe("what a thread foresaw", () => {
  async function placed(between: (path: string) => void): Promise<readonly unknown[]> {
    const { store, maker } = await making(between);
    const given = await maker.place(tenant, 10);
    return [given, (await store.audit.read(tenant, { after: 0, limit: 10 })).length];
  }

  function run(path: string, statement: Parameters<SqliteConnection["run"]>[0]): void {
    const connection = new SqliteConnection(path, { lockWait: 1000 });
    connection.run(statement);
    connection.close();
  }

  test("is written", async () => {
    expect(await placed(() => undefined)).toEqual([3, 3]);
  });

  test("is written in one turn, so that no request is worked on in the middle of it", async () => {
    const { maker, writer } = await making(() => undefined);
    let turnsWithin = 0;
    const watch = (): void => {
      if (!writer.isOpen) return;
      if (writer.inTransaction) turnsWithin += 1;
      setImmediate(watch);
    };
    watch();
    expect(await maker.place(tenant, 10)).toBe(3);
    expect(turnsWithin).toBe(0);
  });

  test.each([
    ["a position that another gave", sql`INSERT INTO event_heads (tenant, position) VALUES (${tenant}, 1)`],
    ["an event that has gone", sql`DELETE FROM events WHERE id = ${"u1"}`],
    ["the last event, that has gone", sql`DELETE FROM events WHERE id = ${"u2"}`],
    ["an event that is another one", sql`UPDATE events SET version = ${"9-other"} WHERE id = ${"u1"}`],
    ["an erasure", sql`UPDATE events SET changed = '[]', after = NULL WHERE id = ${"u1"}`],
  ])("is not written where it does not hold any more: %s", async (_what, statement) => {
    expect(await placed((path) => run(path, statement))).toEqual([0, 0]);
  });

  test("is taken back whole where it does not hold any more, and others share its transaction", async () => {
    const { path, store, maker, chain } = await making((file, queue) => {
      run(file, sql`UPDATE events SET changed = '[]', after = NULL WHERE id = ${"v1"}`);
      void queue.submit(function* beside() {
        yield sql`INSERT INTO event_heads (tenant, position) VALUES ('other', 0) ON CONFLICT DO NOTHING`;
        return { keep: true, result: null };
      });
    });
    expect(await maker.place(tenant, 10)).toBe(3);
    await addUsers(store, "v", 3);
    expect(await maker.place(tenant, 10)).toBe(0);
    expect(await store.events.read(tenant, { after: 3, limit: 10 })).toEqual([]);
    while ((await store.events.assign(1000)) > 0);
    const [entries, here] = await bothLogs(store, path, chain);
    expect(entries).toHaveLength(6);
    expect(entries).toEqual(here);
  });
});

test("what a thread made with a secret that has gone since, with the entries before, is made anew", async () => {
  let purge = async (): Promise<number> => 0;
  const { path, store, maker, chain } = await making(async () => void (await purge()));
  expect(await maker.place(tenant, 10)).toBe(3);
  const user = await fetchOne(store.resources, { type: "User", id: "u1" });
  await store.resources.write(SCOPE, updatePlan(user, { body: { ...user.body, title: "Dr" } }));
  const [secrets, at] = [secretsIn(path), "2099-01-01T00:00:00.000Z"];
  const sign = (_tenant: string, end: ChainEnd): Checkpoint => ({ ...end, at, key: "k", signature: "s" });
  purge = () => store.audit.purge({ before: at, present: at, limit: 3, sign });
  expect(await maker.place(tenant, 10)).toBe(0);
  purge = async () => 0;
  expect(await maker.place(tenant, 10)).toBe(1);
  const secret = secretsIn(path).get("u1") ?? "none";
  expect([[...secretsIn(path).keys()], secret === secrets.get("u1")]).toEqual([["u1"], false]);
  const events = await store.events.read(tenant, { after: 3, limit: 10 });
  const previous = (await store.audit.checkpointAt(tenant, 3))?.hash ?? null;
  expect(await store.audit.read(tenant, { after: 3, limit: 10 })).toEqual(
    chain.link(tenant, { previous, secretOf: () => secret }, events),
  );
});

test("events of much JSON are in hand some at a time", async () => {
  const { path, store, maker, chain } = await making(() => undefined);
  const title = "x".repeat(1_000_000);
  await seed(
    store.resources,
    Array.from({ length: 20 }, (_, index) => ({ type: "User", id: `w${index}`, body: { title } })),
  );
  const placed = [
    await maker.place(tenant, 100),
    await maker.place(tenant, 100),
    await maker.place(tenant, 100),
  ];
  expect(placed).toEqual([12, 9, 2]);
  const [entries, here] = await bothLogs(store, path, chain);
  expect(entries).toEqual(here);
});

test("what no thread can make is made where requests are served", async () => {
  const store = await open(newFile(), { audit: chainOf(CATALOG) });
  await addUsers(store, "u");
  const placing = vi.spyOn(EntryMaker.prototype, "place").mockRejectedValue(new Error("no thread"));
  onTestFinished(() => placing.mockRestore());
  expect(await store.events.assign(1000)).toBe(MANY);
  expect(placing).toHaveBeenCalledOnce();
  expect(await store.audit.read(tenant, { after: 0, limit: 1000 })).toHaveLength(MANY);
});

test("a thread without work ends, and the next is told all anew", async () => {
  const { path, store, maker, chain } = await making(() => undefined, 1);
  expect([maker.fewest, await maker.place(tenant, 10)]).toEqual([50, 3]);
  await vi.waitFor(() => expect(maker.fewest).toBe(50));
  await addUsers(store, "v", 3);
  expect(await maker.place(tenant, 10)).toBe(3);
  const [entries, here] = await bothLogs(store, path, chain);
  expect(entries).toHaveLength(6);
  expect(entries).toEqual(here);
});

test("no thread begins behind the end, which comes when those are placed that were taken", async () => {
  const { maker } = await making(() => undefined);
  const taken = maker.place(tenant, 1);
  const closed = maker.close();
  await expect(maker.place(tenant, 1)).rejects.toThrow("The store is closed.");
  await closed;
  expect([await taken, maker.fewest]).toEqual([1, 50]);
});
