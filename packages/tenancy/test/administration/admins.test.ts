import { beforeEach, describe, expect, test } from "vitest";
import {
  type AdminStore,
  type AdminGroups,
  type AdminIssuer,
  changeAdminIdentity,
  changeAdminIssuer,
  createAdminIdentity,
  createAdminIssuer,
  createTenant,
  deleteAdminIssuer,
  findAdminIdentity,
  findAdminIssuer,
  isBootstrapToken,
  JWT_ALGORITHMS,
  type NewAdminIdentity,
  type NewAdminIssuer,
  refusesBootstrap,
  revokeAdminIdentity,
  STARTED_BY,
  type TenancyErrorCode,
} from "../../src/index.ts";
import { NOW, testPorts, type TestPorts } from "./ports.ts";

const ISSUER = "https://id.example";
const WANTED = { issuer: ISSUER, audience: "api://admin", createdBy: "ann" };
const KEYS = `${ISSUER}/keys`;

let ports: TestPorts;
beforeEach(() => {
  ports = testPorts();
});

function enter(of: Partial<NewAdminIssuer> = {}, document: unknown = null): Promise<AdminIssuer> {
  return createAdminIssuer(ports, { ...WANTED, ...of }, async (address) => {
    if (document === null) throw new Error(`${address} cannot be read`);
    return document;
  });
}

async function administrator(of: Partial<NewAdminIdentity> = {}) {
  const [issuer] = await ports.admins.listIssuers();
  return createAdminIdentity(ports, {
    issuer: issuer?.id ?? (await enter({ jwksUri: KEYS })).id,
    subject: "248289761001",
    name: "Ann",
    role: "owner",
    createdBy: "ann",
    ...of,
  });
}

function supporters(count: number): AdminGroups["roles"] {
  return Array.from({ length: count }, (_, n) => ({ group: `g${n}`, role: "support", tenant: null }));
}

/** What removes a row, before which another administrator changes it once. */
function afterChange(
  change: () => Promise<unknown>,
  remove: AdminStore["removeIssuer"],
): AdminStore["removeIssuer"] {
  let isChanged = false;
  return async (row, act) => {
    if (!isChanged) await change();
    isChanged = true;
    return remove(row, act);
  };
}

function code(of: TenancyErrorCode): object {
  return expect.objectContaining({ name: "TenancyError", code: of });
}

