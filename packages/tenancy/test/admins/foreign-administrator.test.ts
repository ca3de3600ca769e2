import { type Authenticator, PROFILES } from "@scim/core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  ADMIN_TENANT,
  type AdminIdentity,
  type AdminIssuer,
  administratorOf,
  changeAdminIdentity,
  changeAdminIssuer,
  createAdminIdentity,
  createAdminIssuer,
  createAuthenticator,
  createTenant,
  findForeignAdministrator,
  jwtOnDemand,
  revokeAdminIdentity,
} from "../../src/index.ts";
import { testPorts, type TestPorts, NOW } from "../administration/ports.ts";
import { Issuer, type IssuerKey, newKey, unsigned } from "../oauth/issuer.ts";

const ISSUER = "https://id.example";
const AUDIENCE = "https://scim.example/admin";
const START = Date.parse(NOW);
const SECONDS = START / 1000;
const CLAIMS = { aud: AUDIENCE, sub: "ann", exp: SECONDS + 3600 };

let key: IssuerKey;
let unknown: IssuerKey;
let elliptic: IssuerKey;
beforeAll(async () => {
  [key, unknown, elliptic] = await Promise.all([newKey("one"), newKey("two"), newKey("three", "ES256")]);
});

let issuer: Issuer;
let ports: TestPorts;
let trusted: AdminIssuer;
let ann: AdminIdentity;
let clock: number;
let refusals: string[];
let used: string[];
beforeEach(async () => {
  clock = START;
  refusals = [];
  used = [];
  issuer = new Issuer(ISSUER, [key]);
  ports = testPorts();
  trusted = await enter();
  ann = await createAdminIdentity(ports, {
    issuer: trusted.id,
    subject: "ann",
    name: "Ann",
    role: "operator",
    createdBy: "test",
  });
});

function enter(of: Partial<Parameters<typeof createAdminIssuer>[1]> = {}): Promise<AdminIssuer> {
  const wanted = { issuer: ISSUER, jwksUri: issuer.jwksUri, audience: AUDIENCE, createdBy: "test", ...of };
  return createAdminIssuer(ports, wanted, () => Promise.reject(new Error("not asked")));
}

/** Finds principals, and remembers them for as long as the service does. */
function authenticator(): Authenticator {
  const now = (): number => clock;
  const checkJwt = jwtOnDemand({ readKeys: issuer.readKeys, now });
  return createAuthenticator({
    store: ports.tokens,
    hasher: ports.hasher,
    tenants: ports.tenants,
    connections: ports.connections,
    now,
    profileOf: () => PROFILES.tolerant,
    others: [
      (sent, where) =>
        findForeignAdministrator(sent, where, {
          admins: ports.admins,
          checkJwt,
          now,
          onUse: (id) => used.push(id),
          idOf: (of, subject) => `${of}/${subject}`,
          unavailable: () => new Error("try again"),
          unknown: ({ id }) => new Error(`unknown at ${id}`),
          onRefused: (reason) => refusals.push(reason),
        }),
    ],
  });
}

/** Id and role of whom a text leads to; null where it is refused. */
async function leadsTo(text: string, tenant: string | null = ADMIN_TENANT): Promise<string | null> {
  const principal = await authenticator()(text, tenant);
  const administrator = principal === null ? null : administratorOf(principal);
  return administrator === null ? null : `${administrator.credential} ${administrator.role}`;
}

