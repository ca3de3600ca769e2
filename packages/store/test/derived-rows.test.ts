/**
 * What the store derives from resources is broken by hand, found, and made right, on each database.
 */
import {
  type ConnectionRule,
  connectionRule,
  createModelCatalog,
  type DerivedSource,
  derivedSource,
  type OperatorService,
  SWITCHES,
} from "@scim/core";
import { createDefaultRegistry, type JsonObject } from "@scim/schemas";
import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { DerivedFinding, DerivedPage, Store } from "../src/sqlite/index.ts";
import { type Sql, sql } from "../src/sql.ts";
import type { Answer } from "../src/steps.ts";
import { declareWanted } from "./support/declared.ts";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";
import { type PlainExecutor, plainPostgres, plainSqlite } from "./support/plain-executor.ts";
import { waitsOrDone } from "./support/waits-or-done.ts";
import { CALLER, create, idsOf, list, PLAIN, PROJECT, projects, serviceOver } from "./support/services.ts";

const { tenant } = CALLER;
const BY_HAND = { indexes: { interval: 3_600_000, grace: 0 } };
const SOURCE = derivedSource(createModelCatalog(projects()));
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** A store, a service over it, and a connection beside both. */
interface Opened {
  readonly store: Store;
  readonly service: OperatorService;
  readonly run: (statement: Sql) => Promise<Answer>;
}

async function opened(store: Store, beside: PlainExecutor): Promise<Opened> {
  await declareWanted(store.resources, projects(), tenant);
  // On PostgreSQL each waits for what is open on the server.
  await vi.waitFor(
    async () => {
      await store.indexes.work(SOURCE);
      const indexes = await store.indexes.list(tenant);
      expect(indexes.filter(({ state }) => state !== "ready")).toEqual([]);
    },
    { timeout: 60_000, interval: 20 },
  );
  return { store, service: serviceOver(store.resources), run: (statement) => beside.run(statement) };
}

const ENGINES: readonly (readonly [string, () => Promise<Opened>])[] = [
  [
    "SQLite",
    async () => {
      const path = newFile();
      const store = await open(path, BY_HAND);
      return opened(store, plainSqlite(path));
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const url = await emptyDatabase();
      return opened(await openPostgresAt(url, BY_HAND), await plainPostgres(url));
    },
  ],
];

function user(userName: string, more: JsonObject = {}): JsonObject {
  return { schemas: [USER], userName, ...more };
}

/** Users `id-0001` and `id-0002`, group `id-0003` with both, project `id-0004`, and `id-0005`, which was deleted. */
async function fill({ service }: Opened): Promise<void> {
  const anna = await create(
    service,
    "User",
    user("anna", { externalId: "1", emails: [{ value: "a@x.org" }] }),
  );
  const ben = await create(service, "User", user("Straße İ\u{1f600}", { displayName: "x".repeat(3000) }));
  const members = [{ value: anna }, { value: ben }];
  await create(service, "Group", { schemas: [GROUP], displayName: "Team", members });
  await create(service, "Project", {
    schemas: [PROJECT],
    // Bytes that begin a text may be read as the mark of its encoding.
    code: `\ufeff${"p".repeat(2000)}`,
    size: -3,
    tags: ["a", "b"],
  });
  const gone = await create(service, "Group", { schemas: [GROUP], displayName: "Gone", members });
  await service.delete(CALLER, { ...PLAIN, type: "Group", id: gone });
}

interface Seen extends Omit<DerivedPage, "findings"> {
  readonly findings: readonly DerivedFinding[];
}

async function gather(pages: AsyncIterable<DerivedPage>): Promise<Seen> {
  let [compared, unsettled] = [0, 0];
  const findings: DerivedFinding[] = [];
  for await (const page of pages) {
    compared += page.compared;
    unsettled += page.unsettled;
    findings.push(...page.findings);
  }
  return { compared, unsettled, findings };
}

const checked = ({ store }: Opened): Promise<Seen> => gather(store.derived.check(tenant, SOURCE));
const repaired = ({ store }: Opened): Promise<Seen> => gather(store.derived.repair(tenant, SOURCE));

