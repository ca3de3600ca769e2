import { beforeEach, describe, expect, test } from "vitest";
import {
  changeTenant,
  createConnection,
  createTenant,
  createToken,
  deleteTenant,
  findTenant,
  type TenantDeletion,
} from "../../src/index.ts";
import { NOW, testPorts, type TestPorts } from "./ports.ts";

let ports: TestPorts;
beforeEach(async () => {
  ports = testPorts();
  await createTenant(ports, { tenant: "acme", displayName: "Acme Ltd" });
});

const ACME = { tenant: "acme", expected: null };

test("a tenant has a first connection, and both are told", async () => {
  expect(await findTenant(ports, "acme")).toEqual({
    tenant: "acme",
    displayName: "Acme Ltd",
    state: "active",
    limits: {},
    retention: {},
    discovery: "token",
    secrets: "drop",
    documents: 0,
    created: NOW,
    revision: 1,
  });
  expect(await ports.connections.find("acme", "default")).toMatchObject({ state: "active", revision: 1 });
  expect(ports.acts.map(({ kind, type, id, after, origin }) => ({ kind, type, id, after, origin }))).toEqual([
    {
      kind: "created",
      type: "Tenant",
      id: "acme",
      after: { state: "active", displayName: "Acme Ltd" },
      origin: ports.actor,
    },
    {
      kind: "created",
      type: "Connection",
      id: "acme/default",
      after: { tenant: "acme", state: "active" },
      origin: ports.actor,
    },
  ]);
});

test("a tenant and its first connection are written in one step", async () => {
  const away = {
    ...ports,
    connections: { ...ports.connections, add: () => Promise.reject(new Error("away")) },
  };
  await createTenant(away, { tenant: "other" });
  expect(await ports.connections.find("other", "default")).not.toBeNull();
});

test.each(["a.b", "a/b", "../x", "Acme", "ácme", "v2", "admin", "", "a".repeat(64), "a b", "a\n", "-a"])(
  "'%s' cannot name a tenant",
  async (tenant) => {
    await expect(createTenant(ports, { tenant })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("0-9 and, behind the first, -;"),
    });
  },
);

test.each([" ", "a".repeat(257), "a\0b", "a\u0085b"])("a display name is not %j", async (displayName) => {
  const refused = { code: "invalid" };
  await expect(createTenant(ports, { tenant: "other", displayName })).rejects.toMatchObject(refused);
  await expect(changeTenant(ports, ACME, { displayName })).rejects.toMatchObject(refused);
});

test("a change is told with what it changed, and what is so already is no change", async () => {
  await changeTenant(ports, ACME, { state: "suspended" });
  expect(ports.acts.at(-1)).toMatchObject({
    kind: "replaced",
    before: { state: "active" },
    after: { state: "suspended" },
    revision: 2,
  });
  expect(await changeTenant(ports, ACME, { state: "suspended" })).toMatchObject({ revision: 2 });
  expect(ports.acts).toHaveLength(3);
});

test("a change that was meant for another revision is refused with the present one", async () => {
  await changeTenant(ports, { tenant: "acme", expected: 1 }, { displayName: null });
  await expect(
    changeTenant(ports, { tenant: "acme", expected: 1 }, { displayName: "Late" }),
  ).rejects.toMatchObject({ code: "changed", revision: 2 });
});

describe("deletion", () => {
  const deletion = (of: Partial<TenantDeletion> = {}): TenantDeletion => ({
    ...ACME,
    exported: true,
    batch: 1,
    settled: async () => undefined,
    onProgress: () => undefined,
    ...of,
  });

  test.each([
    ["an active tenant", async () => undefined, deletion(), /Suspend the tenant 'acme'/],
    [
      "one that was not exported",
      () => changeTenant(ports, ACME, { state: "suspended" }),
      deletion({ exported: false }),
      /Export the tenant/,
    ],
    ["the tenant of the server", async () => undefined, deletion({ tenant: "default" }), /belongs to the/],
  ])("of %s is refused", async (_, prepare, wanted, message) => {
    await prepare();
    await expect(deleteTenant(ports, wanted)).rejects.toMatchObject({
      code: "refused",
      message: expect.stringMatching(message),
    });
  });

  test("takes everything in batches, keeps the name, and ends what would work on it", async () => {
    await createToken(ports, { tenant: "acme", createdBy: "ann" });
    await changeTenant(ports, ACME, { state: "suspended" });
    const told: number[] = [];
    const settled = async (): Promise<void> => {
      // Whoever looks at the state now is refused, and nothing is gone yet.
      expect(await findTenant(ports, "acme")).toMatchObject({ state: "deleted" });
      told.push(0);
    };
    const onProgress = (rows: number): void => void told.push(rows);
    expect(await deleteTenant(ports, deletion({ settled, onProgress }))).toBe(2);
    expect(told).toEqual([0, 1, 2]);
    expect(await findTenant(ports, "acme")).toMatchObject({ state: "deleted" });
    expect(ports.acts.at(-1)).toMatchObject({ id: "acme", after: { state: "deleted" } });
    await expect(createTenant(ports, { tenant: "acme" })).rejects.toMatchObject({ code: "exists" });
    await expect(changeTenant(ports, ACME, { state: "active" })).rejects.toMatchObject({ code: "refused" });
    await expect(createConnection(ports, { tenant: "acme", connection: "x" })).rejects.toMatchObject({
      code: "refused",
    });
    expect(await deleteTenant(ports, deletion())).toBe(0);
  });
});
