import { setTimeout as delay } from "node:timers/promises";
import { addClientTrust, changeClient, createTenant, deleteClient } from "@scim/tenancy";
import { describe, expect, test } from "vitest";
import { ENGINES } from "../over-http/engines.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { administer, askForToken, makeClient } from "./clients.ts";
import { startIssuer } from "./oidc-issuer.ts";

const [SQLITE] = ENGINES;
const GRANT = { grant_type: "client_credentials" };

/** Longer than what was revoked may be good for. */
const SOON_MS = 1000;

async function tokenOf(asked: Promise<WireAnswer>): Promise<string> {
  const { status, body } = await asked;
  expect([status, body["error_description"]]).toEqual([200, undefined]);
  return String(body["access_token"]);
}

async function statusOf(origin: string, authorization: string, path = "/scim/v2/Users"): Promise<number> {
  return (await exchange(origin, { method: "GET", path, headers: { authorization } })).status;
}

async function newDatabase(of = SQLITE): Promise<Readonly<Record<string, string>>> {
  if (of === undefined) throw new TypeError("There is no database.");
  return { ...(await of.make()).environment, SCIM_OAUTH_PRIVATE_ISSUERS: "allow", SCIM_LOG_LEVEL: "silent" };
}

describe.each(ENGINES)("clients on $name", (engine) => {
  test("get tokens that every process takes, until the client is suspended or deleted", async () => {
    const environment = await newDatabase(engine);
    const [one, two] = [await startInProcess(environment), await startInProcess(environment)];
    const ports = await administer(environment);
    const client = await makeClient(ports, { scopes: ["scim:read"] });
    const deleted = await makeClient(ports);
    const pair = Buffer.from(`${client.clientId}:${client.secret}`).toString("base64");
    const first = await tokenOf(askForToken(one.origin, GRANT, { authorization: `Basic ${pair}` }));
    const second = await tokenOf(
      askForToken(two.origin, { ...GRANT, client_id: deleted.clientId, client_secret: deleted.secret }),
    );
    const statuses = async (): Promise<readonly number[]> => [
      await statusOf(two.origin, `Bearer ${first}`),
      await statusOf(one.origin, `bearer ${second}`),
      // Okta's header mode: the bare value.
      await statusOf(one.origin, second),
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    const written = await exchange(one.origin, {
      method: "POST",
      path: "/scim/v2/Users",
      headers: { authorization: `Bearer ${first}` },
      body: "{}",
    });
    expect(written.status).toBe(403);
    const mistyped = await askForToken(
      one.origin,
      { ...GRANT, scope: "scim:read:Users" },
      { authorization: `Basic ${pair}` },
    );
    expect(mistyped.body).toEqual({
      error: "invalid_scope",
      error_description: "A scope names a resource type that there is not; there are: User, Group.",
    });
    await changeClient(ports, { ...client, expected: null }, { state: "suspended" });
    await deleteClient(ports, { ...deleted, expected: null });
    await delay(SOON_MS);
    expect(await statuses()).toEqual([401, 401, 401]);
    await changeClient(ports, { ...client, expected: null }, { state: "active" });
    expect(await statuses()).toEqual([200, 401, 401]);
  });

  test("use an assertion of a real issuer once, on whichever process, also when its key changes", async () => {
    const environment = await newDatabase(engine);
    const [one, two] = [await startInProcess(environment), await startInProcess(environment)];
    const ports = await administer(environment);
    const [issuer, other] = [await startIssuer(), await startIssuer()];
    const [client, neighbour] = [await makeClient(ports), await makeClient(ports)];
    const trust = { purpose: "assertion", audience: "api://scim", createdBy: "test" } as const;
    await addClientTrust(ports, client, {
      ...trust,
      issuer: issuer.issuer,
      jwksUri: issuer.jwksUri,
      subject: issuer.subject,
    });
    await addClientTrust(ports, neighbour, {
      ...trust,
      issuer: other.issuer,
      jwksUri: other.jwksUri,
      subject: other.subject,
    });
    const send = async (origin: string, assertion: string): Promise<readonly unknown[]> => {
      const { status, body } = await askForToken(origin, {
        ...GRANT,
        client_id: client.clientId,
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: assertion,
      });
      return [status, body["error"]];
    };
    const assertion = await issuer.token("api://scim");
    expect(await send(one.origin, assertion)).toEqual([200, undefined]);
    expect(await send(two.origin, assertion)).toEqual([401, "invalid_client"]);
    expect(await send(one.origin, await issuer.token("api://other"))).toEqual([401, "invalid_client"]);
    expect(await send(one.origin, await other.token("api://scim"))).toEqual([401, "invalid_client"]);
    await issuer.rotate();
    const rotated = await issuer.token("api://scim");
    // The second process read the keys for the first time above, with the assertion that was used before.
    expect(issuer.reads()).toBe(2);
    const later = await startInProcess(environment);
    expect(await send(later.origin, rotated)).toEqual([200, undefined]);
  });
});

describe("Entra's workload identity", () => {
  test("is served byte for byte: the token request, its answer and the request behind it", async () => {
    const environment = await newDatabase();
    const server = await startInProcess(environment);
    const ports = await administer(environment);
    await createTenant(ports, { tenant: "contoso" });
    const client = await makeClient(ports, { tenant: "contoso" });
    const issuer = await startIssuer();
    const audience = "api://b5ba7a93-4452-4522-aeb4-a2b5da870c16";
    await addClientTrust(ports, client, {
      purpose: "assertion",
      issuer: issuer.issuer,
      jwksUri: issuer.jwksUri,
      // As the portal shows it.
      audience: `${audience}/.default`,
      subject: issuer.subject,
      createdBy: "test",
    });
    const answer = await askForToken(
      server.origin,
      `grant_type=client_credentials&client_id=${client.clientId}` +
        "&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer" +
        `&client_assertion=${await issuer.token(audience)}&scope=scim`,
    );
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      "content-type": "application/json; charset=utf-8",
    });
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^scim_contoso_[\w-]{43}$/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "scim",
    });
    const authorization = `Bearer ${String(answer.body["access_token"])}`;
    const filter = "?filter=userName+eq+%22john.doe%40contoso.com%22";
    const listed = await exchange(server.origin, {
      method: "GET",
      path: `/scim/v2/Users${filter}`,
      headers: { authorization },
    });
    expect([listed.status, listed.body["totalResults"]]).toEqual([200, 0]);
    expect(await statusOf(server.origin, authorization, "/scim/contoso/v2/Users")).toBe(200);
    expect(await statusOf(server.origin, authorization, "/scim/default/v2/Users")).toBe(404);
  });
});

