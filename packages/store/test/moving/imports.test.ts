import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import {
  ImportRun,
  PROFILES,
  SeenKeys,
  type ImportItem,
  type ImportOutcome,
  type ImportRequest,
  type NewImports,
  type PreparedImport,
  type RequestContext,
} from "@scim/core";
import { createDefaultRegistry, GROUP_URN, type JsonObject, USER_RESOURCE_TYPE } from "@scim/schemas";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Store } from "../../src/store.ts";
import { openPostgres } from "../support/engines.ts";
import { newFile, open } from "../support/folders.ts";
import { CALLER, PLAIN } from "../support/services.ts";
import { exported, operatorOver, userOf } from "./filled.ts";

const NONE = { attributes: null, excludedAttributes: null };

const STORES: readonly (readonly [string, () => Promise<Store>])[] = [
  ["SQLite in memory", () => open(":memory:")],
  ["SQLite in a file", () => open(newFile())],
  ["PostgreSQL", () => openPostgres()],
];

type ImportSettings = Partial<ImportRequest> & { readonly caller?: RequestContext };

/** Whose groups have names of their own. */
const TOLERANT: RequestContext = { ...CALLER, profile: PROFILES.tolerant };

/** Imports resources in one batch; a group bears `displayName`, all else is a user. */
async function importAll(
  store: Store,
  bodies: readonly JsonObject[],
  options: ImportSettings & { readonly run?: string } = {},
): Promise<readonly ImportOutcome[]> {
  const prepared = await prepare(store, bodies, options);
  return prepared.apply({ run: runOf(options.run), onRejected: async () => undefined });
}

function runOf(name: string | undefined): ImportRun | null {
  return name === undefined ? null : new ImportRun(name, 0);
}

function prepare(
  store: Store,
  bodies: readonly JsonObject[],
  { caller = CALLER, ...options }: ImportSettings = {},
): Promise<PreparedImport> {
  const request = {
    items: itemsOf(bodies),
    seen: new SeenKeys(),
    keepIds: false,
    mode: "upsert" as const,
    ...options,
  };
  return operatorOver(store).prepareImport(caller, request);
}

function itemsOf(bodies: readonly JsonObject[]): readonly ImportItem[] {
  return bodies.map((body, index) => ({
    record: index + 1,
    type: JSON.stringify(body["schemas"]).includes("Group") ? "Group" : "User",
    body,
  }));
}

/** Begins to import what is taken for new; ids are kept. */
function beginNew(store: Store): NewImports {
  const rules = { seen: new SeenKeys(), keepIds: true, mode: "upsert" as const };
  const begun = operatorOver(store).importNew(CALLER, rules);
  if (begun === null) throw new TypeError("The store takes resources one after another");
  return begun;
}

/** Room for whatever is gathered. */
const ROOM = 100_000;

/** What becomes of bodies that are taken for new; null where they have to be prepared. */
function gather(begun: NewImports, bodies: readonly JsonObject[]): readonly string[] | null {
  return begun.add(itemsOf(bodies), ROOM)?.map(({ outcome }) => outcome.kind) ?? null;
}

const kinds = (outcomes: readonly ImportOutcome[]): readonly string[] => outcomes.map(({ kind }) => kind);
const byText = (one: string, other: string): number => (one < other ? -1 : 1);
const users = (count: number, from = 0): readonly JsonObject[] =>
  Array.from({ length: count }, (_, index) => userOf(`user-${String(from + index).padStart(4, "0")}`));
const groupOf = (displayName: string, ...members: readonly string[]): JsonObject => ({
  schemas: [GROUP_URN],
  displayName,
  members: members.map((value) => ({ value })),
});

/** Ids of a service that counts them. */
const counted = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index));