describe("an issuer of administrators", () => {
  test("is asked once where its keys are, as OpenID Connect Discovery says", async () => {
    const made = await enter({}, { issuer: ISSUER, jwks_uri: KEYS });
    expect(made).toMatchObject({ jwksUri: KEYS, claim: "sub", algorithms: JWT_ALGORITHMS, state: "active" });
    await expect(enter({ jwksUri: KEYS })).rejects.toEqual(code("exists"));
  });

  test.each<readonly [what: string, document: unknown, why: string]>([
    ["another issuer", { issuer: "https://evil.example", jwks_uri: KEYS }, "itself https://evil.example,"],
    ["itself with a slash", { issuer: `${ISSUER}/`, jwks_uri: KEYS }, `itself ${ISSUER}/, as its JWTs do`],
    [
      "another that is no name",
      { issuer: "https://evil.example \u001b[2J", jwks_uri: KEYS },
      "names no issuer.",
    ],
    ["no issuer", { jwks_uri: KEYS }, "names no issuer. State the address"],
    ["no keys", { issuer: ISSUER }, "names no keys. State the address"],
    ["nothing", null, "cannot be read. State the address"],
    ["a list", [], "names no issuer."],
  ])("whose metadata names %s is refused", async (_what, document, why) => {
    const message = expect.stringContaining(why) as string;
    await expect(enter({}, document)).rejects.toMatchObject({ code: "refused", message });
    expect(await ports.admins.listIssuers()).toEqual([]);
  });

  test.each<Partial<NewAdminIssuer>>([
    { issuer: "" },
    { issuer: "https://id.example/ x" },
    { audience: "x".repeat(513) },
    { jwksUri: "keys" },
    { jwksUri: "file:///etc/passwd" },
    { jwksUri: "https://user:secret@id.example/keys" },
    { algorithms: [] },
    { algorithms: ["none"] },
    { algorithms: ["RS256", "HS256"] },
  ])("%j is refused", async (of) => {
    await expect(enter({ jwksUri: KEYS, ...of })).rejects.toEqual(code("invalid"));
  });

  test.each<Partial<NewAdminIssuer>>([
    { jwksUri: "https://id.example/other" },
    { algorithms: ["ES256"] },
    { groups: { claim: "groups", roles: [{ group: "g1", role: "support", tenant: null }] } },
  ])("becomes what a change states, and stays what it does not: %j", async (change) => {
    const before = await enter({ jwksUri: KEYS });
    const after = await changeAdminIssuer(ports, { id: before.id, expected: 1 }, change);
    expect(after).toEqual({ ...before, ...change, revision: 2 });
    expect(await findAdminIssuer(ports, before.id)).toEqual(after);
  });

  test("is changed by revision, and deleted when nobody signs in by it", async () => {
    const { id } = await enter({ jwksUri: KEYS });
    const { id: ann } = await administrator();
    await expect(changeAdminIssuer(ports, { id, expected: 2 }, {})).rejects.toMatchObject({ revision: 1 });
    const after = await changeAdminIssuer(ports, { id, expected: 1 }, { state: "suspended" });
    expect([after.state, after.revision, after.jwksUri]).toEqual(["suspended", 2, KEYS]);
    await expect(deleteAdminIssuer(ports, { id, expected: 2 })).rejects.toEqual(code("refused"));
    await revokeAdminIdentity(ports, { id: ann, expected: null });
    await expect(deleteAdminIssuer(ports, { id, expected: 1 })).rejects.toEqual(code("changed"));
    await deleteAdminIssuer(ports, { id, expected: 2 });
    await expect(findAdminIssuer(ports, id)).rejects.toEqual(code("notFound"));
    expect(ports.acts.map(({ type, kind, revision }) => [type, kind, revision])).toEqual([
      ["AdminIssuer", "created", 1],
      ["Administrator", "created", 1],
      ["AdminIssuer", "replaced", 2],
      ["Administrator", "deleted", 2],
      ["AdminIssuer", "deleted", 3],
    ]);
  });

  test("is deleted whichever revision it has, also where it is changed meanwhile", async () => {
    const { id } = await enter({ jwksUri: KEYS });
    const change = () => changeAdminIssuer(ports, { id, expected: null }, { state: "suspended" });
    const removeIssuer = afterChange(change, (row, act) => ports.admins.removeIssuer(row, act));
    const racing = { ...ports, admins: { ...ports.admins, removeIssuer } };
    await deleteAdminIssuer(racing, { id, expected: null });
    await expect(findAdminIssuer(ports, id)).rejects.toEqual(code("notFound"));
  });

  test("that is deleted by revision is not where it is changed meanwhile, and the revision is told", async () => {
    const { id } = await enter({ jwksUri: KEYS });
    const change = () => changeAdminIssuer(ports, { id, expected: null }, { state: "suspended" });
    const removeIssuer = afterChange(change, (row, act) => ports.admins.removeIssuer(row, act));
    const racing = { ...ports, admins: { ...ports.admins, removeIssuer } };
    const deleted = deleteAdminIssuer(racing, { id, expected: 1 });
    await expect(deleted).rejects.toMatchObject({ code: "changed", revision: 2 });
  });

  test.each<readonly [AdminGroups, "invalid" | "notFound"]>([
    [{ claim: "", roles: [{ group: "g", role: "owner", tenant: null }] }, "invalid"],
    [{ claim: "groups", roles: [] }, "invalid"],
    [{ claim: "groups", roles: [{ group: "a\u001b[2J", role: "owner", tenant: null }] }, "invalid"],
    [{ claim: "groups", roles: [{ group: "x".repeat(257), role: "owner", tenant: null }] }, "invalid"],
    [{ claim: "groups", roles: [{ group: "g", role: "tenant-admin", tenant: null }] }, "invalid"],
    [{ claim: "groups", roles: [{ group: "g", role: "owner", tenant: "acme" }] }, "invalid"],
    [{ claim: "groups", roles: [{ group: "g", role: "tenant-admin", tenant: "none" }] }, "notFound"],
    [
      {
        claim: "groups",
        roles: (["owner", "support"] as const).map((role) => ({ group: "g", role, tenant: null })),
      },
      "invalid",
    ],
    [{ claim: "groups", roles: supporters(101) }, "invalid"],
  ])("with the groups %j is refused, new or changed", async (groups, refusal) => {
    await expect(enter({ jwksUri: KEYS, groups })).rejects.toEqual(code(refusal));
    const { id } = await enter({ jwksUri: KEYS });
    await expect(changeAdminIssuer(ports, { id, expected: 1 }, { groups })).rejects.toEqual(code(refusal));
    expect(await findAdminIssuer(ports, id)).toMatchObject({ groups: null, revision: 1 });
  });

  test("gives roles to at most a hundred groups", async () => {
    const groups = { claim: "groups", roles: supporters(100) };
    expect((await enter({ jwksUri: KEYS, groups })).groups).toEqual(groups);
  });

  test("is one of at most twenty", async () => {
    for (let count = 0; count < 20; count += 1) await enter({ jwksUri: KEYS, audience: `a${count}` });
    await expect(enter({ jwksUri: KEYS })).rejects.toEqual(code("refused"));
  });
});