describe("a JWT of an issuer of administrators", () => {
  test("stands for the one administrator that issuer and subject lead to, whatever else it says", async () => {
    const text = await issuer.sign({ ...CLAIMS, roles: ["owner"], groups: ["owner"], scope: "admin" });
    expect(await leadsTo(text)).toBe(`${ann.id} operator`);
    expect(used).toEqual([ann.id]);
    await createTenant(ports, { tenant: "acme" });
    expect(await leadsTo(text, "acme")).toBeNull();
    expect(await leadsTo(text, null)).toBeNull();
  });

  test.each<readonly [string, () => Promise<string> | string, string | null]>([
    ["that is expired", () => issuer.sign({ ...CLAIMS, exp: SECONDS - 61 }), "The JWT is expired."],
    ["that has no end", () => issuer.sign({ aud: AUDIENCE, sub: "ann" }), "The JWT has no claim exp."],
    ["that is not good yet", () => issuer.sign({ ...CLAIMS, nbf: SECONDS + 61 }), "The JWT is not good yet."],
    [
      "by an unknown key",
      () => issuer.sign(CLAIMS, { by: unknown }),
      "The JWT is signed by a key that its issuer does not publish.",
    ],
    ["for another audience", () => issuer.sign({ ...CLAIMS, aud: "https://scim.example/scim" }), null],
    ["of another issuer", () => issuer.sign({ ...CLAIMS, iss: "https://other.example" }), null],
    ["without subject", () => issuer.sign({ aud: AUDIENCE, exp: CLAIMS.exp }), null],
    ["that nobody signed", () => unsigned({ iss: ISSUER, ...CLAIMS }), null],
    ["of 100 kB", () => issuer.sign({ ...CLAIMS, groups: "x".repeat(100_000) }), null],
  ])("%s is refused", async (_name, make, reason) => {
    expect(await leadsTo(await make())).toBeNull();
    expect(refusals).toEqual(reason === null ? [] : [reason]);
  });

  test("of somebody who is no administrator is told as such, once its signature is good", async () => {
    const stranger = { ...CLAIMS, sub: "ben" };
    await expect(leadsTo(await issuer.sign(stranger))).rejects.toThrow(`unknown at ${trusted.id}`);
    expect(await leadsTo(await issuer.sign(stranger, { by: unknown }))).toBeNull();
  });

  test("of somebody in a group that has a role stands for that role, and the first of several counts", async () => {
    await createTenant(ports, { tenant: "acme" });
    const roles = [
      { group: "acme people", role: "tenant-admin", tenant: "acme" },
      { group: "owners", role: "owner", tenant: null },
    ] as const;
    const target = { id: trusted.id, expected: null };
    await changeAdminIssuer(ports, target, { groups: { claim: "groups", roles } });
    const of = async (groups: unknown, sub = "ben"): Promise<string | null> =>
      leadsTo(await issuer.sign({ ...CLAIMS, sub, groups }));
    const ben = `${trusted.id}/ben`;
    expect(await of(["staff", "owners"])).toBe(`${ben} owner`);
    expect(await of("owners")).toBe(`${ben} owner`);
    expect(used).toEqual([]);
    expect(await of(["owners", "acme people"])).toBe(`${ben} tenant-admin`);
    for (const none of [undefined, [], ["OWNERS"], "own", { owners: true }, [["owners"]]])
      await expect(of(none)).rejects.toThrow("unknown");
    await expect(leadsTo(await issuer.sign({ ...CLAIMS, sub: "ben", roles: ["owners"] }))).rejects.toThrow(
      "unknown",
    );
    // Who is listed is what the list says: also when that is over, and whatever the groups are.
    expect(await of(["owners"], "ann")).toBe(`${ann.id} operator`);
    await endAnn();
    await expect(of(["owners"], "ann")).rejects.toThrow("unknown");
    expect(used).toEqual([ann.id]);
    // Groups give no owner that the first token would end with.
    expect(await ports.admins.hasOwner(NOW)).toBe(false);
    await changeAdminIssuer(ports, target, { groups: null });
    await expect(of(["owners"])).rejects.toThrow("unknown");
  });

  test("by an algorithm that the issuer does not sign by is refused", async () => {
    issuer.keys = [key, elliptic];
    expect(await leadsTo(await issuer.sign(CLAIMS, { by: elliptic }))).toBe(`${ann.id} operator`);
    await changeAdminIssuer(ports, { id: trusted.id, expected: null }, { algorithms: ["RS256"] });
    expect(await leadsTo(await issuer.sign(CLAIMS, { by: elliptic }))).toBeNull();
    expect(await leadsTo(await issuer.sign(CLAIMS))).toBe(`${ann.id} operator`);
  });

  test("names people by oid where the issuer does", async () => {
    const entra = await enter({ audience: "api://entra", claim: "oid" });
    const wanted = {
      issuer: entra.id,
      subject: "0a1b",
      name: "Eve",
      role: "support",
      createdBy: "t",
    } as const;
    const { id } = await createAdminIdentity(ports, wanted);
    const claims = { ...CLAIMS, aud: "api://entra", oid: "0a1b" };
    expect(await leadsTo(await issuer.sign(claims))).toBe(`${id} support`);
    await expect(leadsTo(await issuer.sign({ ...claims, sub: "0a1b", oid: "ann" }))).rejects.toThrow(
      "unknown",
    );
    // With both audiences it is not known which issuer is meant.
    expect(await leadsTo(await issuer.sign({ ...claims, aud: [AUDIENCE, "api://entra"] }))).toBeNull();
  });

  test.each<readonly [string, () => unknown, "unknown" | null]>([
    ["it is over", () => (clock += 3_661_000), null],
    [
      "its issuer is suspended",
      () => changeAdminIssuer(ports, { id: trusted.id, expected: null }, { state: "suspended" }),
      null,
    ],
    [
      "the administrator is revoked",
      () => revokeAdminIdentity(ports, { id: ann.id, expected: null }),
      "unknown",
    ],
    ["the administrator has ended", () => endAnn(), "unknown"],
  ])("is refused from the moment that %s", async (_what, stop, how) => {
    const text = await issuer.sign(CLAIMS);
    expect(await leadsTo(text)).toBe(`${ann.id} operator`);
    await stop();
    if (how === null) expect(await leadsTo(text)).toBeNull();
    else await expect(leadsTo(text)).rejects.toThrow(how);
  });

  test("signed by a changed key is good at once, and one whose keys cannot be read is neither good nor bad", async () => {
    issuer.keys = [unknown];
    expect(await leadsTo(await issuer.sign(CLAIMS))).toBe(`${ann.id} operator`);
    issuer.failure = new Error("no route");
    await expect(leadsTo(await issuer.sign(CLAIMS))).rejects.toThrow("try again");
  });
});

test("an administrator who ends while a request is remembered is refused from that moment on", async () => {
  const text = await issuer.sign(CLAIMS);
  const expires = new Date(START + 100).toISOString();
  await changeAdminIdentity(ports, { id: ann.id, expected: 1 }, { expires });
  const authenticate = authenticator();
  expect(await authenticate(text, ADMIN_TENANT)).not.toBeNull();
  clock += 100;
  expect(await authenticate(text, ADMIN_TENANT)).toBeNull();
});

async function endAnn(): Promise<void> {
  const expires = new Date(START + 60_000).toISOString();
  await changeAdminIdentity(ports, { id: ann.id, expected: 1 }, { expires });
  clock += 60_000;
}
