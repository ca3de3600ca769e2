import { beforeEach, expect, test } from "vitest";
import {
  changeConnection,
  createClient,
  createConnection,
  createTenant,
  createToken,
  deleteConnection,
  findConnection,
  importToken,
  readSwitchFlips,
} from "../../src/index.ts";
import { GUARD, testPorts, type TestPorts } from "./ports.ts";

let ports: TestPorts;
beforeEach(async () => {
  ports = testPorts();
  await createTenant(ports, { tenant: "acme" });
  await createTenant(ports, { tenant: "default" });
});

const OKTA = { tenant: "acme", connection: "okta", expected: null };

test("switches are there once each, and none is turned both on and off", () => {
  expect(readSwitchFlips(["-bare-token", "require-version", "-bare-token"])).toEqual([
    { name: "bare-token", on: false },
    { name: "require-version", on: true },
  ]);
  expect(() => readSwitchFlips(["bare-token", "require-version", "-bare-token"])).toThrow(
    "The switch 'bare-token' is turned both on and off; name it once",
  );
});

test("a connection is made, changed and deleted, and each is told", async () => {
  await createConnection(ports, OKTA, { profile: "okta", rate: { perSecond: 5, burst: 10 } });
  await changeConnection(ports, OKTA, {
    rate: null,
    switches: [{ name: "require-version", on: true }],
    state: "suspended",
  });
  expect(await findConnection(ports, OKTA)).toMatchObject({
    profile: "okta",
    rate: null,
    state: "suspended",
    revision: 2,
  });
  await deleteConnection(ports, OKTA);
  await expect(findConnection(ports, OKTA)).rejects.toMatchObject({ code: "notFound" });
  const made = { tenant: "acme", state: "active", profile: "okta", rate: { perSecond: 5, burst: 10 } };
  const changed = { tenant: "acme", state: "suspended", profile: "okta", switches: ["require-version"] };
  const told = ports.acts.filter(({ id }) => id === "acme/okta");
  expect(told.map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ["created", null, made],
    ["replaced", made, changed],
    ["deleted", changed, null],
  ]);
});

test("of a guard what a change leaves out stays, and what a first one leaves out is that of the service", async () => {
  const { guard } = await createConnection(ports, OKTA, { guard: { mode: "hold" } });
  expect(guard).toEqual({ ...GUARD, mode: "hold" });
  const own = { atLeast: 3, percent: 1, window: 60, named: ["ceo@corp.example"] };
  await changeConnection(ports, OKTA, { guard: own });
  expect(await findConnection(ports, OKTA)).toMatchObject({ guard: { ...own, mode: "hold" } });
  await changeConnection(ports, OKTA, { guard: { mode: "observe" } });
  expect(await findConnection(ports, OKTA)).toMatchObject({ guard: { ...own, mode: "observe" } });
  await expect(changeConnection(ports, OKTA, { guard: { percent: 101 } })).rejects.toMatchObject({
    code: "invalid",
  });
  await changeConnection(ports, OKTA, { guard: null });
  expect(await findConnection(ports, OKTA)).toMatchObject({ guard: null });
});

test.each(["", "-", "-a", "a.b", "A", "x/y", "a".repeat(64)])(
  "'%s' cannot name a connection",
  async (connection) => {
    await expect(createConnection(ports, { tenant: "acme", connection })).rejects.toMatchObject({
      code: "invalid",
    });
  },
);

test.each([
  { perSecond: 0, burst: 1 },
  { perSecond: -1, burst: 1 },
  { perSecond: 0.000_999, burst: 1 },
  // A thousand milliseconds divided by it are infinitely many: such a limit would let everything pass.
  { perSecond: Number.MIN_VALUE, burst: 2 },
  { perSecond: Number.NaN, burst: 1 },
  { perSecond: Number.POSITIVE_INFINITY, burst: 1 },
  { perSecond: 1, burst: 0 },
  { perSecond: 1, burst: 1.5 },
  { perSecond: 1, burst: 1_000_001 },
])("the rate %j is refused", async (rate) => {
  await expect(createConnection(ports, OKTA, { rate })).rejects.toMatchObject({ code: "invalid" });
  expect(await ports.connections.find("acme", "okta")).toBeNull();
});

test.each([
  ["profile", { profile: "strict" }],
  ["switches", { switches: [] }],
] as const)("of the server's own connection the %s is a setting", async (_, change) => {
  const own = { tenant: "default", connection: "default", expected: null };
  await expect(changeConnection(ports, own, change)).rejects.toMatchObject({ code: "refused" });
  expect(await changeConnection(ports, own, { rate: { perSecond: 1, burst: 1 } })).toMatchObject({
    revision: 2,
  });
  await expect(deleteConnection(ports, own)).rejects.toMatchObject({ code: "refused" });
  // Of every other tenant it is one as any other.
  const other = { ...own, tenant: "acme" };
  expect(await changeConnection(ports, other, change)).toMatchObject(change);
  await deleteConnection(ports, other);
});

test("a change of another revision is refused", async () => {
  await createConnection(ports, OKTA);
  await changeConnection(ports, { ...OKTA, expected: 1 }, { state: "suspended" });
  await expect(deleteConnection(ports, { ...OKTA, expected: 1 })).rejects.toMatchObject({
    code: "changed",
    revision: 2,
  });
});

test("a connection takes its tokens along", async () => {
  await createConnection(ports, OKTA);
  await createToken(ports, { ...OKTA, createdBy: "ann" });
  await deleteConnection(ports, OKTA);
  expect(await ports.tokens.listTokens("acme")).toEqual([]);
});

test("what is made for a connection while that is deleted is not left behind", async () => {
  const okta = { tenant: "acme", connection: "okta", createdBy: "ann" };
  await createConnection(ports, okta, {});
  const found = await ports.connections.find("acme", "okta");
  await deleteConnection(ports, { ...okta, expected: null });
  // Whoever makes it looked before.
  const late = { ...ports, connections: { ...ports.connections, find: async () => found } };
  const imported = { ...okta, scheme: "sha256", hash: "a".repeat(64) } as const;
  const told = ports.acts.length;
  for (const made of [createToken(late, okta), importToken(late, imported), createClient(late, okta)])
    await expect(made).rejects.toMatchObject({ code: "notFound" });
  expect(await ports.tokens.listTokens("acme")).toEqual([]);
  expect(await ports.clients.listClients("acme", null)).toEqual([]);
  expect(ports.acts).toHaveLength(told);
});