describe("an administrator of an issuer", () => {
  test("is one of at most a thousand, over all issuers", async () => {
    const issuers = [await enter({ jwksUri: KEYS }), await enter({ jwksUri: KEYS, audience: "api://other" })];
    const one = (number: number) =>
      administrator({ issuer: issuers[number % 2]?.id ?? "", subject: `${number}` });
    const { id } = await one(0);
    for (let number = 1; number < 1000; number += 1) await one(number);
    await expect(one(1000)).rejects.toEqual(code("refused"));
    await revokeAdminIdentity(ports, { id, expected: null });
    await expect(one(1)).rejects.toEqual(code("exists"));
    expect(await one(1000)).toMatchObject({ subject: "1000" });
  });

  test("has a role that is changed by revision, and goes", async () => {
    await createTenant(ports, { tenant: "acme" });
    const { id } = await administrator();
    const to = (expected: number, change: Parameters<typeof changeAdminIdentity>[2]) =>
      changeAdminIdentity(ports, { id, expected }, change);
    expect(await to(1, { role: "tenant-admin", tenant: "acme" })).toMatchObject({ tenant: "acme" });
    expect(await to(2, { name: "Ann A." })).toMatchObject({ role: "tenant-admin", tenant: "acme" });
    expect(await to(3, { role: "support" })).toMatchObject({ role: "support", tenant: null, revision: 4 });
    await expect(to(4, { tenant: "acme" })).rejects.toEqual(code("invalid"));
    await expect(to(4, { role: "tenant-admin" })).rejects.toEqual(code("invalid"));
    await expect(to(4, { role: "tenant-admin", tenant: "none" })).rejects.toEqual(code("notFound"));
    await expect(to(4, { expires: NOW })).rejects.toEqual(code("invalid"));
    await expect(to(3, {})).rejects.toEqual(code("changed"));
    await expect(revokeAdminIdentity(ports, { id, expected: 3 })).rejects.toEqual(code("changed"));
    await revokeAdminIdentity(ports, { id, expected: 4 });
    await expect(findAdminIdentity(ports, id)).rejects.toEqual(code("notFound"));
    expect(ports.acts.at(-1)).toMatchObject({ type: "Administrator", id, kind: "deleted", after: null });
  });

  test("is revoked whichever revision it has, also where it is changed meanwhile", async () => {
    const { id } = await administrator();
    const change = () => changeAdminIdentity(ports, { id, expected: null }, { name: "Ann A." });
    const removeIdentity = afterChange(change, (row, act) => ports.admins.removeIdentity(row, act));
    const racing = { ...ports, admins: { ...ports.admins, removeIdentity } };
    await revokeAdminIdentity(racing, { id, expected: null });
    await expect(findAdminIdentity(ports, id)).rejects.toEqual(code("notFound"));
  });

  test.each<readonly [Partial<NewAdminIdentity>, TenancyErrorCode]>([
    [{ issuer: "none" }, "notFound"],
    [{ subject: "two words" }, "invalid"],
    [{ name: " " }, "invalid"],
    [{ role: "tenant-admin" }, "invalid"],
    [{ tenant: "acme", role: "tenant-admin" }, "notFound"],
    [{ expires: "yesterday" }, "invalid"],
    [{}, "exists"],
  ])("%j is refused", async (of, how) => {
    await administrator();
    await expect(administrator(of)).rejects.toEqual(code(how));
  });
});

describe("the token that the administration begins with", () => {
  test.each([
    [{ tenant: "admin", name: null, createdBy: STARTED_BY }, true],
    [{ tenant: "admin", name: null, createdBy: null }, true],
    [{ tenant: "admin", name: null, createdBy: "command line" }, false],
    [{ tenant: "admin", name: "Ann", createdBy: STARTED_BY }, false],
    [{ tenant: "default", name: null, createdBy: STARTED_BY }, false],
  ])("%j is one: %s", (token, expected) => {
    expect(isBootstrapToken(token)).toBe(expected);
  });

  test("is refused while an owner can sign in", async () => {
    let now = Date.parse(NOW);
    const isRefused = () => refusesBootstrap({ admins: ports.admins, now: () => now });
    expect(await isRefused()).toBe(false);
    await administrator({ expires: new Date(now + 1000).toISOString() });
    expect(await isRefused()).toBe(true);
    now += 1000;
    expect(await isRefused()).toBe(false);
  });
});
