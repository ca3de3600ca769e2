/**
 * Indexes that are declared while a service runs, by documents and by operators.
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  createModelCatalog,
  DEFAULT_LIMITS,
  indexSource,
  type IndexSource,
  type ListAnswer,
  type ScimService,
} from "@scim/core";
import { type JsonObject, SchemaDocumentError, type SchemaRegistry, ScimError } from "@scim/schemas";
import { queryOnce } from "@scim/fixtures/postgres";
import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { IndexKeeping } from "../../src/indexes/keeper.ts";
import type { Store } from "../../src/store.ts";
import { emptyDatabase, openPostgresAt } from "../support/engines.ts";
import { newFile, open } from "../support/folders.ts";
import { CALLER, create, list, PLAIN, serviceOver } from "../support/services.ts";
import { waitsOrDone } from "../support/waits-or-done.ts";
import { asset, assets, LEASE } from "./assets.ts";

/** Databases that several stores are opened on, as several processes do. */
const DATABASES: readonly (readonly [string, () => Promise<(keeping: IndexKeeping) => Promise<Store>>])[] = [
  [
    "SQLite",
    async () => {
      const path = newFile();
      return (indexes) => open(path, { indexes });
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const url = await emptyDatabase();
      return (indexes) => openPostgresAt(url, { indexes });
    },
  ],
];

const { tenant } = CALLER;
const AT_ONCE: IndexKeeping = { grace: 0, interval: 20 };
/** Nothing is built in the background: the test says when. */
const BY_HAND: IndexKeeping = { grace: 0, interval: 1_000_000_000 };
/** When the lease of who worked before is over. */
const NEXT: IndexKeeping = { ...BY_HAND, now: () => Date.now() + 60_000 };

/** What is answered for a tenant whose documents the service has outgrown. */
function outgrown(): ScimError {
  const cause = new SchemaDocumentError(
    "resourceTypeConflict",
    "The resource type Device cannot be used.",
    [],
  );
  return new ScimError("unavailable", "The schemas of the tenant do not fit the service any more.", {
    cause,
  });
}

function sourceOf(registry: SchemaRegistry): IndexSource {
  return indexSource(createModelCatalog(registry));
}

/** Works until nothing is left to do. On a server a fence has to be passed, and another process may be at it. */
async function finish(store: Store, registry: SchemaRegistry): Promise<void> {
  const source = sourceOf(registry);
  for (let round = 0; round < 1000; round += 1) {
    const indexes = await store.indexes.list(tenant);
    // Another process may have come to the end: the last round tells this one.
    await store.indexes.work(source);
    if (indexes.every(({ state }) => state === "ready")) return;
    await delay(10);
  }
  throw new Error(`Not built: ${JSON.stringify(await store.indexes.list(tenant))}`);
}

async function find(service: ScimService, filter: string): Promise<ListAnswer> {
  return list(service, "Asset", { filter });
}

/** How a filter was served, and the serial numbers of what it found. */
function foundBy({ filterPlan, resources }: ListAnswer): readonly [string, readonly string[]] {
  const serials = resources.map((resource) => String(resource["serial"]));
  return [filterPlan ?? "index", serials.toSorted()];
}