const [ANNA, BEN, TEAM, PLAN] = ["id-0001", "id-0002", "id-0003", "id-0004"];

interface Damage {
  readonly name: string;
  readonly statements: readonly Sql[];
  readonly found: readonly DerivedFinding[];
}

const DAMAGES: readonly Damage[] = [
  {
    name: "an entry that is gone, also that of a resource without a value",
    statements: [
      sql`DELETE FROM attribute_index WHERE path = 'userName' AND id = ${ANNA}`,
      sql`DELETE FROM attribute_index WHERE path = ${"externalId?"} AND id = ${BEN}`,
    ],
    found: [
      { kind: "index", type: "User", id: ANNA, missing: ["userName"], stray: [] },
      { kind: "index", type: "User", id: BEN, missing: ["externalId"], stray: [] },
    ],
  },
  {
    name: "an entry of a resource without a value, which has one",
    statements: [
      sql`INSERT INTO attribute_index (tenant, type, path, key, id)
        SELECT tenant, type, path, key, ${ANNA} FROM attribute_index WHERE path = ${"externalId?"} AND id = ${BEN}`,
    ],
    found: [{ kind: "index", type: "User", id: ANNA, missing: [], stray: ["externalId"] }],
  },
  {
    name: "an entry with another value",
    statements: [
      sql`DELETE FROM attribute_index WHERE path = 'displayName' AND id = ${BEN}`,
      sql`INSERT INTO attribute_index (tenant, type, path, key, id)
        SELECT tenant, type, 'displayName', key, ${BEN} FROM attribute_index
        WHERE path = 'userName' AND id = ${ANNA}`,
    ],
    found: [{ kind: "index", type: "User", id: BEN, missing: ["displayName"], stray: ["displayName"] }],
  },
  {
    name: "an entry of an index that is declared, and one of an index that nobody declared",
    statements: [
      sql`DELETE FROM attribute_index WHERE path = 'code'`,
      sql`INSERT INTO attribute_index (tenant, type, path, key, id)
        SELECT tenant, type, 'note', key, id FROM attribute_index WHERE path = 'size'`,
    ],
    found: [{ kind: "index", type: "Project", id: PLAN, missing: ["code"], stray: ["note"] }],
  },
  {
    name: "entries and values of a resource that is gone, and of one that was deleted",
    statements: [
      sql`INSERT INTO attribute_index (tenant, type, path, key, id)
        SELECT tenant, type, path, key, 'nobody' FROM attribute_index WHERE id = ${ANNA}`,
      sql`INSERT INTO attribute_index (tenant, type, path, key, id)
        SELECT tenant, type, path, key, 'id-0005' FROM attribute_index WHERE id = ${TEAM}`,
      sql`INSERT INTO unique_values (tenant, scope, path, key, type, id)
        SELECT tenant, scope, 'x', key, type, 'nobody' FROM unique_values WHERE id = ${ANNA}`,
    ],
    found: [
      { kind: "orphan", type: "Group", id: "id-0005", rows: "index" },
      { kind: "orphan", type: "User", id: "nobody", rows: "index" },
      { kind: "orphan", type: "User", id: "nobody", rows: "unique" },
    ],
  },
  {
    name: "members of a group that is gone",
    statements: [
      sql`INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
        SELECT tenant, type, 'nobody', path, position, value, rest FROM reference_values WHERE owner = ${TEAM}`,
    ],
    found: [{ kind: "orphan", type: "Group", id: "nobody", rows: "references" }],
  },
  {
    name: "a value that its owner does not hold against others",
    statements: [sql`DELETE FROM unique_values WHERE id = ${ANNA}`],
    found: [{ kind: "unique", type: "User", id: ANNA, missing: ["userName"], stray: [] }],
  },
  {
    name: "a value that another holds for nothing",
    statements: [sql`UPDATE unique_values SET id = ${BEN} WHERE id = ${ANNA}`],
    found: [
      { kind: "unique", type: "User", id: ANNA, missing: ["userName"], stray: [] },
      { kind: "unique", type: "User", id: BEN, missing: [], stray: ["userName"] },
    ],
  },
  {
    name: "counters that are off, up and down, one that is gone, and one of a type without resources",
    statements: [
      sql`UPDATE resource_counters SET n = n + 7 WHERE type = 'User'
        AND shard = (SELECT min(shard) FROM resource_counters WHERE type = 'User')`,
      sql`UPDATE resource_counters SET n = n - 9 WHERE type = 'Group'
        AND shard = (SELECT min(shard) FROM resource_counters WHERE type = 'Group')`,
      sql`DELETE FROM resource_counters WHERE type = 'Project'`,
      sql`INSERT INTO resource_counters (tenant, type, shard, n) VALUES (${tenant}, 'Badge', 0, 4)`,
    ],
    found: [
      { kind: "count", type: "Badge", counted: 4, live: 0 },
      { kind: "count", type: "Group", counted: -8, live: 1 },
      { kind: "count", type: "Project", counted: 0, live: 1 },
      { kind: "count", type: "User", counted: 9, live: 2 },
    ],
  },
];

