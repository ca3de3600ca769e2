import { ScimError } from "@scim/schemas";
import { beforeEach, describe, expect, test } from "vitest";
import {
  addClientSecret,
  changeClient,
  changeConnection,
  changeTenant,
  deleteClient,
  revokeClientSecret,
} from "../../src/index.ts";
import { basic, type MadeClient, type OAuthService, oauthService, type Sent } from "./oauth-service.ts";

let service: OAuthService;
let client: MadeClient;
beforeEach(async () => {
  service = await oauthService();
  client = await service.client();
});

const GRANT = { grant_type: "client_credentials" };

/** Gets an access token, by a secret in the body. */
async function token(of: MadeClient = client, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, body } = await service.send({
    ...GRANT,
    client_id: of.clientId,
    client_secret: of.secret,
    ...more,
  });
  expect([status, body["error"]]).toEqual([200, undefined]);
  return String(body["access_token"]);
}

async function isGood(text: string): Promise<boolean> {
  return (await service.authenticate(text, null)) !== null;
}

describe("an access token", () => {
  test("is given for a secret, as RFC 6749 §5.1 words it", async () => {
    const { status, headers, body } = await service.send(GRANT, {
      authorization: basic(client.clientId, client.secret),
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-type": "application/json; charset=utf-8",
    });
    expect(body).toEqual({
      access_token: expect.stringMatching(/^scim_acme_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "scim",
    });
    expect(await service.authenticate(String(body["access_token"]), null)).toMatchObject({
      tenant: "acme",
      connection: "default",
      credential: client.id,
      scopes: new Set(["scim"]),
      subject: null,
    });
    expect(service.records).toEqual([
      {
        requestId: "r1",
        status: 200,
        client: expect.objectContaining({ id: client.id }),
        claimed: client.clientId,
        error: null,
        durationMs: 0,
      },
    ]);
  });

  test("ends when its time is over", async () => {
    const short = await service.client({ tokenLifetime: 600 });
    const text = await token(short);
    service.now += 599_000;
    expect(await isGood(text)).toBe(true);
    service.now += 1000;
    expect(await isGood(text)).toBe(false);
  });

  test.each([
    [
      "its client is suspended",
      () => changeClient(service.ports, { ...client, expected: null }, { state: "suspended" }),
    ],
    ["its client is deleted", () => deleteClient(service.ports, { ...client, expected: null })],
    [
      "its secret is revoked",
      () => revokeClientSecret(service.ports, { tenant: "acme", client: client.id, id: client.secretId }),
    ],
    [
      "its connection is suspended",
      () =>
        changeConnection(
          service.ports,
          { tenant: "acme", connection: "default", expected: null },
          { state: "suspended" },
        ),
    ],
    [
      "its tenant is suspended",
      () => changeTenant(service.ports, { tenant: "acme", expected: null }, { state: "suspended" }),
    ],
  ])("is refused from the moment that %s, and no other is given", async (_what, stop) => {
    const text = await token();
    expect(await isGood(text)).toBe(true);
    await stop();
    expect(await isGood(text)).toBe(false);
    const again = await service.send({ ...GRANT, client_id: client.clientId, client_secret: client.secret });
    expect([again.status, again.body["error"]]).toEqual([401, "invalid_client"]);
  });

  test.each([
    ["scim", ["scim:read"], ["scim:read"]],
    ["scim", ["scim:read:User", "scim:write"], ["scim:read:User", "scim:write"]],
    ["scim:read scim:write", ["scim:read:User", "scim:delete"], ["scim:read:User"]],
    ["scim:read:User", ["scim:read"], ["scim:read:User"]],
    ["scim:read:User scim:write", ["scim:read:Group"], []],
  ] as const)("for %j of a client that has %j left keeps %j", async (scope, left, kept) => {
    const text = await token(client, { scope });
    await changeClient(service.ports, { ...client, expected: null }, { scopes: left });
    expect((await service.authenticate(text, null))?.scopes).toEqual(new Set(kept));
  });

  test("is no token of another tenant: only the tenant that it names is asked", async () => {
    const text = await token();
    expect(await isGood(text.replace("scim_acme_", "scim_other_"))).toBe(false);
  });
});

describe("R7644-2.1-01 scopes", () => {
  test.each([
    [["scim"], null, "scim"],
    [["scim:read", "scim:write"], null, "scim:read scim:write"],
    [["scim"], "scim:read", "scim:read"],
    [["scim"], "scim:read:User scim:read:User", "scim:read:User"],
    [["scim:read"], "scim", "scim:read"],
    [["scim:read"], "scim:read:Group", "scim:read:Group"],
    [["scim:read:User", "scim:write"], "scim", "scim:read:User scim:write"],
    [["scim:read"], "scim:write", "invalid_scope"],
    [["scim"], "admin", "invalid_scope"],
    [["scim"], "scim.readwrite", "invalid_scope"],
    [["scim"], "scim __proto__", "invalid_scope"],
    [["scim"], "openid", "invalid_scope"],
    [["scim"], "scim:raed", "invalid_scope"],
    [["scim:read"], "scim:read:User:all", "invalid_scope"],
    [["scim"], "scim:bulk:User", "invalid_scope"],
    [["scim"], "scim:read:Users", "invalid_scope"],
    [["scim:read"], "scim:read:Group scim:read:group", "invalid_scope"],
    [["scim:read:User"], "scim:read:UserGroup", "invalid_scope"],
    [["scim"], "scim ".repeat(50).trim(), "scim"],
    [["scim"], "scim ".repeat(51).trim(), "invalid_scope"],
  ] as const)("of a client with %j that asks for %j: %s", async (scopes, scope, outcome) => {
    const one = await service.client({ scopes });
    const { status, body } = await service.send({
      ...GRANT,
      client_id: one.clientId,
      client_secret: one.secret,
      ...(scope === null ? {} : { scope }),
    });
    expect(status === 200 ? body["scope"] : body["error"]).toBe(outcome);
    expect(status).toBe(outcome === "invalid_scope" ? 400 : 200);
  });

  test("of a client stay where a resource type that they name has gone, and no other is given for it", async () => {
    const one = await service.client({ scopes: ["scim:read:Group", "scim:write"] });
    service.types = ["User"];
    const asking = (scope: string) =>
      service.send({ ...GRANT, client_id: one.clientId, client_secret: one.secret, scope });
    expect((await asking("")).body["scope"]).toBe("scim:read:Group scim:write");
    expect((await asking("scim:read:Group")).body["scope"]).toBe("scim:read:Group");
    expect((await asking("scim:write:Group")).body["error"]).toBe("invalid_scope");
  });
});

interface Refusal {
  readonly name: string;
  readonly form: (client: MadeClient) => string | Readonly<Record<string, string>>;
  readonly sent?: (client: MadeClient) => Sent;
  readonly error: string;
}

const secretOf = ({ clientId, secret }: MadeClient): Record<string, string> => ({
  client_id: clientId,
  client_secret: secret,
});

const REFUSALS: readonly Refusal[] = [
  { name: "no body", form: () => "", error: "invalid_request" },
  { name: "no grant", form: secretOf, error: "invalid_request" },
  { name: "an empty grant", form: (of) => ({ ...secretOf(of), grant_type: "" }), error: "invalid_request" },
  {
    name: "another grant",
    form: (of) => ({ ...secretOf(of), grant_type: "password" }),
    error: "unsupported_grant_type",
  },
  {
    name: "a grant whose name goes on",
    form: (of) => ({ ...secretOf(of), grant_type: "client_credentials_" }),
    error: "unsupported_grant_type",
  },
  {
    name: "a JWT as a grant",
    form: (of) => ({ ...secretOf(of), grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer" }),
    error: "unsupported_grant_type",
  },
  { name: "no client", form: () => GRANT, error: "invalid_client" },
  {
    name: "a secret without client",
    form: ({ secret }) => ({ ...GRANT, client_secret: secret }),
    error: "invalid_request",
  },
  {
    name: "a client alone",
    form: ({ clientId }) => ({ ...GRANT, client_id: clientId }),
    error: "invalid_client",
  },
  {
    name: "a wrong secret",
    form: (of) => ({ ...GRANT, ...secretOf(of), client_secret: `scimsecret_${"x".repeat(43)}` }),
    error: "invalid_client",
  },
  {
    name: "a token as a secret",
    form: (of) => ({ ...GRANT, ...secretOf(of), client_secret: `scim_acme_${"x".repeat(43)}` }),
    error: "invalid_client",
  },
  {
    name: "an unknown client",
    form: (of) => ({ ...GRANT, ...secretOf(of), client_id: "scimclient_acme_0" }),
    error: "invalid_client",
  },
  {
    name: "the client under another tenant",
    form: (of) => ({ ...GRANT, ...secretOf(of), client_id: of.clientId.replace("_acme_", "_other_") }),
    error: "invalid_client",
  },
  {
    name: "no client_id of ours",
    form: (of) => ({ ...GRANT, ...secretOf(of), client_id: "__proto__" }),
    error: "invalid_client",
  },
  {
    name: "a parameter twice",
    form: (of) => `${new URLSearchParams({ ...GRANT, ...secretOf(of) }).toString()}&scope=scim&scope=scim`,
    error: "invalid_request",
  },
  { name: "many parameters", form: () => "a&".repeat(60), error: "invalid_request" },
  {
    name: "Basic and body",
    form: (of) => ({ ...GRANT, ...secretOf(of) }),
    sent: ({ clientId, secret }) => ({ authorization: basic(clientId, secret) }),
    error: "invalid_request",
  },
  {
    name: "secret and assertion",
    form: (of) => ({ ...GRANT, ...secretOf(of), client_assertion: "a.b.c" }),
    error: "invalid_request",
  },
  {
    name: "Basic and another client_id",
    form: () => ({ ...GRANT, client_id: "scimclient_acme_0" }),
    sent: ({ clientId, secret }) => ({ authorization: basic(clientId, secret) }),
    error: "invalid_request",
  },
  {
    name: "an assertion without its type",
    form: ({ clientId }) => ({ ...GRANT, client_id: clientId, client_assertion: "a.b.c" }),
    error: "invalid_request",
  },
  {
    name: "an assertion without client_id",
    form: () => ({
      ...GRANT,
      client_assertion: "a.b.c",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    }),
    error: "invalid_request",
  },
  {
    name: "a bearer token",
    form: () => GRANT,
    sent: () => ({ authorization: "Bearer x" }),
    error: "invalid_client",
  },
  {
    name: "Basic that is no base64",
    form: () => GRANT,
    sent: () => ({ authorization: "Basic %%%" }),
    error: "invalid_client",
  },
  {
    name: "Basic without colon",
    form: () => GRANT,
    sent: () => ({ authorization: "Basic YWJj" }),
    error: "invalid_client",
  },
  {
    name: "Basic with line feeds",
    form: () => GRANT,
    sent: () => ({ authorization: basic("a\r\nset-cookie: x", "b\r\n") }),
    error: "invalid_client",
  },
  {
    name: "JSON",
    form: (of) => JSON.stringify({ ...GRANT, ...secretOf(of) }),
    sent: () => ({ contentType: "application/json" }),
    error: "invalid_request",
  },
  {
    name: "no media type",
    form: (of) => ({ ...GRANT, ...secretOf(of) }),
    sent: () => ({ contentType: undefined }),
    error: "invalid_request",
  },
];

describe("R7644-2-05 the token endpoint refuses", () => {
  test.each(REFUSALS)("$name: $error", async ({ form, sent, error }) => {
    const { status, headers, body } = await service.send(form(client), sent?.(client) ?? {});
    expect([status, body["error"]]).toEqual([error === "invalid_client" ? 401 : 400, error]);
    expect(headers["www-authenticate"]).toBe(error === "invalid_client" ? 'Basic realm="scim"' : undefined);
    expect(headers["cache-control"]).toBe("no-store");
    // RFC 6749 §5.2: printable ASCII but quotation mark and backslash.
    expect(body["error_description"]).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(service.records.at(-1)?.error?.code).toBe(error);
  });
});

describe("logs", () => {
  test.each<readonly [string, (of: MadeClient) => Readonly<Record<string, string>>, string]>([
    [
      "another form of client_id",
      (of) => ({ ...secretOf(of), client_id: "x" }),
      "The client_id is none of this service.",
    ],
    [
      "an unknown client",
      (of) => ({ ...secretOf(of), client_id: "scimclient_acme_0" }),
      "There is no such client.",
    ],
    [
      "a wrong secret",
      ({ clientId }) => ({ client_id: clientId, client_secret: "x" }),
      "The secret is none of the client's.",
    ],
  ])("are told of %s what strangers are not", async (_name, form, reason) => {
    const { body } = await service.send({ ...GRANT, ...form(client) });
    expect(body["error_description"]).toBe(
      "The client is not known, or what it proves itself with is not valid.",
    );
    expect(service.records.at(-1)?.error).toEqual({ code: "invalid_client", reason });
  });

  test("name the client that was claimed, in the form of ours alone", async () => {
    const claimed = async (clientId: string): Promise<string | null | undefined> => {
      await service.send({ ...GRANT, client_id: clientId, client_secret: "x" });
      return service.records.at(-1)?.claimed;
    };
    expect(await claimed(client.clientId)).toBe(client.clientId);
    expect(await claimed("Ann Example")).toBeNull();
  });

  test.each<readonly [string, Error, number, string]>([
    [
      "away",
      new ScimError("unavailable", "There is no connection to the database now."),
      503,
      "temporarily_unavailable",
    ],
    ["broken", new Error("disk I/O error"), 500, "server_error"],
  ])("are told why nobody was answered while the store is %s", async (_state, failure, status, error) => {
    service.stores.clients.findClient = () => Promise.reject(failure);
    const answer = await service.send({ ...GRANT, client_id: client.clientId, client_secret: client.secret });
    expect([answer.status, answer.body["error"]]).toEqual([status, error]);
    expect(JSON.stringify(answer.body)).not.toContain(failure.message);
    expect(service.records.at(-1)).toMatchObject({ status, failure, claimed: client.clientId });
  });
});

test.each(["Application/X-WWW-Form-URLEncoded", "application/x-www-form-urlencoded ; charset=utf-8"])(
  "a form is taken as %s",
  async (contentType) => {
    expect((await service.send({ ...GRANT, ...secretOf(client) }, { contentType })).status).toBe(200);
  },
);

describe("Basic", () => {
  test.each([
    ["percent-encoded", basic],
    [
      "not encoded",
      (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
    ],
    [
      "every character percent-encoded",
      (id: string, secret: string) => {
        const all = (text: string): string =>
          text.replaceAll(/./g, (one) => `%${Buffer.from(one).toString("hex")}`);
        return `basic  ${Buffer.from(`${all(id)}:${all(secret)}`).toString("base64")} `;
      },
    ],
  ])("is taken %s", async (_name, header) => {
    const sent = { authorization: header(client.clientId, client.secret) };
    expect((await service.send(GRANT, sent)).status).toBe(200);
    expect((await service.send({ ...GRANT, client_id: client.clientId }, sent)).status).toBe(200);
  });
});

describe("secrets", () => {
  test("several are good at once, each until it ends", async () => {
    const expires = new Date(service.now + 60_000).toISOString();
    const { text } = await addClientSecret(service.ports, client, { expires, createdBy: "ann" });
    const second = { ...client, secret: text };
    await token();
    await token(second);
    service.now += 60_000;
    await token();
    const { status, body } = await service.send({ ...GRANT, ...secretOf(second) });
    expect([status, body["error_description"]]).toEqual([401, "The secret is expired."]);
  });

  test("that ended take no access token along when another is made, until none that was given for them is good", async () => {
    const expires = new Date(service.now + 60_000).toISOString();
    const { text: secret } = await addClientSecret(service.ports, client, { expires, createdBy: "ann" });
    const given = await token({ ...client, secret });
    const add = (): Promise<unknown> => addClientSecret(service.ports, client, { createdBy: "ann" });
    service.now += 60_000;
    await add();
    expect(await service.authenticate(given, null)).toMatchObject({ credential: client.id });
    const ended = async (): Promise<number> =>
      (await service.stores.clients.listSecrets(client)).filter((each) => each.expires === expires).length;
    service.now += 21_600_000 - 1;
    await add();
    expect(await ended()).toBe(1);
    service.now += 1;
    await add();
    expect(await ended()).toBe(0);
  });

  test("are kept as keyed hashes alone, and show when they were used", async () => {
    await token();
    const [kept] = await service.stores.clients.listSecrets(client);
    expect(JSON.stringify(kept)).not.toContain(client.secret);
    expect(kept?.lastUsed).toBe(new Date(service.now).toISOString());
  });
});

describe("rates", () => {
  test("wrong secrets of one address and client are slowed down, and never the right one", async () => {
    const wrong = { ...GRANT, ...secretOf(client), client_secret: `scimsecret_${"x".repeat(43)}` };
    const statuses = [];
    for (let sent = 0; sent < 11; sent += 1) statuses.push((await service.send(wrong)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    const late = await service.send(wrong);
    expect([late.headers["retry-after"], late.body["error"]]).toEqual(["3", "invalid_client"]);
    expect(late.headers).toMatchObject({
      ratelimit: '"credentials";r=0;t=3',
      "ratelimit-policy": '"credentials";q=10;w=30',
    });
    await token();
    expect((await service.send(wrong, { address: "192.0.2.2" })).status).toBe(401);
    const other = await service.client();
    expect((await service.send({ ...wrong, client_id: other.clientId })).status).toBe(401);
  });

  test("a client that asks for tokens without end waits", async () => {
    for (let sent = 0; sent < 5; sent += 1) await token();
    const { status, headers } = await service.send({ ...GRANT, ...secretOf(client) });
    expect([status, headers["retry-after"]]).toEqual([429, "1"]);
    expect(headers).toMatchObject({
      ratelimit: '"requests";r=0;t=1',
      "ratelimit-policy": '"requests";q=5;w=5',
    });
    await token(await service.client());
  });
});