describe.each(DATABASES)("%s", (_name, database) => {
  test.each([
    ["cannot be read", new Error("no such document")],
    ["do not fit the service any more", outgrown()],
  ])("a tenant whose documents %s holds up no index of another", async (_what, error) => {
    const openStore = await database();
    const store = await openStore(BY_HAND);
    const registry = assets(["serial"]);
    // A query of it would ask the same, and so would a change of its documents.
    store.indexes.of("broken", "Asset");
    await create(serviceOver(store.resources, { registry }), "Asset", asset("a"));
    const source = (of: string): IndexSource => {
      if (of === "broken") throw error;
      return sourceOf(registry);
    };
    const readiness = async (): Promise<string | undefined> => {
      await expect(store.indexes.work(source)).rejects.toMatchObject({ cause: error });
      return (await store.indexes.list(tenant))[0]?.state;
    };
    await expect.poll(readiness).toBe("ready");
  });

  test("a tenant whose documents cannot be read is told of by its name, once a minute", async () => {
    const openStore = await database();
    const store = await openStore(AT_ONCE);
    for (const each of ["broken", tenant]) store.indexes.of(each, "Asset");
    const told: unknown[] = [];
    store.indexes.onError((error) => told.push(error instanceof Error ? error.message : error));
    store.indexes.maintain((of) => {
      if (of === "broken") throw new Error("no such document");
      return sourceOf(assets(["serial"]));
    });
    const indexes = async (): Promise<number> => (await store.indexes.list(tenant)).length;
    await expect.poll(indexes).toBe(1);
    const message = "The indexes of tenant 'broken' cannot be seen to.";
    await expect.poll(() => told).toEqual([message]);
    await delay(100);
    expect(told).toEqual([message]);
    const later = performance.now() + 60_000;
    const now = vi.spyOn(performance, "now").mockImplementation(() => later);
    onTestFinished(() => now.mockRestore());
    await expect.poll(() => told).toEqual([message, message]);
  });

  test("an attribute that a document newly annotates finds what was stored before, while its index is built and after", async () => {
    const openStore = await database();
    const before = serviceOver((await openStore(BY_HAND)).resources, { registry: assets() });
    for (const serial of ["a", "b", "c"]) await create(before, "Asset", asset(serial));

    const registry = assets(["serial"]);
    const waiting = await openStore({ ...BY_HAND, grace: 1_000_000_000 });
    const meanwhile = serviceOver(waiting.resources, { registry });
    expect(foundBy(await find(meanwhile, 'serial eq "b"'))[1]).toEqual(["b"]);
    await waiting.indexes.work(sourceOf(registry));
    expect(foundBy(await find(meanwhile, 'serial eq "b"'))).toEqual([
      "scan, the index of serial is being built",
      ["b"],
    ]);
    await waiting.close();
    const store = await openStore(NEXT);
    const after = serviceOver(store.resources, { registry });
    await finish(store, registry);
    expect(foundBy(await find(after, 'serial eq "b"'))).toEqual(["index", ["b"]]);
    expect(await store.indexes.list(tenant)).toMatchObject([
      { type: "Asset", path: "serial", origin: "schema", state: "ready", built: 3 },
    ]);
  });

  test("an operator declares one of a sub-attribute and of an extension, and drops them", async () => {
    const openStore = await database();
    const registry = assets();
    const store = await openStore(BY_HAND);
    const service = serviceOver(store.resources, { registry });
    await create(service, "Asset", asset("a", { parts: [{ value: "x" }], [LEASE]: { cost: 1 } }));
    await create(service, "Asset", asset("b", { parts: [{ value: "y" }] }));
    const paths = ["parts.value", `${LEASE}:cost`];
    for (const path of paths) {
      expect(await store.indexes.declare({ tenant, type: "Asset", path })).toBe(null);
      expect(await store.indexes.declare({ tenant, type: "Asset", path })).not.toBe(null);
    }
    await finish(store, registry);
    const filters = ['parts.value eq "y"', `${LEASE}:cost lt 5`];
    expect(foundBy(await find(service, filters[0] ?? ""))).toEqual(["index", ["b"]]);
    expect(foundBy(await find(service, filters[1] ?? ""))).toEqual(["index", ["a"]]);
    await create(service, "Asset", asset("c", { parts: [{ value: "y" }] }));
    expect(foundBy(await find(service, filters[0] ?? ""))).toEqual(["index", ["b", "c"]]);

    for (const path of paths) expect(await store.indexes.drop({ tenant, type: "Asset", path })).toBe(true);
    expect(foundBy(await find(service, filters[0] ?? ""))[0]).toMatch(/^scan/);
    await finish(store, registry);
    expect(await store.indexes.list(tenant)).toEqual([]);
    expect(await store.indexes.drop({ tenant, type: "Asset", path: "parts.value" })).toBe(false);
  });

  test("an attribute that a document annotates while its index is being dropped has one again behind that", async () => {
    const openStore = await database();
    const store = await openStore(BY_HAND);
    await create(serviceOver(store.resources, { registry: assets() }), "Asset", asset("a"));
    const name = { tenant, type: "Asset", path: "serial" };
    await store.indexes.declare(name);
    await finish(store, assets());
    await store.indexes.drop(name);
    const source = sourceOf(assets(["serial"]));
    const worked = async (): Promise<unknown> => {
      await store.indexes.work(source);
      return store.indexes.list(tenant);
    };
    await expect.poll(worked).toMatchObject([{ ...name, origin: "schema", state: "ready", built: 1 }]);
  });

  test("one is built beside a process whose documents do not have the attribute", async () => {
    const openStore = await database();
    const [before, store] = [await openStore(BY_HAND), await openStore(BY_HAND)];
    const registry = assets(["serial"]);
    await create(serviceOver(store.resources, { registry }), "Asset", asset("a"));
    await store.indexes.declare({ tenant, type: "Asset", path: "serial" });
    const ofBefore: IndexSource = { wanted: () => [], entries: () => null };
    const states = async (): Promise<unknown> => {
      await before.indexes.work(ofBefore);
      await store.indexes.work(sourceOf(registry));
      return store.indexes.list(tenant);
    };
    await expect
      .poll(states, { timeout: 5000 })
      .toMatchObject([{ path: "serial", state: "ready", built: 1 }]);
  });

  test("one is built where the clock went back, whoever had it in hand", async () => {
    const openStore = await database();
    const registry = assets(["serial"]);
    const ahead = await openStore({ grace: 1e9, interval: 1e9, now: () => Date.now() + 86_400_000 });
    await create(serviceOver(ahead.resources, { registry }), "Asset", asset("a"));
    await ahead.indexes.work(sourceOf(registry));
    await ahead.close();
    const store = await openStore(BY_HAND);
    await finish(store, registry);
    expect(await store.indexes.list(tenant)).toMatchObject([{ path: "serial", state: "ready", built: 1 }]);
  });

  test("writers that have not heard of a declaration, and writers that never will, make no answer wrong", async () => {
    const openStore = await database();
    const registry = assets();
    const store = await openStore(BY_HAND);
    const late = await openStore(BY_HAND);
    const deaf = await openStore(BY_HAND);
    const [service, lateService] = [store, late].map(({ resources }) =>
      serviceOver(resources, { registry, idPrefix: "x" }),
    );
    if (service === undefined || lateService === undefined) throw new Error("Two services were expected");
    // As the first program wrote: without a word of what it knows.
    const deafService = serviceOver({ ...deaf.resources, indexes: undefined }, { registry, idPrefix: "y" });
    const ids = new Map<string, string>();
    for (const serial of ["a", "b", "c"]) ids.set(serial, await create(service, "Asset", asset(serial)));
    await store.indexes.declare({ tenant, type: "Asset", path: "serial" });
    const change = (by: ScimService, serial: string, to: string): Promise<unknown> =>
      by.replace(CALLER, { ...PLAIN, type: "Asset", id: ids.get(serial) ?? "", body: asset(to) });
    await change(lateService, "a", "a2");
    await finish(store, registry);
    await change(deafService, "b", "b2");
    await create(deafService, "Asset", asset("d"));
    for (const [serial, found] of [
      ["a", []],
      ["a2", ["a2"]],
      ["b", []],
      ["b2", ["b2"]],
      ["d", ["d"]],
    ] as const) {
      expect([serial, foundBy(await find(service, `serial eq "${serial}"`))[1]]).toEqual([serial, found]);
    }
    await finish(store, registry);
    for (const [serial, found] of [
      ["a", []],
      ["a2", ["a2"]],
      ["b", []],
      ["b2", ["b2"]],
      ["d", ["d"]],
    ] as const) {
      expect([serial, ...foundBy(await find(service, `serial eq "${serial}"`))]).toEqual([
        serial,
        "index",
        found,
      ]);
    }
  });

  test("a resource with as many values as one may have is settled behind a writer that has not heard of a declaration", async () => {
    const openStore = await database();
    const registry = assets();
    const [store, deaf] = [await openStore(BY_HAND), await openStore(BY_HAND)];
    const service = serviceOver(store.resources, { registry });
    const deafService = serviceOver({ ...deaf.resources, indexes: undefined }, { registry, idPrefix: "y" });
    for (const path of ["parts.value", "room"]) await store.indexes.declare({ tenant, type: "Asset", path });
    const parts = Array.from({ length: DEFAULT_LIMITS.attributeValues }, (_, at) => ({
      value: `part ${at}`,
    }));
    const id = await create(deafService, "Asset", asset("a", { parts, room: "1" }));
    const change = { ...PLAIN, type: "Asset", id, body: asset("a", { parts: parts.slice(1), room: "2" }) };
    await finish(store, registry);
    expect(foundBy(await find(service, 'parts.value eq "part 0"'))).toEqual(["index", ["a"]]);
    await deafService.replace(CALLER, change);
    await finish(store, registry);
    expect(foundBy(await find(service, 'parts.value eq "part 0" or room eq "1"'))).toEqual(["index", []]);
    expect(foundBy(await find(service, 'parts.value eq "part 1" and room eq "2"'))).toEqual(["index", ["a"]]);
  });

  test("an index is built while several processes write, and holds what they wrote", async () => {
    const openStore = await database();
    const registry = assets();
    const stores = await Promise.all([openStore(AT_ONCE), openStore(AT_ONCE), openStore(AT_ONCE)]);
    const services = stores.map(({ resources }, index) =>
      serviceOver(resources, { registry, idPrefix: `p${String(index)}-` }),
    );
    const rooms = new Map<string, string>();
    async function load(service: ScimService, name: string): Promise<void> {
      const ids: string[] = [];
      for (let index = 0; index < 60; index += 1) {
        const id = await create(service, "Asset", asset(`${name}-${String(index)}`, { room: "new" }));
        ids.push(id);
        rooms.set(id, "new");
        const other = ids[Math.floor(index / 2)] ?? id;
        const body: JsonObject = asset(`${name}-${String(ids.indexOf(other))}`, {
          room: `room ${String(index)}`,
        });
        await service.replace(CALLER, { ...PLAIN, type: "Asset", id: other, body });
        rooms.set(other, `room ${String(index)}`);
      }
    }
    const [first] = stores;
    if (first === undefined) throw new Error("A store was expected");
    const loads = services.map((service, index) => load(service, `s${String(index)}`));
    const declared = first.indexes.declare({ tenant, type: "Asset", path: "room" });
    await Promise.all([...loads, declared]);
    await finish(first, registry);
    const [service] = services;
    if (service === undefined) throw new Error("A service was expected");
    for (const room of new Set(rooms.values())) {
      const answer = await find(service, `room eq "${room}"`);
      const wanted = [...rooms].filter(([, is]) => is === room).map(([id]) => id);
      expect([room, answer.filterPlan, answer.resources.map(({ id }) => String(id)).toSorted()]).toEqual([
        room,
        null,
        wanted.toSorted(),
      ]);
    }
  });

  test("a builder that goes away is taken over from where it was", async () => {
    const openStore = await database();
    const registry = assets();
    const store = await openStore(BY_HAND);
    const service = serviceOver(store.resources, { registry });
    await Promise.all(
      Array.from({ length: 250 }, (_, index) => create(service, "Asset", asset(`s${String(index)}`))),
    );
    await store.indexes.declare({ tenant, type: "Asset", path: "serial" });
    const source = sourceOf(registry);
    let left = 150;
    const failing: IndexSource = {
      ...source,
      entries: (...asked) => {
        if (left === 0) throw new Error("It goes away.");
        left -= 1;
        return source.entries(...asked);
      },
    };
    await expect(untilFailure(store, failing)).resolves.toBe("It goes away.");
    expect(await store.indexes.list(tenant)).toMatchObject([{ state: "building", built: 100 }]);
    await store.close();
    const next = await openStore(NEXT);
    let asked = 0;
    await finish(next, registry);
    const counting = { ...source, entries: () => ((asked += 1), []) };
    await next.indexes.work(counting);
    expect(asked).toBe(0);
    expect(await next.indexes.list(tenant)).toMatchObject([{ state: "ready", built: 250 }]);
    expect(foundBy(await find(serviceOver(next.resources, { registry }), 'serial eq "s249"'))).toEqual([
      "index",
      ["s249"],
    ]);
  });
});