describe.each(STORES)("an import into %s", (_, openStore) => {
  test("creates, leaves what is the same and replaces what differs", async () => {
    const store = await openStore();
    expect(kinds(await importAll(store, users(40)))).toEqual(Array.from({ length: 40 }, () => "created"));
    const before = await exported(store);
    expect(new Set(kinds(await importAll(store, users(40))))).toEqual(new Set(["unchanged"]));
    expect(await exported(store)).toBe(before);
    const changed = users(40).map((user, index) => (index === 7 ? { ...user, title: "Dr" } : user));
    const outcomes = kinds(await importAll(store, changed));
    expect(outcomes.filter((kind) => kind === "replaced")).toHaveLength(1);
    expect(outcomes[7]).toBe("replaced");
  });

  test("leaves the rest where one clashes, whichever way it is written", async () => {
    const store = await openStore();
    await importAll(store, [{ ...userOf("taken"), externalId: "another" }]);
    const outcomes = await importAll(store, [...users(20), userOf("TAKEN"), ...users(20, 20)]);
    expect(outcomes.map(({ kind }) => kind).filter((kind) => kind === "created")).toHaveLength(40);
    expect(outcomes[20]).toMatchObject({ kind: "rejected", error: { status: 409, scimType: "uniqueness" } });
  });

  test("foresees what it would reject, and nothing else", async () => {
    const store = await openStore();
    await importAll(store, [userOf("anna"), userOf("ben"), { ...groupOf("Sales"), externalId: "one" }], {
      caller: TOLERANT,
    });
    const bodies = [
      { ...userOf("ANNA"), externalId: "external ben" },
      { ...groupOf("sales"), externalId: "another" },
      ...users(20),
      { ...userOf("carl"), externalId: "external anna" },
    ];
    const before = await exported(store);
    const foreseen = await (await prepare(store, bodies, { caller: TOLERANT })).foresee();
    expect(await exported(store)).toBe(before);
    expect(kinds(foreseen)).toEqual(["replaced", "rejected", ...users(20).map(() => "created"), "replaced"]);
    expect(kinds(await (await prepare(store, bodies.slice(0, 1), { caller: TOLERANT })).foresee())).toEqual([
      "rejected",
    ]);
    expect(kinds(await importAll(store, bodies.toReversed(), { caller: TOLERANT }))).toEqual(
      kinds(foreseen).toReversed(),
    );
  });

  test("of what is taken for new writes all or nothing", async () => {
    const store = await openStore();
    await importAll(store, [{ ...userOf("anna"), id: "a1" }], { keepIds: true });
    const before = await exported(store);
    const known: readonly JsonObject[] = [
      { ...userOf("ben"), externalId: "external anna" },
      { ...userOf("ANNA"), externalId: "another" },
      { ...userOf("carl"), id: "a1" },
    ];
    for (const user of known) {
      for (const others of [users(3), users(30)]) {
        const taken = beginNew(store);
        expect(gather(taken, [...others, user])).toEqual([...others, user].map(() => "created"));
        expect(await taken.write(0, new ImportRun("r", 0))).toBe(false);
        expect(await exported(store)).toBe(before);
      }
    }
    const fresh = beginNew(store);
    expect(gather(fresh, [...users(2), groupOf("g")])).toBeNull();
    const outcomes = gather(fresh, [...users(20), { ...userOf("bad"), userName: "" }]);
    expect(outcomes).toEqual([...users(20).map(() => "created"), "rejected"]);
    expect(await fresh.write(0, new ImportRun("r", 0))).toBe(true);
    const progress = { position: 21, created: 20, replaced: 0, unchanged: 0 };
    expect(await operatorOver(store).importProgress(CALLER, "r")).toEqual(progress);
    expect((await exported(store)).trimEnd().split("\n")).toHaveLength(21);
  });

  test("of what is taken for new tells what each brought", async () => {
    const store = await openStore();
    const bodies = users(30).map((user, index) => (index % 3 === 0 ? { ...user, title: `${index}` } : user));
    const begun = beginNew(store);
    expect(gather(begun, bodies)).not.toBeNull();
    expect(await begun.write(0, null)).toBe(true);
    // A transaction of another database of the same server may hold up positions for a moment.
    for (let given = 0; given < bodies.length;) given += await store.events.assign(1000);
    const placed = await store.events.read(CALLER.tenant, { after: 0, limit: 1000 });
    const told = placed.map(({ after, changed }) => [after?.["userName"], [...changed].toSorted(byText)]);
    const brought = bodies.map((user) => {
      const names = Object.keys(user).filter((name) => name !== "schemas");
      return [user["userName"], names.toSorted(byText)];
    });
    expect(told).toEqual(brought);
  });

  test("keeps ids, instants and members", async () => {
    const store = await openStore();
    const created = "2019-05-06T07:08:09.100Z";
    const meta = { resourceType: "User", created: "2019-05-06T09:08:09.1+02:00", version: 'W/"x"' };
    const outcomes = await importAll(
      store,
      [
        { ...userOf("anna"), id: "a~1", meta },
        { ...groupOf("g", "a~1", "gone"), id: "g.1" },
      ],
      { keepIds: true },
    );
    expect(outcomes.map(({ id }) => id)).toEqual(["a~1", "g.1"]);
    const lines = await exported(store);
    expect(lines).toContain(`"created":"${created}"`);
    expect(lines).toContain('[{"value":"a~1"},{"value":"gone"}]');
  });

  test("keeps an id once over all types (R7643-3.1-02)", async () => {
    const store = await openStore();
    const keep = { keepIds: true };
    const person = (id: string): JsonObject => ({ ...userOf(`user ${id}`), id });
    const team = (id: string): JsonObject => ({ ...groupOf(`group ${id}`), id });
    const [user, group] = [person("1007"), team("1007")];
    expect(kinds(await importAll(store, [user], keep))).toEqual(["created"]);
    const foreseen = await (await prepare(store, [group], keep)).foresee();
    expect(kinds(await (await prepare(store, [user], keep)).foresee())).toEqual(["unchanged"]);
    for (const outcome of [foreseen[0], (await importAll(store, [group], keep))[0]])
      expect(outcome).toMatchObject({
        kind: "rejected",
        error: { code: "uniqueness", detail: expect.stringMatching(/of another type.*without its id/) },
      });
    expect(kinds(await importAll(store, [group]))).toEqual(["created"]);

    // Two records of one source, whichever comes first.
    for (const [index, bodies] of [
      [person("a"), team("a")],
      [team("b"), person("b")],
    ].entries()) {
      const outcomes = await importAll(store, bodies, keep);
      expect([index, ...kinds(outcomes)]).toEqual([index, "created", "rejected"]);
      expect(outcomes[1]?.error?.detail).toContain("Record 1 has the same value of attribute 'id'");
    }
    // A deleted one may be restored.
    await operatorOver(store).delete(CALLER, { type: "User", id: "1007", precondition: PLAIN.precondition });
    const other = { ...group, displayName: "other" };
    expect(kinds(await importAll(store, [other], keep))).toEqual(["rejected"]);

    const many = counted(160);
    await importAll(store, many.slice(0, 40).map(team), keep);
    const people = many.map(person);
    const taken = beginNew(store);
    expect(gather(taken, people.slice(40, 145))).not.toBeNull();
    expect(gather(taken, [...people.slice(145), people[0] ?? {}])).not.toBeNull();
    expect(await taken.write(0, null)).toBe(false);
    const outcomes = kinds(await importAll(store, people, keep));
    expect(outcomes).toEqual(many.map((id) => (Number(id) < 40 ? "rejected" : "created")));
  });

  test("keeps an id once where two imports of different types run side by side", async () => {
    const store = await openStore();
    const ids = counted(88);
    const runs = [
      ids.map((id) => ({ ...userOf(`u${id}`), id })),
      ids.map((id) => ({ ...groupOf(`g${id}`), id })),
    ];
    for (const { size, from, to } of [
      { size: 1, from: 0, to: 8 },
      { size: 20, from: 8, to: 28 },
      { size: 60, from: 28, to: 88 },
    ]) {
      const outcomes = await Promise.all(
        runs.map(async (run) => {
          const became: string[] = [];
          for (let first = from; first < to; first += size)
            became.push(...kinds(await importAll(store, run.slice(first, first + size), { keepIds: true })));
          return became;
        }),
      );
      const [people = [], teams = []] = outcomes;
      const created = people.map((kind, index) => [kind, teams[index]].filter((each) => each === "created"));
      expect(created).toEqual(people.map(() => ["created"]));
    }
  });

  test.each([
    ["the same", {}, ["unchanged", "unchanged", "rejected", "created"]],
    ["another content", { title: "Dr" }, ["replaced", "unchanged", "rejected", "created"]],
    [
      "another content, where none is replaced",
      { title: "Dr", mode: "create" },
      ["rejected", "unchanged", "rejected", "created"],
    ],
    ["an id of its own", { id: "x1", keepIds: true }, ["rejected", "unchanged", "rejected", "created"]],
  ] as const)("takes what another import makes meanwhile for its own: %s", async (_made, given, expected) => {
    const store = await openStore();
    const { mode = "upsert", keepIds = false, ...more } = { mode: undefined, keepIds: undefined, ...given };
    const bad = { ...userOf("bad"), userName: "" };
    const bodies = [{ ...userOf("anna"), ...more }, groupOf("Crew"), bad, userOf("bea")];
    const caller = TOLERANT;
    const late = await prepare(store, bodies, { caller, mode, keepIds });
    expect(kinds(late.outcomes)).toEqual(["created", "created", "rejected", "created"]);
    expect(kinds(await importAll(store, [userOf("anna"), groupOf("Crew")], { caller }))).toEqual([
      "created",
      "created",
    ]);
    const told: ImportOutcome[] = [];
    const outcomes = await late.apply({
      run: new ImportRun("late", 0),
      onRejected: async (outcome) => void told.push(outcome),
    });
    expect(kinds(outcomes)).toEqual(expected);
    // What was rejected before is in what was planned.
    expect(told).toEqual(outcomes.filter(({ kind, record }) => kind === "rejected" && record !== 3));
    const count = (kind: ImportOutcome["kind"]): number =>
      outcomes.filter((each) => each.kind === kind).length;
    const counts = { created: count("created"), replaced: count("replaced"), unchanged: count("unchanged") };
    const found = await operatorOver(store).importProgress(CALLER, "late");
    expect(found).toEqual({ position: 4, ...counts });
    expect(kinds(await importAll(store, bodies, { caller, mode, keepIds }))).toEqual(
      expected.map((kind) => (kind === "rejected" ? kind : "unchanged")),
    );
  });

  test("stores how far a run is with what was written", async () => {
    const store = await openStore();
    const service = operatorOver(store);
    expect(await service.importProgress(CALLER, "r")).toBeNull();
    await importAll(store, [...users(30), { ...userOf("bad"), userName: "" }, userOf("good")], { run: "r" });
    const progress = { position: 32, created: 31, replaced: 0, unchanged: 0 };
    expect(await service.importProgress(CALLER, "r")).toEqual(progress);
    await service.forgetImport(CALLER, "r");
    expect(await service.importProgress(CALLER, "r")).toBeNull();
  });
});

