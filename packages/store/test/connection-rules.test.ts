import {
  type ConnectionRule,
  connectionRule,
  type CreatePlan,
  createModelCatalog,
  PROFILES,
  ruledEntry,
  SWITCHES,
} from "@scim/core";
import { createPlan, fetchOne, NOTHING, updatePlan } from "@scim/core/testing";
import { createDefaultRegistry } from "@scim/schemas";
import {
  changeConnection,
  createConnection,
  createConnectionProfiles,
  createTenant,
  findConnection,
  type TenancyPorts,
} from "@scim/tenancy";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Store } from "../src/store.ts";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";

const TENANT = "north";
const CATALOG = createModelCatalog(createDefaultRegistry());

function uniqueName(): Extract<(typeof SWITCHES)[keyof typeof SWITCHES], { kind: "constraint" }> {
  const found = SWITCHES["group-name-unique"];
  if (found.kind !== "constraint") throw new TypeError("It is a constraint");
  return found;
}

function ruleOf(connection: string): ConnectionRule {
  return connectionRule(uniqueName(), { tenant: TENANT, connection });
}

function portsOf({ tenants, connections, resources }: Store): Parameters<typeof changeConnection>[0] {
  let count = 0;
  const now = (): string => new Date().toISOString();
  const uniqueness: TenancyPorts["uniqueness"] = {
    rules: resources.rules ?? null,
    profileOf: createConnectionProfiles(PROFILES.strict),
    catalogOf: () => CATALOG,
    newId: () => `rule-${(count += 1)}`,
    now,
  };
  const guard = { mode: "off", atLeast: 0, percent: 0, window: 1, named: [] } as const;
  return { tenants, connections, uniqueness, guard, now, random: Math.random, actor: { command: "test" } };
}

/** A group as a service plans it whose profile lacks the rule. */
function group(id: string, displayName: string, connection: string): CreatePlan {
  const plan = createPlan({ type: "Group", id, body: { displayName } });
  const { scope } = ruleOf(connection);
  return { ...plan, whereHeld: (plan.whereHeld ?? []).map((each) => ({ ...each, scope })) };
}

async function create(store: Store, plan: CreatePlan, connection: string): Promise<string> {
  return (await store.resources.write({ tenant: TENANT, connection }, plan)).kind;
}

/** What the groups of a connection are called, in lower case. */
async function namesOf(store: Store, connection: string): Promise<readonly string[]> {
  const page = { kind: "index", offset: 0, limit: 10_000 } as const;
  const query = { type: "Group", filter: null, sort: null, page, select: NOTHING };
  const answer = await store.resources.query({ tenant: TENANT, connection }, query);
  if (answer.kind !== "page") throw new TypeError("All are on one page");
  return answer.resources
    .filter((each) => each.connection === connection)
    .map(({ body }) => String(body["displayName"]).toLowerCase());
}

/** Two processes' stores of one database. */
const PLACES: readonly (readonly [string, () => Promise<readonly [Store, Store]>])[] = [
  [
    "SQLite",
    async () => {
      const path = newFile();
      return [await open(path), await open(path)];
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const url = await emptyDatabase();
      return [await openPostgresAt(url), await openPostgresAt(url, { poolSize: 4 })];
    },
  ],
];

const GROUPS = 600;
/** How far the change has come, in writes of others, when the first one takes a name twice. */
const ROUNDS = [0, 3, 10, 40];

describe.each(PLACES)("a rule that is turned on while another process writes on %s", (_name, openTwo) => {
  test("is on and no two groups have one name, or it is refused and nothing changed", async () => {
    const [here, there] = await openTwo();
    const ports = portsOf(here);
    await createTenant(ports, { tenant: TENANT });
    for (const [round, late] of ROUNDS.entries()) {
      const connection = `c${round}`;
      const name = { tenant: TENANT, connection };
      await createConnection(ports, name);
      const seeded = Array.from({ length: GROUPS }, (_, n) =>
        group(`${connection}-${n}`, `name ${n}`, connection),
      );
      await here.resources.imports?.writeAll({ tenant: TENANT, connection }, seeded, null);
      const over = new AbortController();
      const write = async (): Promise<void> => {
        for (let n = 0; n < 80 && !over.signal.aborted; n += 1) {
          const id = `${connection}-late-${n}`;
          await create(there, group(id, n < late ? id : `Name ${(n * 7) % GROUPS}`, connection), connection);
          // A rename by somebody else: of the last group, so that it is behind what was looked at.
          const stored = await fetchOne(there.resources, {
            type: "Group",
            id: `${connection}-${GROUPS - 1 - n}`,
          }).catch(() => null);
          if (stored !== null && n >= late)
            await there.resources.write(name, updatePlan(stored, { body: { displayName: `NAME ${n}` } }));
        }
      };
      const writing = write();
      const change = { switches: [{ name: "group-name-unique", on: true }] } as const;
      const outcome = await changeConnection(ports, { ...name, expected: null }, change).then(
        () => "on",
        (error: unknown) => (error instanceof Error ? error.name : "other"),
      );
      over.abort();
      await writing;
      const names = await namesOf(here, connection);
      const { switches } = await findConnection(ports, name);
      const state = await here.resources.rules?.state(ruleOf(connection));
      if (outcome === "on") {
        expect(names.length).toBe(new Set(names).size);
        expect([switches.length, state?.complete]).toEqual([1, true]);
        expect(await create(there, group(`${connection}-x`, "NAME 1", connection), connection)).toBe(
          "duplicate",
        );
      } else {
        expect([outcome, switches.length, state]).toEqual(["TenancyError", 0, null]);
        expect(names.length).toBeGreaterThan(new Set(names).size);
      }
    }
  });
});

test("PostgreSQL: what a transaction wrote that began before a rule is waited for, and found", async () => {
  const url = await emptyDatabase();
  const store = await openPostgresAt(url);
  const { rules } = store.resources;
  if (rules === undefined) throw new TypeError("The store holds rules");
  await createTenant(portsOf(store), { tenant: TENANT });
  const rule = ruleOf("hr");
  await create(store, group("g1", "Ops", "hr"), "hr");
  const late = new pg.Client({ connectionString: url });
  await late.connect();
  onTestFinished(() => late.end());
  await late.query("BEGIN");
  await late.query(`INSERT INTO resources (tenant, type, id, connection, revision, version, created, last_modified, body)
    VALUES ('${TENANT}', 'Group', 'g2', 'hr', 1, '1-x', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '{"displayName":"OPS"}')`);
  await rules.begin(rule, "one");
  let isOver = false;
  const over = rules.earlierWritesOver(TENANT).then(() => void (isOver = true));
  // What begins behind it is not waited for, and keeps the rule.
  expect(await create(store, group("g3", "ops", "hr"), "hr")).toBe("written");
  expect(isOver).toBe(false);
  await late.query("COMMIT");
  await over;
  const model = CATALOG.models().find(({ name }) => name === "Group");
  if (model === undefined) throw new TypeError("There are groups");
  const filled = await rules.fill(rule, null, (body) =>
    ruledEntry(model, uniqueName(), { connection: "hr", body }),
  );
  expect(filled).toMatchObject({ seen: 3, refused: 2 });
});
