import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  ADMIN_TENANT,
  addClientTrust,
  changeClient,
  createTenant,
  deleteClient,
  findForeignAccess,
  importToken,
  removeClientTrust,
  type ClientTrust,
  type NewTrust,
} from "../../src/index.ts";
import { Issuer, type IssuerKey, newKey, unsigned } from "./issuer.ts";
import { type MadeClient, type OAuthService, oauthService, sha256, START } from "./oauth-service.ts";

const ISSUER = "https://id.example";
const AUDIENCE = "https://scim.example/scim/acme/v2";
const NOW = START / 1000;
const CLAIMS = { aud: AUDIENCE, sub: "provisioning", exp: NOW + 3600 };

let key: IssuerKey;
let unknown: IssuerKey;
beforeAll(async () => {
  [key, unknown] = await Promise.all([newKey("one"), newKey("two")]);
});

let issuer: Issuer;
let service: OAuthService;
let client: MadeClient;
let trust: ClientTrust;
beforeEach(async () => {
  issuer = new Issuer(ISSUER, [key]);
  service = await oauthService(issuer.readKeys);
  client = await service.client({ scopes: ["scim:read"] });
  trust = await trusted();
});

function trusted(of: Partial<NewTrust> = {}, name: MadeClient = client): Promise<ClientTrust> {
  return addClientTrust(service.ports, name, {
    purpose: "access-token",
    issuer: ISSUER,
    jwksUri: issuer.jwksUri,
    audience: AUDIENCE,
    subject: "provisioning",
    createdBy: "ann",
    ...of,
  });
}

/** The client that a text leads to, at an address that names a tenant or none. */
async function leadsTo(text: string, tenant: string | null = "acme"): Promise<string | null> {
  return (await service.authenticate(text, tenant))?.credential ?? null;
}