test.each(STORES)(
  "what is taken for new of several types is of the type that it is for, in %s",
  async (_, openStore) => {
    const registry = createDefaultRegistry();
    registry.addResourceType({ ...USER_RESOURCE_TYPE, id: "Person", name: "Person", endpoint: "/People" });
    const service = operatorOver(await openStore(), registry);
    const begun = service.importNew(CALLER, { seen: new SeenKeys(), keepIds: false, mode: "upsert" });
    if (begun === null) throw new TypeError("The store takes resources one after another");
    const items = users(60).map(({ schemas = [], userName = null }, index) => ({
      record: index + 1,
      type: index % 3 === 0 ? "Person" : "User",
      body: { schemas, userName },
    }));
    for (const some of [items.slice(0, 30), items.slice(30)]) expect(begun.add(some, ROOM)).toHaveLength(30);
    expect(await begun.write(0, null)).toBe(true);
    const query = {
      filter: null,
      sortBy: null,
      sortOrder: null,
      startIndex: null,
      count: 1000,
      cursor: null,
    };
    for (const type of ["User", "Person"]) {
      const names = items.filter((item) => item.type === type).map(({ body }) => body["userName"]);
      const list = await service.list(CALLER, { type, ...NONE, ...query, source: "body" });
      expect(list.totalResults).toBe(names.length);
      expect(new Set(list.resources.map(({ userName }) => userName))).toEqual(new Set(names));
    }
  },
);

