import { setTimeout as delay } from "node:timers/promises";
import { SignJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  addClientTrust,
  changeClient,
  removeClientTrust,
  type ClientTrust,
  type NewTrust,
} from "../../src/index.ts";
import { Issuer, type IssuerKey, newKey, unsigned } from "./issuer.ts";
import { type MadeClient, type OAuthService, oauthService, type SentAnswer, START } from "./oauth-service.ts";

const ISSUER = "https://login.microsoftonline.com/ce5f061f-abe6-4e40-9615-301f87bcb7f0/v2.0";
const AUDIENCE = "api://b5ba7a93-4452-4522-aeb4-a2b5da870c16";
const SUBJECT = "d2f8ee76-c549-45b8-a143-f5b640669704";
const NOW = START / 1000;

let first: IssuerKey;
let second: IssuerKey;
let elliptic: IssuerKey;
beforeAll(async () => {
  [first, second, elliptic] = await Promise.all([
    newKey("first"),
    newKey("second"),
    newKey("elliptic", "ES256"),
  ]);
});

let issuer: Issuer;
let service: OAuthService;
let client: MadeClient;
let trust: ClientTrust;
beforeEach(async () => {
  issuer = new Issuer(ISSUER, [first]);
  service = await oauthService(issuer.readKeys);
  client = await service.client();
  trust = await trusted();
});

/** What an administrator enters of Entra's workload identity. */
function trusted(of: Partial<NewTrust> = {}, name: MadeClient = client): Promise<ClientTrust> {
  return addClientTrust(service.ports, name, {
    purpose: "assertion",
    issuer: ISSUER,
    jwksUri: issuer.jwksUri,
    audience: `${AUDIENCE}/.default`,
    subject: SUBJECT,
    createdBy: "ann",
    ...of,
  });
}

const CLAIMS = { aud: AUDIENCE, sub: SUBJECT, iat: NOW, nbf: NOW, exp: NOW + 3900 };

function send(assertion: string, clientId = client.clientId): Promise<SentAnswer> {
  return service.send({
    grant_type: "client_credentials",
    client_id: clientId,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
    scope: "scim",
  });
}

/** The status, and the description where it is a refusal. */
async function outcome(assertion: string, clientId?: string): Promise<readonly unknown[]> {
  const { status, body } = await send(assertion, clientId);
  return status === 200 ? [200] : [status, body["error"], body["error_description"]];
}

const UNKNOWN = [
  401,
  "invalid_client",
  "The client is not known, or what it proves itself with is not valid.",
];
const refused = (reason: string): readonly unknown[] => [
  401,
  "invalid_client",
  `The assertion is refused. ${reason}`,
];

const OTHER_KIND = refused("The JWT is of a kind that tells something else.");

