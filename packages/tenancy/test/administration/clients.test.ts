import type { Scope } from "@scim/core";
import { beforeEach, describe, expect, test } from "vitest";
import {
  addClientSecret,
  addClientTrust,
  changeClient,
  createClient,
  createConnection,
  createTenant,
  deleteClient,
  findClient,
  type NewClient,
  type OAuthClient,
} from "../../src/index.ts";
import { NOW, testPorts, type TestPorts } from "./ports.ts";

const DAY = 86_400_000;
const after = (milliseconds: number): string => new Date(Date.parse(NOW) + milliseconds).toISOString();

let ports: TestPorts;
beforeEach(async () => {
  ports = testPorts();
  await createTenant(ports, { tenant: "acme" });
});

function make(of: Partial<NewClient> = {}): Promise<OAuthClient> {
  return createClient(ports, { tenant: "acme", createdBy: "ann", ...of });
}

async function outcome(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return "done";
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code);
    throw error;
  }
}

describe("a client", () => {
  test.each<readonly [Partial<NewClient>, string]>([
    [{ tokenLifetime: 599 }, "invalid"],
    [{ tokenLifetime: 600 }, "done"],
    [{ tokenLifetime: 21_600 }, "done"],
    [{ tokenLifetime: 21_601 }, "invalid"],
    [{ tokenLifetime: 600.5 }, "invalid"],
    [{ scopes: [] }, "invalid"],
    [{ scopes: Array.from({ length: 50 }, (): Scope => "scim") }, "done"],
    [{ scopes: Array.from({ length: 51 }, (): Scope => "scim") }, "invalid"],
    [{ scopes: ["scim", "admin:operator"] }, "invalid"],
    [{ scopes: ["admin"] }, "invalid"],
  ])("asked for with %j: %s", async (of, expected) => {
    expect(await outcome(() => make(of))).toBe(expected);
    const client = await make();
    const target = { ...client, expected: null };
    const { scopes, tokenLifetime } = of;
    expect(await outcome(() => changeClient(ports, target, { scopes, tokenLifetime }))).toBe(expected);
  });

  test("is one of twenty of its connection at most", async () => {
    await createConnection(ports, { tenant: "acme", connection: "okta" }, {});
    for (let count = 0; count < 20; count += 1) await make();
    expect(await outcome(make)).toBe("refused");
    expect(await outcome(() => make({ connection: "okta" }))).toBe("done");
  });

  test("is there by the name of its own connection alone", async () => {
    const client = await make();
    expect(await findClient(ports, client)).toEqual(client);
    const { tenant, id } = client;
    expect(await outcome(() => findClient(ports, { tenant, id, connection: "okta" }))).toBe("notFound");
  });

  test("is changed and deleted in the revision that is meant alone", async () => {
    const client = await make();
    const old = { ...client, expected: 1 };
    await changeClient(ports, old, { name: "two" });
    expect(await outcome(() => changeClient(ports, old, { name: "three" }))).toBe("changed");
    expect(await outcome(() => deleteClient(ports, old))).toBe("changed");
    expect(await findClient(ports, client)).toMatchObject({ name: "two", revision: 2 });
  });
});

describe("a secret", () => {
  test.each([
    [0, "invalid"],
    [1, "done"],
    [1096 * DAY, "done"],
    [1096 * DAY + 1, "invalid"],
  ])("that ends in %i ms: %s", async (left, expected) => {
    const client = await make();
    const expires = after(left);
    expect(await outcome(() => addClientSecret(ports, client, { expires, createdBy: "ann" }))).toBe(expected);
  });

  test("is one of ten that are good; those that were over for six hours go when one is made, and not where it is refused", async () => {
    const client = await make();
    const add = (expires?: string) =>
      outcome(() => addClientSecret(ports, client, { expires, createdBy: "ann" }));
    const held = async (): Promise<number> => (await ports.clients.listSecrets(client)).length;
    expect(await add(after(1))).toBe("done");
    for (let count = 0; count < 9; count += 1) expect(await add()).toBe("done");
    expect(await add()).toBe("refused");
    ports = { ...ports, now: () => after(1) };
    expect([await add(after(0)), await held()]).toEqual(["invalid", 10]);
    expect([await add(), await held()]).toEqual(["done", 11]);
    expect([await add(), await held()]).toEqual(["refused", 11]);
    ports = { ...ports, now: () => after(1 + DAY / 4) };
    expect([await add(after(DAY / 4)), await held()]).toEqual(["invalid", 11]);
    expect([await add(), await held()]).toEqual(["refused", 10]);
  });
});

test("a client has ten trusts at most", async () => {
  const client = await make();
  const add = (subject: string) =>
    outcome(() =>
      addClientTrust(ports, client, {
        purpose: "assertion",
        issuer: "https://id.example",
        jwksUri: "https://id.example/keys",
        audience: "scim",
        subject,
        createdBy: "ann",
      }),
    );
  for (let count = 0; count < 10; count += 1) expect(await add(`s${count}`)).toBe("done");
  expect(await add("s10")).toBe("refused");
});