describe.each(ENGINES)("derived rows on %s", (_name, openEngine) => {
  test("are those of their resources after any write, and deleted ones keep their members", async () => {
    const at = await openEngine();
    await fill(at);
    const body = user("Anna II", { title: "Dr", emails: [{ value: "b@x.org" }, { value: "c@x.org" }] });
    await at.service.replace(CALLER, { ...PLAIN, type: "User", id: ANNA, body });
    expect(await checked(at)).toEqual({ compared: 4, unsettled: 0, findings: [] });
    expect(await repaired(at)).toEqual({ compared: 4, unsettled: 0, findings: [] });
  });

  test.each(DAMAGES)("are found and made right: $name", async ({ statements, found }) => {
    const at = await openEngine();
    await fill(at);
    const before = await at.run(sql`SELECT id, version, body FROM resources ORDER BY id`);
    for (const statement of statements) await at.run(statement);
    expect((await checked(at)).findings).toEqual(found);
    // Nothing changed by looking.
    expect((await checked(at)).findings).toEqual(found);
    expect((await repaired(at)).findings).toEqual(found);
    expect((await checked(at)).findings).toEqual([]);
    expect(await at.run(sql`SELECT id, version, body FROM resources ORDER BY id`)).toEqual(before);
    const named = await list(at.service, "User", { filter: 'userName eq "ANNA"' });
    expect([named.totalResults, idsOf(named)]).toEqual([1, [ANNA]]);
    expect((await list(at.service, "User", { count: 0 })).totalResults).toBe(2);
    await expect(create(at.service, "User", user("anna"))).rejects.toMatchObject({ code: "uniqueness" });
  });

  test("of a resource that has thousands of values alone are made right, and those that are right stay", async () => {
    const at = await openEngine();
    await fill(at);
    const many = Array.from({ length: 1500 }, (_, n) => ({ scope: "tags", path: "tags", key: `t${n}` }));
    const source: DerivedSource = {
      ...SOURCE,
      values: (type, resource) => {
        const values = SOURCE.values(type, resource);
        const isAnna = resource.body["userName"] === "anna";
        return values === null || !isAnna ? values : { ...values, demanded: [...values.demanded, ...many] };
      },
    };
    const repair = async (): Promise<Seen> => gather(at.store.derived.repair(tenant, source));
    await repair();
    const held = sql`SELECT scope, path, key FROM unique_values WHERE id = ${ANNA} ORDER BY scope, path, key`;
    const before = await at.run(held);
    expect(before.rows).toHaveLength(1501);
    await at.run(
      sql`INSERT INTO unique_values (tenant, scope, path, key, type, id)
        SELECT tenant, 'more', path, key, type, id FROM unique_values WHERE id = ${ANNA} AND path = 'tags'`,
    );
    const found = { kind: "unique", type: "User", id: ANNA, missing: [], stray: ["tags"] };
    expect((await repair()).findings).toEqual([found]);
    expect(await at.run(held)).toEqual(before);
  });

  test("tell who has the same value, and leave it to people", async () => {
    const at = await openEngine();
    await fill(at);
    await at.run(sql`DELETE FROM unique_values WHERE id = ${ANNA}`);
    const second = await create(at.service, "User", user("ANNA"));
    const found = { kind: "duplicate", type: "User", id: ANNA, path: "userName", holder: second };
    expect((await checked(at)).findings).toEqual([found]);
    expect((await repaired(at)).findings).toEqual([found]);
    expect((await checked(at)).findings).toEqual([found]);
    await at.service.delete(CALLER, { ...PLAIN, type: "User", id: second });
    expect((await repaired(at)).findings).toEqual([
      { kind: "unique", type: "User", id: ANNA, missing: ["userName"], stray: [] },
    ]);
    expect((await checked(at)).findings).toEqual([]);
  });

  test("of rules of connections are demanded once the rule is held for all resources", async () => {
    const at = await openEngine();
    await fill(at);
    const rule = nameRule();
    const { rules } = at.store.resources;
    expect((await checked(at)).findings).toEqual([]);
    await rules?.begin(rule, "token");
    expect((await checked(at)).findings).toEqual([]);
    await rules?.complete(rule, "token");
    const lacking = { kind: "unique", type: "Group", id: TEAM, missing: ["displayName"], stray: [] };
    expect((await checked(at)).findings).toEqual([lacking]);
    expect((await repaired(at)).findings).toEqual([lacking]);
    expect((await checked(at)).findings).toEqual([]);
    expect(await rules?.state(rule)).toEqual({ token: "token", complete: true });
  });

  test("of types and attributes that the service does not know are left alone, and told", async () => {
    const at = await openEngine();
    await fill(at);
    await at.store.indexes.declare({ tenant, type: "User", path: "shoeSize" });
    const source = derivedSource(createModelCatalog(createDefaultRegistry()));
    const left = [
      { kind: "unknown", type: "Project", path: null },
      { kind: "unknown", type: "User", path: "shoeSize" },
    ];
    expect((await gather(at.store.derived.check(tenant, source))).findings).toEqual(left);
    expect((await gather(at.store.derived.repair(tenant, source))).findings).toEqual(left);
    const { rows } = await at.run(sql`SELECT path FROM attribute_index WHERE id = ${PLAN} AND path = 'code'`);
    expect(rows).toHaveLength(1);
  });

  test("of an index that is on its way may be missing, and of one that goes may be there", async () => {
    const at = await openEngine();
    await fill(at);
    await at.store.indexes.declare({ tenant, type: "User", path: "title" });
    await at.store.indexes.drop({ tenant, type: "Project", path: "size" });
    expect((await checked(at)).findings).toEqual([]);
    await at.run(sql`UPDATE resources SET indexed_version = NULL WHERE id = ${PLAN}`);
    await at.run(sql`DELETE FROM attribute_index WHERE id = ${PLAN} AND path = 'code'`);
    expect(await checked(at)).toEqual({ compared: 4, unsettled: 1, findings: [] });
  });

  test("are made right while others write, and no write is lost", async () => {
    const at = await openEngine();
    const ids = await inTurn(30, (index) =>
      create(at.service, "User", user(`user-${index}`, { title: "a" })),
    );
    await at.run(sql`DELETE FROM attribute_index WHERE path = 'userName'`);
    await at.run(sql`DELETE FROM unique_values`);
    const writers = ids.map(async (id, index) => {
      for (const turn of [1, 2, 3]) {
        const body = user(`user-${index}-${turn}`, { externalId: `${index}/${turn}` });
        await at.service.replace(CALLER, { ...PLAIN, type: "User", id, body });
        if (turn === 2 && index % 3 === 0) return at.service.delete(CALLER, { ...PLAIN, type: "User", id });
      }
      return undefined;
    });
    const creators = inTurn(20, (index) => create(at.service, "User", user(`new-${index}`)));
    await Promise.all([repaired(at), repaired(at), creators, ...writers]);
    await repaired(at);
    expect(await checked(at)).toEqual({ compared: 40, unsettled: 0, findings: [] });
    const found = await list(at.service, "User", { filter: 'userName sw "user-" and externalId ew "/3"' });
    expect(found.totalResults).toBe(20);
  });

  test("are counted right by two repairs at once", async () => {
    const at = await openEngine();
    await fill(at);
    await at.run(sql`UPDATE resource_counters SET n = 40 WHERE type = 'User'`);
    await Promise.all([repaired(at), repaired(at), create(at.service, "User", user("carl")), repaired(at)]);
    expect((await checked(at)).findings).toEqual([]);
    await at.run(sql`UPDATE resource_counters SET n = 5 WHERE type = 'User' AND shard = -1`);
    await Promise.all([repaired(at), repaired(at)]);
    expect((await list(at.service, "User", { count: 0 })).totalResults).toBe(3);
  });

  test("are counted in parts where there are tens of thousands, also of a type that is not known", async () => {
    const at = await openEngine();
    await at.run(sql`INSERT INTO resources
        (tenant, type, id, connection, revision, version, created, last_modified, body)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20001)
      SELECT ${tenant}, 'Thing', CAST(n AS text), 'first', 1, 'v', '2026', '2026', '{}' FROM numbers`);
    const found = [
      { kind: "unknown", type: "Thing", path: null },
      { kind: "count", type: "Thing", counted: 0, live: 20_001 },
    ];
    expect((await repaired(at)).findings).toEqual(found);
    expect((await checked(at)).findings).toEqual(found.slice(0, 1));
  });

  test("of long resources are compared few at a time", async () => {
    const at = await openEngine();
    const photo = "x".repeat(204_800);
    await inTurn(8, async (index) => {
      const body = JSON.stringify(user(`user-${index}`, { photos: [{ value: photo }] }));
      await at.run(sql`INSERT INTO resources
          (tenant, type, id, connection, revision, version, created, last_modified, body, indexed_version)
        VALUES (${tenant}, 'User', ${`u${index}`}, 'first', 1, 'v', '2026', '2026', ${body}, NULL)`);
    });
    const steps: number[] = [];
    for await (const page of at.store.derived.check(tenant, SOURCE))
      if (page.compared > 0) steps.push(page.compared);
    expect(steps).toEqual([3, 3, 2]);
  });

  test("of another tenant are neither looked at nor changed", async () => {
    const at = await openEngine();
    await fill(at);
    await at.run(sql`DELETE FROM attribute_index WHERE id = ${ANNA}`);
    expect(await gather(at.store.derived.repair("south", SOURCE))).toMatchObject({
      compared: 0,
      findings: [],
    });
    expect((await checked(at)).findings).toHaveLength(1);
  });
});

test("derived rows are made right behind a change that is under way on PostgreSQL, and by what it leads to", async () => {
  const url = await emptyDatabase();
  const at = await opened(await openPostgresAt(url, BY_HAND), await plainPostgres(url));
  await fill(at);
  await at.run(sql`DELETE FROM attribute_index WHERE id = ${ANNA}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await at.run(sql`BEGIN`);
  // What another process writes of a resource without a word of its entries, which it has written before.
  await at.run(
    sql`UPDATE resources SET body = ${JSON.stringify(user("anna", { externalId: "2" }))} WHERE id = ${ANNA}`,
  );
  const repairing = repaired(at);
  await waitsOrDone(client, repairing);
  await at.run(sql`COMMIT`);
  expect((await repairing).findings).toHaveLength(1);
  expect((await checked(at)).findings).toEqual([]);
});

async function inTurn<Value>(
  count: number,
  work: (index: number) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = [];
  for (let index = 0; index < count; index += 1) values.push(await work(index));
  return values;
}

function nameRule(): ConnectionRule {
  const constraint = SWITCHES["group-name-unique"];
  if (constraint.kind !== "constraint") throw new TypeError("It is a constraint");
  return connectionRule(constraint, CALLER);
}