describe("the addresses of OAuth", () => {
  test("refuse what is no request for a token, and repeat nothing of it in a header", async () => {
    const { origin } = await startInProcess(await newDatabase());
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const path = "/oauth2/token";
    const long = await askForToken(origin, {
      ...GRANT,
      client_id: "a",
      client_assertion: "x".repeat(100_000),
    });
    expect([long.status, long.body["error"]]).toEqual([413, "invalid_request"]);
    for (const method of ["GET", "PUT", "DELETE"]) {
      const { status, headers } = await exchange(origin, { method, path });
      expect([method, status, headers.allow]).toEqual([method, 405, "POST"]);
    }
    const json = await exchange(origin, {
      method: "POST",
      path,
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect([json.status, json.body["error"]]).toEqual([400, "invalid_request"]);
    expect((await exchange(origin, { method: "POST", path })).body["error"]).toBe("invalid_request");
    const query = `${path}?grant_type=client_credentials&client_id=a&client_secret=b`;
    expect(
      (await exchange(origin, { method: "POST", path: query, headers: type, body: "" })).body["error"],
    ).toBe("invalid_request");
    const injected = await askForToken(
      origin,
      "grant_type=client_credentials&client_id=a%0d%0aX-Injected:%20b&client_secret=c%0d%0aX-Injected:%20d",
    );
    expect([injected.status, injected.headers["x-injected"]]).toEqual([401, undefined]);
    expect(injected.headers["www-authenticate"]).toBe('Basic realm="scim"');
    expect(injected.text).not.toContain("Injected");
  });

  test("R8414-2-01 R8414-3-01 R9728-01 tell by themselves what there is", async () => {
    const started = await startInProcess({ ...(await newDatabase()), SCIM_MOUNTS: "/old=default" });
    const { origin } = started;
    const get = (path: string): Promise<WireAnswer> => exchange(origin, { method: "GET", path });
    const server = await get("/.well-known/oauth-authorization-server");
    expect(server.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(server.body).toMatchObject({
      issuer: origin,
      authorization_endpoint: `${origin}/oauth2/authorize`,
      token_endpoint: `${origin}/oauth2/token`,
      grant_types_supported: ["client_credentials"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "private_key_jwt"],
    });
    expect(server.body["scopes_supported"]).toContain("scim:read");
    expect(server.body["scopes_supported"]).not.toContain("admin");
    // Required, also where there is none (RFC 8414 §2); what else has no elements is left out (§3.2).
    const { response_types_supported: responseTypes, ...others } = server.body;
    expect(responseTypes).toEqual([]);
    for (const value of Object.values(others)) expect(value).not.toEqual([]);
    for (const path of ["", "/scim/v2", "/scim/acme/v2"]) {
      expect((await get(`/.well-known/oauth-protected-resource${path}`)).body).toMatchObject({
        resource: `${origin}${path}`,
        authorization_servers: [origin],
        bearer_methods_supported: ["header"],
      });
    }
    for (const path of ["/scim/v2", "/scim/acme/v2"]) {
      const challenge = (await get(`${path}/Users`)).headers["www-authenticate"];
      const named =
        /resource_metadata="(?<address>[^"]+)"/.exec(String(challenge))?.groups?.["address"] ?? "";
      expect((await get(named.slice(origin.length))).body).toMatchObject({ resource: `${origin}${path}` });
    }
    // An address of old has none, nor has one that names no tenant.
    for (const path of ["/old/Users", "/scim/A%22b/v2/Users"]) {
      const { status, headers } = await get(path);
      expect([status, headers["www-authenticate"]]).toEqual([401, 'Bearer realm="scim"']);
    }
    expect((await get("/.well-known/oauth-protected-resource/scim/..%2f..%2fx/v2")).status).toBe(404);
    const config = await started.call("GET", "/ServiceProviderConfig");
    const schemes = config.body["authenticationSchemes"];
    expect(Array.isArray(schemes) && schemes.map((scheme) => [scheme["type"], scheme["primary"]])).toEqual([
      ["oauthbearertoken", true],
      ["oauth2", undefined],
    ]);
  });

  test("R8414-3-01 R9728-01 tell it behind the path of the public address too, and where a proxy takes that away", async () => {
    const issuer = "https://id.example/mcp";
    const { origin } = await startInProcess({ ...(await newDatabase()), SCIM_BASE_URL: issuer });
    for (const [path, told] of [
      ["/oauth-authorization-server/mcp", { issuer, token_endpoint: `${issuer}/oauth2/token` }],
      ["/oauth-authorization-server", { issuer }],
      ["/oauth-protected-resource/mcp/scim/acme/v2", { resource: `${issuer}/scim/acme/v2` }],
      ["/oauth-protected-resource/scim/acme/v2", { resource: `${issuer}/scim/acme/v2` }],
      ["/oauth-protected-resource/mcp/mcp", { resource: `${issuer}/mcp` }],
    ] as const) {
      const { status, body } = await exchange(origin, { method: "GET", path: `/.well-known${path}` });
      expect([path, status, body]).toEqual([path, 200, expect.objectContaining(told)]);
    }
  });
});
