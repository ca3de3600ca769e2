import {
  type ConnectionRule,
  type ConnectionRules,
  connectionRule,
  type CreatePlan,
  type ModelCatalog,
  SWITCHES,
} from "@scim/core";
import { createPlan, deletePlan } from "@scim/core/testing";
import { beforeEach, expect, test } from "vitest";
import {
  changeConnection,
  type ConnectionChange,
  createConnection,
  createTenant,
  deleteConnection,
  DuplicateValues,
  settleRules,
} from "../../src/index.ts";
import { testPorts, type TestPorts } from "./ports.ts";

const HR = { tenant: "acme", connection: "hr" };
const ANY = { ...HR, expected: null };
const ON: ConnectionChange = { switches: [{ name: "group-name-unique", on: true }] };
const OFF: ConnectionChange = { switches: [] };
const SETTLED = { broken: [], underWay: false };

let ports: TestPorts;
let made = 100;
beforeEach(async () => {
  ports = testPorts();
  await createTenant(ports, { tenant: "acme" });
});

function ruleOf(connection: string): ConnectionRule {
  const constraint = SWITCHES["group-name-unique"];
  if (constraint.kind !== "constraint") throw new TypeError("It is a constraint");
  return connectionRule(constraint, { tenant: "acme", connection });
}

/** As a service plans it whose profile lacks the rule. Resolves to what became of it. */
async function create(displayName: string, connection = "hr"): Promise<string> {
  made += 1;
  const planned = createPlan({ type: "Group", id: `g${made}`, body: { displayName } });
  const { scope } = ruleOf(connection);
  const plan: CreatePlan = {
    ...planned,
    whereHeld: (planned.whereHeld ?? []).map((each) => ({ ...each, scope })),
  };
  return (await ports.resources.write({ tenant: "acme", connection }, plan)).kind;
}

async function remove(id: string): Promise<void> {
  const stored = await ports.resources.read(HR, { type: "Group", id }, { collections: [], inverses: [] });
  if (stored !== null) await ports.resources.write(HR, deletePlan(stored));
}

function stateOf(connection = "hr"): ReturnType<ConnectionRules["state"]> {
  return ports.uniqueness.rules?.state(ruleOf(connection)) ?? Promise.resolve(null);
}

/** Does something right before the rules are asked to do something for the nth time. */
function before(call: "begin" | "fill" | "complete", nth: number, act: () => Promise<unknown>): void {
  const { rules } = ports.uniqueness;
  if (rules === null) throw new TypeError("The store holds rules");
  let calls = 0;
  const meanwhile = async (): Promise<void> => {
    calls += 1;
    if (calls === nth) await act();
  };
  ports = {
    ...ports,
    uniqueness: {
      ...ports.uniqueness,
      rules: {
        ...rules,
        begin: async (...given) => {
          if (call === "begin") await meanwhile();
          return rules.begin(...given);
        },
        fill: async (...given) => {
          if (call === "fill") await meanwhile();
          return rules.fill(...given);
        },
        complete: async (...given) => {
          if (call === "complete") await meanwhile();
          return rules.complete(...given);
        },
      },
    },
  };
}

const WAYS: readonly (readonly [string, ConnectionChange, ConnectionChange])[] = [
  ["a switch", { profile: "strict" }, ON],
  ["a profile", { profile: "strict" }, { profile: "entra" }],
  ["a dated profile", { profile: "strict" }, { profile: "entra@2026-11" }],
  ["the profile of the server", { profile: "strict" }, { profile: null }],
  ["the end of a switch", { switches: [{ name: "group-name-unique", on: false }] }, OFF],
];