describe("an access token of a foreign issuer", () => {
  test("stands for the one client that issuer, audience and subject lead to", async () => {
    const text = await issuer.sign(CLAIMS);
    expect(await service.authenticate(text, "acme")).toMatchObject({
      tenant: "acme",
      connection: "default",
      credential: client.id,
      scopes: new Set(["scim:read"]),
    });
    // It is no assertion, and may be sent as often as it is good.
    const again = await issuer.sign({ ...CLAIMS, jti: "j" });
    expect([await leadsTo(again), await leadsTo(again)]).toEqual([client.id, client.id]);
  });

  test("is looked for in the tenant of the address alone, whatever it says", async () => {
    await createTenant(service.ports, { tenant: "other" });
    const text = await issuer.sign({ ...CLAIMS, tid: "acme", tenant: "acme" });
    expect(await leadsTo(text, null)).toBe(client.id);
    expect(await leadsTo(text, "other")).toBeNull();
    expect(await leadsTo(text, "admin")).toBeNull();
    const theirs = await service.client({ tenant: "other" });
    await trusted({}, theirs);
    expect([await leadsTo(text, "other"), await leadsTo(text, "acme")]).toEqual([theirs.id, client.id]);
  });

  test("is good for as long as clocks may differ behind its end", async () => {
    const text = await issuer.sign(CLAIMS);
    service.now = CLAIMS.exp * 1000 + 59_000;
    expect(await leadsTo(text)).toBe(client.id);
    service.now += 1000;
    expect(await leadsTo(text)).toBeNull();
  });

  test("leads to nobody in the tenant of administrators, even where a client stood there", async () => {
    const { clients } = service.stores;
    const found = (): ReturnType<typeof clients.findAccessTrusts> =>
      clients.findAccessTrusts("acme", { issuer: ISSUER, subjects: ["provisioning"] });
    expect(await found()).toHaveLength(1);
    const options = {
      clients: { findAccessTrusts: found },
      checkJwt: async () =>
        ({ kind: "good", jwt: { expires: START + 60_000, jti: null, groups: [] } }) as const,
      tenant: null,
      unavailable: () => new Error("not asked"),
    };
    const text = await issuer.sign(CLAIMS);
    expect(await findForeignAccess(text, "acme", options)).toMatchObject({ id: client.id });
    expect(await findForeignAccess(text, ADMIN_TENANT, options)).toBeNull();
  });

  test.each(["client_id", "azp", "appid"] as const)("may be told by its claim %s", async (claim) => {
    await removeClientTrust(service.ports, trust);
    await trusted({ claim, subject: "app" });
    expect(await leadsTo(await issuer.sign({ ...CLAIMS, [claim]: "app" }))).toBe(client.id);
    expect(await leadsTo(await issuer.sign({ ...CLAIMS, sub: "app" }))).toBeNull();
  });

  test("that leads to two clients by different claims leads to none", async () => {
    const other = await service.client();
    await trusted({ claim: "azp", subject: "app" }, other);
    expect(await leadsTo(await issuer.sign({ ...CLAIMS, sub: "x", azp: "app" }))).toBe(other.id);
    expect(await leadsTo(await issuer.sign({ ...CLAIMS, azp: "app" }))).toBeNull();
  });

  test("leads to its client also where another is trusted by the same subject in another claim", async () => {
    await trusted({ claim: "azp" }, await service.client());
    expect(await leadsTo(await issuer.sign(CLAIMS))).toBe(client.id);
    expect(await leadsTo(await issuer.sign({ ...CLAIMS, azp: "app" }))).toBe(client.id);
  });

  test.each<readonly [string, () => unknown]>([
    [
      "its client is suspended",
      () => changeClient(service.ports, { ...client, expected: null }, { state: "suspended" }),
    ],
    ["its client is deleted", () => deleteClient(service.ports, { ...client, expected: null })],
    ["its trust is taken back", () => removeClientTrust(service.ports, trust)],
    ["it is over", () => (service.now += 3_660_000)],
  ])("is refused from the moment that %s", async (_what, stop) => {
    const text = await issuer.sign(CLAIMS);
    expect(await leadsTo(text)).toBe(client.id);
    await stop();
    expect(await leadsTo(text)).toBeNull();
  });

  test.each<readonly [string, () => Promise<string> | string, string | null]>([
    ["that is expired", () => issuer.sign({ ...CLAIMS, exp: NOW - 61 }), "The JWT is expired."],
    ["that is not good yet", () => issuer.sign({ ...CLAIMS, nbf: NOW + 61 }), "The JWT is not good yet."],
    [
      "by an unknown key",
      () => issuer.sign(CLAIMS, { by: unknown }),
      "The JWT is signed by a key that its issuer does not publish.",
    ],
    ["for another audience", () => issuer.sign({ ...CLAIMS, aud: "https://other.example" }), null],
    ["for no audience", () => issuer.sign({ sub: "provisioning", exp: NOW + 60 }), null],
    ["of another subject", () => issuer.sign({ ...CLAIMS, sub: "other" }), null],
    ["of another issuer", () => issuer.sign({ ...CLAIMS, iss: "https://other.example" }), null],
    ["that nobody signed", () => unsigned({ iss: ISSUER, ...CLAIMS }), null],
    ["of 100 kB", () => issuer.sign({ ...CLAIMS, groups: "x".repeat(100_000) }), null],
    ["with a subject that is a list", () => issuer.sign({ ...CLAIMS, sub: ["provisioning"] as never }), null],
    ["of the form of a JWT", () => "a.b.c", null],
  ])("%s is refused", async (_name, make, reason) => {
    expect(await leadsTo(await make())).toBeNull();
    expect(service.refusals).toEqual(reason === null ? [] : [reason]);
    expect(issuer.reads).toBe(reason === null ? 0 : 1);
  });

  test.each([
    null,
    7,
    "key",
    ["RSA"],
    {},
    { kty: 1 },
    { kty: "none", kid: "one" },
    { kty: "RSA", kid: "zero" },
  ])("is good where %j stands beside the key that signed it (RFC 7517 §5)", async (other) => {
    issuer.others = [other];
    expect(await leadsTo(await issuer.sign(CLAIMS))).toBe(client.id);
  });

  test("signed by a changed key is good at once", async () => {
    expect(await leadsTo(await issuer.sign(CLAIMS))).toBe(client.id);
    issuer.keys = [unknown];
    service.now += 5000;
    expect(await leadsTo(await issuer.sign(CLAIMS))).toBe(client.id);
  });

  test("whose issuer cannot be asked for its keys is neither good nor bad", async () => {
    issuer.failure = new Error("no route");
    const told = `The public keys of the issuer cannot be read from ${new URL(issuer.jwksUri).origin}`;
    await expect(leadsTo(await issuer.sign(CLAIMS))).rejects.toMatchObject({
      message: "try again",
      cause: { message: told, cause: issuer.failure },
    });
  });

  test("is no assertion, and an assertion is none", async () => {
    const assertion = await service.send({
      grant_type: "client_credentials",
      client_id: client.clientId,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await issuer.sign(CLAIMS),
    });
    expect(assertion.status).toBe(401);
    await removeClientTrust(service.ports, trust);
    await trusted({ purpose: "assertion" });
    expect(await leadsTo(await issuer.sign(CLAIMS))).toBeNull();
  });

  test("that was imported as a token of the tenant is still that token", async () => {
    const text = await issuer.sign({ ...CLAIMS, iss: "https://old.example" });
    const id = await importToken(service.ports, {
      tenant: "acme",
      scheme: "sha256",
      hash: sha256(text),
      createdBy: "ann",
    });
    expect(await leadsTo(text)).toBe(id);
  });
});