describe("R7644-7.3-01 an assertion", () => {
  test("gives an access token that goes with the trust", async () => {
    const { status, body } = await send(await issuer.sign(CLAIMS));
    expect([status, body["scope"], body["expires_in"]]).toEqual([200, "scim", 3600]);
    const text = String(body["access_token"]);
    expect(await service.authenticate(text, null)).toMatchObject({ tenant: "acme", credential: client.id });
    await removeClientTrust(service.ports, trust);
    expect(await service.authenticate(text, null)).toBeNull();
    expect(await outcome(await issuer.sign(CLAIMS))).toEqual(UNKNOWN);
  });

  test("with jti is good once; without, until it ends", async () => {
    const once = await issuer.sign({ ...CLAIMS, jti: "a" });
    expect(await outcome(once)).toEqual([200]);
    expect(await outcome(once)).toEqual(refused("It was used before."));
    expect(await outcome(await issuer.sign({ ...CLAIMS, jti: "a", iat: NOW - 1 }))).toEqual(
      refused("It was used before."),
    );
    const repeated = await issuer.sign(CLAIMS);
    expect([await outcome(repeated), await outcome(repeated)]).toEqual([[200], [200]]);
  });

  test("with jti is good once, also where it ends while it is looked at", async () => {
    const once = await issuer.sign({ ...CLAIMS, jti: "a" });
    expect(await outcome(once)).toEqual([200]);
    service.now = (CLAIMS.exp + 59) * 1000;
    // The keys are read again, and that takes until the assertion is over.
    issuer.delay = () => (service.now += 5000);
    expect(await outcome(once)).toEqual(refused("It was used before."));
  });

  test("without jti is refused where the trust asks for one", async () => {
    await removeClientTrust(service.ports, trust);
    await trusted({ requireJti: true });
    expect(await outcome(await issuer.sign(CLAIMS))).toEqual(refused("It has no jti."));
    expect(await outcome(await issuer.sign({ ...CLAIMS, jti: "b" }))).toEqual([200]);
  });

  test("of two clients with the same trust proves the one that is named", async () => {
    const other = await service.client();
    await trusted({}, other);
    const assertion = await issuer.sign({ ...CLAIMS, jti: "c" });
    expect([await outcome(assertion), await outcome(assertion, other.clientId)]).toEqual([[200], [200]]);
    await changeClient(service.ports, { ...other, expected: null }, { state: "suspended" });
    expect((await outcome(await issuer.sign(CLAIMS), other.clientId))[0]).toBe(401);
  });

  test.each<readonly [string, () => Promise<string> | string, readonly unknown[]]>([
    ["that is expired", () => issuer.sign({ ...CLAIMS, exp: NOW - 61 }), refused("The JWT is expired.")],
    [
      "that is just within the difference of clocks",
      () => issuer.sign({ ...CLAIMS, exp: NOW - 59, nbf: NOW + 59, iat: NOW + 59 }),
      [200],
    ],
    [
      "that is not good yet",
      () => issuer.sign({ ...CLAIMS, nbf: NOW + 61 }),
      refused("The JWT is not good yet."),
    ],
    [
      "of the future",
      () => issuer.sign({ ...CLAIMS, iat: NOW + 61 }),
      refused("The JWT was issued in the future."),
    ],
    ["without end", () => issuer.sign({ aud: AUDIENCE, sub: SUBJECT }), refused("The JWT has no claim exp.")],
    [
      "of two days",
      () => issuer.sign({ ...CLAIMS, exp: NOW + 172_800 }),
      refused("The JWT is good for more than 24 hours."),
    ],
    ["for another audience", () => issuer.sign({ ...CLAIMS, aud: "api://other" }), UNKNOWN],
    ["for several audiences", () => issuer.sign({ ...CLAIMS, aud: ["api://other", AUDIENCE] }), [200]],
    ["for no audience", () => issuer.sign({ sub: SUBJECT, exp: NOW + 60 }), UNKNOWN],
    ["of another subject", () => issuer.sign({ ...CLAIMS, sub: "other" }), UNKNOWN],
    ["of another issuer", () => issuer.sign({ ...CLAIMS, iss: "https://id.example" }), UNKNOWN],
    [
      "by an unknown key",
      () => issuer.sign(CLAIMS, { by: second }),
      refused("The JWT is signed by a key that its issuer does not publish."),
    ],
    [
      "by an unknown key under a known name",
      () => issuer.sign(CLAIMS, { by: { ...second, kid: first.kid } }),
      refused("The signature of the JWT is not valid."),
    ],
    ["that nobody signed", () => unsigned({ iss: ISSUER, ...CLAIMS }), UNKNOWN],
    [
      "whose end was changed",
      async () => `${(await issuer.sign(CLAIMS)).slice(0, -8)}AAAAAAAA`,
      refused("The signature of the JWT is not valid."),
    ],
    [
      "with an empty jti",
      () => issuer.sign({ ...CLAIMS, jti: "" }),
      refused("The jti of the JWT must be a text of at most 256 characters."),
    ],
    [
      "with a jti of 257 characters",
      () => issuer.sign({ ...CLAIMS, jti: "j".repeat(257) }),
      refused("The jti of the JWT must be a text of at most 256 characters."),
    ],
    [
      "with a jti that is a number",
      () => issuer.sign({ ...CLAIMS, jti: 7 as never }),
      refused("The jti of the JWT must be a text of at most 256 characters."),
    ],
    ["with a jti of 256 characters", () => issuer.sign({ ...CLAIMS, jti: "j".repeat(256) }), [200]],
    ...["at+jwt", "application/AT+JWT", "okta-internal-at+jwt", "client-authentication+jwt", "JOSE"].map(
      (typ) => [`of the kind ${typ}`, () => issuer.sign(CLAIMS, { typ }), [200]] as const,
    ),
    ...["secevent+jwt", "application/secevent+jwt", "logout+jwt", "dpop+JWT", "attestat+jwt"].map(
      (typ) => [`of the kind ${typ}`, () => issuer.sign(CLAIMS, { typ }), OTHER_KIND] as const,
    ),
    ["that tells of events", () => issuer.sign({ ...CLAIMS, events: {} }), OTHER_KIND],
    ["that is no JWT", () => "scim", UNKNOWN],
    ["of the form of a JWT", () => "a.b.c", UNKNOWN],
  ])("%s", async (_name, make, expected) => {
    expect(await outcome(await make())).toEqual(expected);
  });

  test("signed with a shared secret is refused, also with the public key as that secret", async () => {
    const forged = await new SignJWT({ iss: ISSUER, ...CLAIMS })
      .setProtectedHeader({ alg: "HS256", kid: first.kid })
      .sign(new TextEncoder().encode(JSON.stringify(first.jwk)));
    expect(await outcome(forged)).toEqual(UNKNOWN);
    expect(issuer.reads).toBe(0);
  });

  test("of 100 kB is refused before any key is looked at", async () => {
    const long = await issuer.sign({ ...CLAIMS, groups: ["x".repeat(100_000)] });
    expect(await outcome(long)).toEqual(UNKNOWN);
    expect(issuer.reads).toBe(0);
  });

  test("of another connection's issuer is refused", async () => {
    const other = await service.client();
    const elsewhere = "https://id.example";
    await trusted({ issuer: elsewhere }, other);
    expect(await outcome(await issuer.sign({ ...CLAIMS, iss: elsewhere }))).toEqual(UNKNOWN);
    expect(await outcome(await issuer.sign({ ...CLAIMS, iss: elsewhere }), other.clientId)).toEqual([200]);
  });
});