test.each(WAYS)(
  "%s that turns a rule on is refused over duplicates, which are named; nothing changes",
  async (_, off, on) => {
    await createConnection(ports, HR, off);
    for (const name of ["Ops", "ops", "Dev", "OPS", "HR"]) await create(name);
    const first = made - 4;
    const told = ports.acts.length;
    const refusal: unknown = await changeConnection(ports, ANY, on).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DuplicateValues);
    expect(refusal).toMatchObject({
      code: "refused",
      count: 2,
      duplicates: [{ value: "ops", ids: [`g${first}`, `g${first + 1}`, `g${first + 3}`] }],
    });
    expect(await ports.connections.find("acme", "hr")).toMatchObject({
      revision: 1,
      profile: off.profile ?? null,
    });
    expect([await stateOf(), ports.acts.length]).toEqual([null, told]);
    expect(await create("Dev")).toBe("written");
  },
);

test("a rule that came on holds names from before, goes off, and comes on again", async () => {
  await createConnection(ports, HR, { profile: "strict" });
  await create("Ops");
  await changeConnection(ports, ANY, ON);
  expect(await stateOf()).toMatchObject({ complete: true });
  expect([await create("OPS"), await create("Dev"), await create("dev")]).toEqual([
    "duplicate",
    "written",
    "duplicate",
  ]);
  await changeConnection(ports, ANY, OFF);
  expect([await stateOf(), await create("dev")]).toEqual([null, "written"]);
  await expect(changeConnection(ports, ANY, ON)).rejects.toMatchObject({ count: 1 });
  await remove(`g${made}`);
  await changeConnection(ports, ANY, ON);
  expect([await create("dev"), await create("Ops")]).toEqual(["duplicate", "duplicate"]);
});

test.each(["begin", "fill"] as const)("what others write before the rules %s is found", async (call) => {
  await createConnection(ports, HR, { profile: "strict" });
  for (const name of ["a", "b", "c", "d"]) await create(name);
  // Behind the first look at what is there: with four groups that is two steps.
  before(call, call === "begin" ? 1 : 3, () => create("a"));
  const changing = changeConnection(ports, ANY, ON);
  // Where the rule is begun it is refused itself, and nothing stands in the way.
  if (call === "begin") await expect(changing).rejects.toBeInstanceOf(DuplicateValues);
  else await changing;
  expect((await stateOf())?.complete).toBe(call === "begin" ? undefined : true);
  expect((await ports.connections.find("acme", "hr"))?.revision).toBe(call === "begin" ? 1 : 2);
  expect(await create("a")).toBe(call === "begin" ? "written" : "duplicate");
});

test("a change that came too late lets the rule go", async () => {
  await createConnection(ports, HR, { profile: "strict" });
  await create("a");
  before("begin", 1, () => changeConnection(ports, ANY, { state: "suspended" }));
  await expect(changeConnection(ports, { ...HR, expected: 1 }, ON)).rejects.toMatchObject({
    code: "changed",
  });
  expect([await stateOf(), await create("a")]).toEqual([null, "written"]);
});

test.each([
  ["and stated its revision", 1],
  ["and did not", null],
])("a rule that two turn on at once stays held where one was late %s", async (_, expected) => {
  await createConnection(ports, HR, { profile: "strict" });
  await create("a");
  before("begin", 1, () => changeConnection(ports, ANY, ON));
  const late = changeConnection(ports, { ...HR, expected }, ON);
  if (expected === null) await late;
  else await expect(late).rejects.toMatchObject({ code: "changed" });
  expect([(await stateOf())?.complete, await create("a")]).toEqual([true, "duplicate"]);
});

test("a rule that two turn on at once stays held where the other one fails", async () => {
  await createConnection(ports, HR, { profile: "strict" });
  await create("a");
  const { uniqueness } = ports;
  let other: Promise<unknown> = Promise.resolve();
  // The other one begins behind us, and does not come to the end.
  before("fill", 2, async () => {
    const { rules } = uniqueness;
    if (rules === null) throw new TypeError("The store holds rules");
    const away = { ...rules, earlierWritesOver: async () => Promise.reject(new Error("away")) };
    other = changeConnection({ ...ports, uniqueness: { ...uniqueness, rules: away } }, ANY, ON);
    await other.catch(() => undefined);
  });
  await changeConnection(ports, ANY, ON);
  await expect(other).rejects.toThrow("away");
  expect([(await stateOf())?.complete, await create("a")]).toEqual([true, "duplicate"]);
});