describe("PostgreSQL: a database that was restored into a server that has counted fewer transactions", () => {
  /** No server comes to so many. */
  const ELSEWHERE = "UPDATE attribute_indexes SET fence = '4000000000000000000'";
  const name = { tenant, type: "Asset", path: "serial" };

  test.each([
    ["an index that was declared is built", "declared", [{ ...name, state: "ready", built: 1 }]],
    ["an index that was being dropped goes", "dropping", []],
  ])("%s", async (_name, state, wanted) => {
    const url = await emptyDatabase();
    const store = await openPostgresAt(url, { indexes: BY_HAND });
    const registry = assets();
    await create(serviceOver(store.resources, { registry }), "Asset", asset("a"));
    await store.indexes.declare(name);
    if (state === "dropping") {
      await finish(store, registry);
      await store.indexes.drop(name);
    }
    await queryOnce(url, ELSEWHERE);
    expect(await store.indexes.list(tenant)).toMatchObject([{ state }]);
    const worked = async (): Promise<unknown> => {
      await store.indexes.work(sourceOf(registry));
      return store.indexes.list(tenant);
    };
    await expect.poll(worked).toMatchObject(wanted);
  });
});

test("PostgreSQL: an index that a document declares at the same moment is the operator's", async () => {
  const url = await emptyDatabase();
  const store = await openPostgresAt(url, { indexes: BY_HAND });
  const [client, beside] = [new pg.Client(url), new pg.Client(url)];
  for (const each of [client, beside]) {
    await each.connect();
    onTestFinished(() => each.end());
  }
  await beside.query("BEGIN");
  await beside.query(`INSERT INTO attribute_indexes (tenant, type, path, origin, state, since, progress, built)
    VALUES ('${tenant}', 'User', 'title', 'schema', 'declared', '2026-01-01T00:00:00.000Z', '', 0)`);
  const declaring = store.indexes.declare({ tenant, type: "User", path: "title" });
  await waitsOrDone(client, declaring);
  await beside.query("COMMIT");
  expect(await declaring).toBe("declared");
  expect(await store.indexes.list(tenant)).toMatchObject([{ path: "title", origin: "operator" }]);
});

/** Works until that fails. Transactions of other tests on the same server may hold it up: those are waited for. */
async function untilFailure(store: Store, source: IndexSource): Promise<string> {
  for (;;) {
    try {
      await store.indexes.work(source);
    } catch (error) {
      const cause = error instanceof Error ? error.cause : error;
      return cause instanceof Error ? cause.message : String(cause);
    }
    await delay(LOOK_MS);
  }
}

/** Milliseconds between two looks in vain. */
const LOOK_MS = 3;