describe("keys of an issuer", () => {
  test("are read once, and again where a key is missing, at most every 5 seconds", async () => {
    for (let sent = 0; sent < 3; sent += 1) await outcome(await issuer.sign(CLAIMS));
    expect(issuer.reads).toBe(1);
    for (let sent = 0; sent < 3; sent += 1) await outcome(await issuer.sign(CLAIMS, { by: second }));
    expect(issuer.reads).toBe(1);
    issuer.keys = [second, elliptic];
    service.now += 5000;
    expect(await outcome(await issuer.sign(CLAIMS, { by: second }))).toEqual([200]);
    expect(await outcome(await issuer.sign(CLAIMS, { by: elliptic }))).toEqual([200]);
    expect(issuer.reads).toBe(2);
    // What was taken back is not trusted any more.
    expect((await outcome(await issuer.sign(CLAIMS, { by: first })))[0]).toBe(401);
  });

  test("are all tried where a JWT does not name one", async () => {
    const third = await newKey("third");
    const unnamed = (by: IssuerKey): Promise<string> =>
      new SignJWT({ iss: ISSUER, ...CLAIMS }).setProtectedHeader({ alg: by.alg }).sign(by.privateKey);
    issuer.keys = [first, elliptic, second];
    for (const key of [first, second, elliptic])
      expect(await outcome(await unnamed(key)), key.kid).toEqual([200]);
    expect(await outcome(await unnamed(third))).toEqual(refused("The signature of the JWT is not valid."));
    const expired = new SignJWT({ iss: ISSUER, ...CLAIMS, exp: NOW - 61 }).setProtectedHeader({
      alg: "RS256",
    });
    expect(await outcome(await expired.sign(second.privateKey))).toEqual(refused("The JWT is expired."));
  });

  test.each(["named", undefined])("are read again where one took the place of another: %s", async (kid) => {
    const [old, fresh] = [await newKey("named"), await newKey("named")];
    const sent = (by: IssuerKey): Promise<string> =>
      new SignJWT({ iss: ISSUER, ...CLAIMS })
        .setProtectedHeader({ alg: by.alg, ...(kid === undefined ? {} : { kid }) })
        .sign(by.privateKey);
    issuer.keys = [old];
    expect(await outcome(await sent(old))).toEqual([200]);
    issuer.keys = [fresh];
    expect((await outcome(await sent(fresh)))[0]).toBe(401);
    service.now += 5000;
    expect(await outcome(await sent(fresh))).toEqual([200]);
    expect((await outcome(await sent(old)))[0]).toBe(401);
    expect(issuer.reads).toBe(2);
  });

  test("are read again after ten minutes, so that one that was taken back is found out", async () => {
    const taken = await issuer.sign(CLAIMS);
    expect(await outcome(taken)).toEqual([200]);
    issuer.keys = [second];
    service.now += 599_000;
    expect(await outcome(taken)).toEqual([200]);
    service.now += 2000;
    expect((await outcome(taken))[0]).toBe(401);
  });

  test("are read again where the clock went back, whatever it says of the last time", async () => {
    const assertion = await issuer.sign({ ...CLAIMS, nbf: NOW - 90_000, iat: NOW - 90_000 });
    expect(await outcome(assertion)).toEqual([200]);
    issuer.keys = [second];
    service.now -= 3_600_000;
    expect((await outcome(assertion))[0]).toBe(401);
    expect(issuer.reads).toBe(2);
  });

  test.each([
    [100, [200]],
    [101, [503]],
  ])("%i in one set: %j", async (count, expected) => {
    issuer.keys = Array.from({ length: count }, (_, at) => (at === 0 ? first : { ...second, kid: `${at}` }));
    expect((await outcome(await issuer.sign(CLAIMS))).slice(0, 1)).toEqual(expected);
  });

  test("that cannot be read are told as such, and those that are known are used for a day", async () => {
    issuer.failure = new Error("no route");
    const { status, headers, body } = await send(await issuer.sign(CLAIMS));
    expect([status, headers["retry-after"], body["error"]]).toEqual([503, "5", "temporarily_unavailable"]);
    issuer.failure = null;
    // An issuer that was not there is left alone for longer.
    service.now += 29_999;
    expect((await outcome(await issuer.sign(CLAIMS)))[0]).toBe(503);
    service.now += 1;
    expect(await outcome(await issuer.sign(CLAIMS))).toEqual([200]);
    issuer.failure = new Error("no route");
    const day = { exp: NOW + 86_000 };
    service.now += 3_600_000;
    expect(await outcome(await issuer.sign({ ...CLAIMS, ...day }))).toEqual([200]);
    service.now += 83_000_000;
    // Whoever waits for a read, and whoever comes while none is due.
    for (let sent = 0; sent < 2; sent += 1)
      expect((await outcome(await issuer.sign({ ...CLAIMS, exp: NOW + 172_000 })))[0]).toBe(503);
  });

  test("that lack the one of a JWT, and cannot be read, tell nothing against it", async () => {
    expect(await outcome(await issuer.sign(CLAIMS))).toEqual([200]);
    issuer.failure = new Error("no route");
    service.now += 5000;
    const [changed, forged] = [
      await issuer.sign(CLAIMS, { by: second }),
      await issuer.sign(CLAIMS, { by: { ...second, kid: first.kid } }),
    ];
    // Whoever waits for a read, and whoever comes while none is due.
    for (let sent = 0; sent < 2; sent += 1) expect((await outcome(changed))[0]).toBe(503);
    expect((await outcome(forged))[0]).toBe(401);
    expect(await outcome(await issuer.sign(CLAIMS))).toEqual([200]);
    issuer.failure = null;
    service.now += 30_000;
    expect((await outcome(changed))[0]).toBe(401);
    issuer.keys = [second];
    service.now += 5000;
    expect(await outcome(changed)).toEqual([200]);
  });

  test("that are known are waited for once where their address does not answer", async () => {
    expect(await outcome(await issuer.sign(CLAIMS))).toEqual([200]);
    issuer.failure = new Error("no answer in time");
    service.now += 601_000;
    expect(await outcome(await issuer.sign(CLAIMS))).toEqual([200]);
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    issuer.delay = () => answer;
    service.now += 30_000;
    // Without an answer: it would never come.
    expect(await outcome(await issuer.sign(CLAIMS))).toEqual([200]);
    expect(issuer.reads).toBe(3);
    issuer.failure = null;
    issuer.keys = [second];
    resolve();
    // The answer is read beside the requests.
    await delay(0);
    expect((await outcome(await issuer.sign(CLAIMS, { by: first })))[0]).toBe(401);
    expect(await outcome(await issuer.sign(CLAIMS, { by: second }))).toEqual([200]);
  });

  test("that are no set of keys are as if they could not be read", async () => {
    const other = await oauthService(async () => "<html>");
    const one = await other.client();
    await addClientTrust(other.ports, one, { ...trust, createdBy: "ann" });
    const { status } = await other.send({
      grant_type: "client_credentials",
      client_id: one.clientId,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await issuer.sign(CLAIMS),
    });
    expect(status).toBe(503);
  });
});

describe("a trust", () => {
  test.each<readonly [string, Partial<NewTrust>, string]>([
    ["without issuer", { issuer: "" }, "invalid"],
    ["with a subject of two lines", { subject: "a\nb" }, "invalid"],
    ["with an audience of 513 characters", { audience: "a".repeat(513) }, "invalid"],
    ["with keys in a file", { jwksUri: "file:///etc/keys" }, "invalid"],
    ["with a password in the address of its keys", { jwksUri: "https://a:b@id.example/keys" }, "invalid"],
    ["with an address that is none", { jwksUri: "keys" }, "invalid"],
  ])("%s is refused", async (_name, of, code) => {
    await expect(trusted(of)).rejects.toMatchObject({ code });
  });

  test("of a client with the same claims is refused, where its keys were not looked at", async () => {
    await expect(trusted({ jwksUri: "https://id.example/other" })).rejects.toMatchObject({
      code: "exists",
      message: expect.stringContaining(trust.id),
    });
    await trusted({ claim: "azp" });
  });

  test("for access tokens with the same claims is refused", async () => {
    await trusted({ purpose: "access-token" });
    await expect(trusted({ purpose: "access-token" }, await service.client())).rejects.toMatchObject({
      code: "exists",
    });
  });
});