test("a rule of a connection that two make at once stays held", async () => {
  before("begin", 1, () => createConnection(ports, HR));
  await expect(createConnection(ports, HR)).rejects.toMatchObject({ code: "exists" });
  expect([await create("a"), await create("a")]).toEqual(["written", "duplicate"]);
});

test("a new connection of a name holds what one of that name made; its end frees it", async () => {
  await createConnection(ports, HR, { profile: "strict" });
  await create("a");
  await create("a");
  await deleteConnection(ports, ANY);
  await expect(createConnection(ports, HR)).rejects.toBeInstanceOf(DuplicateValues);
  expect(await ports.connections.find("acme", "hr")).toBeNull();
  await remove(`g${made}`);
  await createConnection(ports, HR);
  expect(await create("a")).toBe("duplicate");
  await expect(createConnection(ports, HR, { profile: "strict" })).rejects.toMatchObject({ code: "exists" });
  expect(await create("a")).toBe("duplicate");
  await deleteConnection(ports, ANY);
  expect([await stateOf(), await create("a")]).toEqual([null, "written"]);
});

test("what changed by a setting is settled: rules are held, ended, or told where resources break them", async () => {
  await createConnection(ports, HR, { profile: "strict" });
  const of = { ...HR, switches: [] } as const;
  await create("a");
  expect([await settleRules(ports.uniqueness, { ...of, profile: null }), await create("a")]).toEqual([
    SETTLED,
    "duplicate",
  ]);
  expect([await settleRules(ports.uniqueness, { ...of, profile: "strict" }), await create("a")]).toEqual([
    SETTLED,
    "written",
  ]);
  const { broken } = await settleRules(ports.uniqueness, { ...of, profile: null });
  expect(broken.map(({ count }) => count)).toEqual([1]);
  expect([await stateOf(), await create("a")]).toEqual([null, "written"]);
});

test.each([
  [9, { broken: [], underWay: true }, "duplicate"],
  [11, SETTLED, "written"],
] as const)("who began a rule %i minutes ago and was killed holds it", async (minutes, settled, becomes) => {
  await createConnection(ports, HR, { profile: "strict" });
  await create("a");
  const { rules } = ports.uniqueness;
  const begun = new Date(Date.parse(ports.now()) - minutes * 60_000).toISOString();
  await rules?.begin(ruleOf("hr"), `${begun} killed`);
  await rules?.fill(ruleOf("hr"), null, () => ({ ...ruleOf("hr"), key: "a" }));
  expect(await settleRules(ports.uniqueness, { ...HR, profile: "strict", switches: [] })).toEqual(settled);
  expect(await create("a")).toBe(becomes);
});

test("the first connection of a new tenant is held from its beginning", async () => {
  expect(await stateOf("default")).not.toBeNull();
  expect([await create("a", "default"), await create("A", "default")]).toEqual(["written", "duplicate"]);
});

test("a rule asks for the model of its type, and for no other: there may be hundreds", async () => {
  const { uniqueness } = ports;
  const catalog = await uniqueness.catalogOf("acme");
  const asked: string[] = [];
  const counting: ModelCatalog = {
    model: (type) => {
      asked.push(type);
      return catalog.model(type);
    },
    models: () => {
      throw new TypeError("All models are asked for");
    },
    definitions: () => catalog.definitions(),
  };
  const looking = { ...ports, uniqueness: { ...uniqueness, catalogOf: () => counting } };
  await createConnection(looking, HR, ON);
  expect(asked).toEqual(["Group"]);
});