interface Imported {
  readonly bodies: readonly JsonObject[];
  readonly outcomes: readonly ImportOutcome[];
}

test("an import of many moves the log into the database while it goes on", async () => {
  const path = newFile();
  const many = beginNew(await open(path));
  many.add(itemsOf(users(4000)), ROOM);
  expect(await many.write(0, null)).toBe(true);
  // What stands in the file alone, without its log.
  const address = new URL("?immutable=1", pathToFileURL(path));
  const moved = (): unknown => {
    const file = new DatabaseSync(address, { readOnly: true });
    try {
      return file.prepare("SELECT count(*) AS users FROM resources").get();
    } finally {
      file.close();
    }
  };
  await expect.poll(moved).toEqual({ users: 4000 });
});

describe("what an import leaves", () => {
  /** Rows of a table without what is random, or tells when. */
  function rowsOf(path: string, table: string, left: readonly string[]): readonly string[] {
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    return database
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => JSON.stringify(Object.entries(row).filter(([name]) => !left.includes(name))))
      .toSorted();
  }

  /** Ids in the order of their events. */
  function eventsOf(path: string): readonly unknown[] {
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    const events = database.prepare("SELECT id FROM events ORDER BY transaction_number, sequence").all();
    return events.map(({ id }) => id);
  }

  /** More than the writer of imports has columns for. */
  const INDEXED = [
    "title",
    "nickName",
    "userType",
    "locale",
    "timezone",
    "preferredLanguage",
    "active",
    ...["givenName", "familyName", "middleName", "honorificPrefix"].map((name) => `name.${name}`),
    ...["type", "display"].map((name) => `emails.${name}`),
    ...["value", "type"].map((name) => `phoneNumbers.${name}`),
  ];

  const bodyOf = (user: JsonObject, index: number): JsonObject => {
    if (index % 7 === 0) return groupOf(`group ${index}`);
    const phoneNumbers = [{ value: `tel:+${index}`, type: "work" }];
    return index % 3 === 0 ? { ...user, externalId: null, phoneNumbers, title: `${index % 5}` } : user;
  };

  const ways: readonly (readonly [string, (store: Store) => Promise<Imported>])[] = [
    [
      "in batches",
      async (store) => {
        const bodies = users(50).map(bodyOf);
        return { bodies, outcomes: await importAll(store, bodies) };
      },
    ],
    [
      "taken for new",
      async (store) => {
        const bodies = users(150)
          .map(bodyOf)
          .filter((body) => body["userName"] !== undefined);
        const taken = beginNew(store);
        const items = itemsOf(bodies);
        const parts = [items.slice(0, 110), items.slice(110)];
        const outcomes = parts.flatMap((some) => taken.add(some, ROOM)?.map(({ outcome }) => outcome) ?? []);
        expect(await taken.write(0, null)).toBe(true);
        return { bodies, outcomes };
      },
    ],
  ];

  test.each(ways)("%s is what one request after another leaves, row by row", async (_, importInto) => {
    const [together, alone] = [newFile(), newFile()];
    const [first, second] = [await open(together), await open(alone)];
    for (const { indexes } of [first, second])
      for (const path of INDEXED) await indexes.declare({ tenant: CALLER.tenant, type: "User", path });
    const { bodies, outcomes } = await importInto(first);
    const ids = new Map<string, string>();
    const service = operatorOver(second);
    for (const [index, body] of bodies.entries()) {
      const type = JSON.stringify(body["schemas"]).includes("Group") ? "Group" : "User";
      const { resource } = await service.create(CALLER, { type, body, ...NONE });
      ids.set(String(resource["id"]), String(outcomes[index]?.id));
    }
    const left = [
      "version",
      "created",
      "last_modified",
      "at",
      "transaction_number",
      "sequence",
      "indexed_version",
    ];
    const translated = (rows: readonly string[]): readonly string[] =>
      rows.map((row) => row.replaceAll(/id-\d{6}/g, (id) => ids.get(id) ?? id)).toSorted();
    for (const table of ["resources", "attribute_index", "unique_values", "events", "resource_counters"])
      expect(rowsOf(together, table, left), table).toEqual(translated(rowsOf(alone, table, left)));
    const stamps = "resources WHERE indexed_version IS NOT version";
    expect(rowsOf(together, stamps, [])).toEqual([]);
    expect(eventsOf(together)).toEqual(outcomes.map(({ id }) => id));
    while ((await first.events.assign(1000)) > 0);
    const placed = await first.events.read(CALLER.tenant, { after: 0, limit: 1000 });
    expect(placed.map(({ id }) => id)).toEqual(outcomes.map(({ id }) => id));
  });
});
