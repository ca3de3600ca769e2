import { describe, expect, test } from "vitest";
import { idOfGiven } from "../../src/credentials/start-tokens.ts";
import { eventually } from "../eventually.ts";
import { clientOf } from "../over-http/client.ts";
import { ENGINES, SECRET_KEYS } from "../over-http/engines.ts";
import { textMember } from "../over-http/exchange.ts";
import { ADMIN_TOKEN, startAdministered } from "./admin-client.ts";
import { startAdministration, type Administration } from "./administering.ts";

const ERASURE = { tenant: "acme", subject: "s".repeat(43), key: "x", at: "2026-11-22T00:00:00.000Z" };
const IN_MEMORY = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_SECRET_KEYS: SECRET_KEYS };
const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

/** A client of a tenant, by a token that was just made. */
const clientWith = ({ origin }: Administration, token: string) =>
  clientOf({ origin, base: "/scim/v2", token });

describe.each(ENGINES)("administration on $name", (engine) => {
  test("a tenant is made, changed, suspended and deleted, and its clients notice within a second", async () => {
    const database = await engine.make();
    const server = await startAdministration(database.environment);
    const made = await server.send("POST", "/tenants", { body: { tenant: "acme", displayName: "Acme" } });
    expect(made.status).toBe(201);
    expect(made.headers).toMatchObject({
      location: "tenants/acme",
      etag: `W/"${String(made.body["revision"])}"`,
      "cache-control": "no-store",
    });
    expect(made.body).toMatchObject({ tenant: "acme", displayName: "Acme", state: "active" });

    const acme = clientWith(server, await server.tenantToken("acme"));
    const { path } = await acme.user({ userName: "anna" });
    const suspended = await server.send("PATCH", "/tenants/acme", {
      body: { state: "suspended" },
      match: made.body,
    });
    expect(suspended.body).toMatchObject({ state: "suspended", displayName: "Acme" });
    await eventually(async () => expect((await acme.call("GET", path)).status).toBe(401));
    const { body: active } = await server.send("PATCH", "/tenants/acme", {
      body: { state: "active" },
      match: suspended.body,
    });
    expect((await acme.call("GET", path)).status).toBe(200);

    const early = await server.send("DELETE", "/tenants/acme?exported=true", { match: active });
    expect(early.status).toBe(409);
    expect(early.body).toMatchObject({
      schemas: [ERROR],
      status: "409",
      detail: expect.stringContaining("Suspend the tenant"),
    });
    const { body: again } = await server.send("PATCH", "/tenants/acme", {
      body: { state: "suspended" },
      match: active,
    });
    expect((await server.send("DELETE", "/tenants/acme", { match: again })).body).toMatchObject({
      detail: expect.stringContaining("Export"),
    });
    const gone = await server.send("DELETE", "/tenants/acme?exported=true", { match: again });
    expect(gone.status).toBe(200);
    expect(gone.body).toMatchObject({ tenant: "acme", removed: expect.any(Number) });
    expect((await server.send("GET", "/tenants/acme")).body).toMatchObject({ state: "deleted" });
    expect((await acme.call("GET", path)).status).toBe(401);
    expect(await database.query("SELECT * FROM resources")).toEqual([]);
    expect((await server.send("POST", "/tenants", { body: { tenant: "acme" } })).status).toBe(409);
  });

  test("tenants are listed page by page", async () => {
    const server = await startAdministration((await engine.make()).environment);
    for (const tenant of ["c", "a", "b"]) await server.make("/tenants", { tenant });
    const names = async (query: string) => {
      const { body } = await server.send("GET", `/tenants${query}`);
      return body;
    };
    expect(await names("?limit=2")).toMatchObject({ tenants: [{ tenant: "a" }, { tenant: "b" }], next: "b" });
    expect(await names("?limit=2&after=b")).toMatchObject({
      tenants: [{ tenant: "c" }, { tenant: "default" }],
      next: null,
    });
  });

  test("a connection has profile, switches and rate, and takes its tokens along", async () => {
    const server = await startAdministration((await engine.make()).environment);
    await server.make("/tenants", { tenant: "acme" });
    const at = "/tenants/acme/connections";
    const made = await server.make(at, {
      connection: "okta",
      profile: "strict",
      switches: ["bare-token"],
      rate: { perSecond: 1, burst: 2 },
    });
    expect(made).toMatchObject({
      connection: "okta",
      profile: "strict",
      switches: ["bare-token"],
    });
    const token = textMember(await server.make(`${at}/okta/tokens`, { name: "Okta" }), "token");
    const okta = clientWith(server, token);
    // An unknown attribute is refused by the profile of this connection alone.
    const body = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "a", shoeSize: 43 };
    expect((await okta.call("POST", "/Users", { body })).status).toBe(400);
    const changed = await server.send("PATCH", `${at}/okta`, { body: { profile: "tolerant" }, match: "*" });
    expect(changed.body).toMatchObject({ profile: "tolerant", switches: ["bare-token"] });

    expect((await server.send("GET", at)).body).toMatchObject({
      connections: [{ connection: "default" }, { connection: "okta", rate: { perSecond: 1, burst: 2 } }],
    });
    expect((await server.send("DELETE", `${at}/okta`, { match: changed.body })).status).toBe(204);
    expect((await server.send("GET", `${at}/okta`)).status).toBe(404);
    await eventually(async () => expect((await okta.call("GET", "/Users")).status).toBe(401));
  });

  test("profiles are listed, and a connection tells which switches it has on, and why", async () => {
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_SWITCHES: "-string-booleans" };
    const server = await startAdministration(environment);
    const { body } = await server.send("GET", "/profiles?after=strict");
    expect(body).toEqual({
      profiles: [
        { name: "strict@2026-11", means: "strict@2026-11", switches: [] },
        expect.objectContaining({ name: "tolerant", means: "tolerant@2026-11" }),
        expect.objectContaining({ name: "tolerant@2026-11" }),
      ],
      next: null,
    });
    const does = expect.any(String);
    const flipped = await server.send("GET", "/profiles/strict,bare-token");
    expect(flipped.body).toEqual({ name: "strict@2026-11", switches: [{ name: "bare-token", does }] });
    const unknown = await server.send("GET", "/profiles/stric");
    expect([unknown.status, unknown.text]).toEqual([
      404,
      expect.stringContaining("There is no profile 'stric'"),
    ]);

    const all = "/tenants/default/connections";
    await server.make(all, { connection: "hr", switches: ["-bare-token"] });
    const switches = await server.send("GET", `${all}/hr/switches`);
    expect(switches.body).toMatchObject({
      profile: "tolerant@2026-11",
      switches: expect.arrayContaining([
        { name: "bare-token", does, on: false, by: "connection" },
        { name: "string-booleans", does, on: false, by: "settings" },
        { name: "string-numbers", does, on: true, by: "profile" },
      ]),
    });
    expect((await server.send("GET", `${all}/none/switches`)).status).toBe(404);
  });

  test("a token is shown once, listed without its text, and revoked within a second", async () => {
    const server = await startAdministration((await engine.make()).environment);
    await server.make("/tenants", { tenant: "acme" });
    const at = "/tenants/acme/connections/default/tokens";
    const answer = await server.send("POST", at, {
      body: { name: "HR script", scopes: ["scim:read:User"], subject: "u1" },
    });
    expect(answer.status).toBe(201);
    const token = textMember(answer.body, "token");
    const id = textMember(answer.body, "id");
    expect(answer.headers.location).toBe(`tokens/${id}`);
    const hr = clientWith(server, token);
    expect((await hr.call("GET", "/Users")).status).toBe(200);
    expect((await hr.call("GET", "/Groups")).status).toBe(403);

    const listed = await server.send("GET", at);
    expect(listed.body).toMatchObject({
      tokens: [{ id, name: "HR script", scopes: ["scim:read:User"], subject: "u1", revoked: null }],
    });
    expect(listed.text).not.toContain(token.slice(-43));
    expect((await server.send("DELETE", `${at}/${id}`)).status).toBe(204);
    await eventually(async () => expect((await hr.call("GET", "/Users")).status).toBe(401));
    expect((await server.send("DELETE", `${at}/${id}`)).status).toBe(404);
    expect((await server.send("GET", `${at}/${id}`)).body).toMatchObject({ revoked: expect.any(String) });
    expect((await server.send("GET", `/tenants/acme/connections/other/tokens/${id}`)).status).toBe(404);
  });

  test("everything that is done is in the trail, with who did it", async () => {
    const server = await startAdministration((await engine.make()).environment);
    const operator = await server.administrator("operator");
    const made = await server.make("/tenants", { tenant: "acme" }, operator);
    await server.send("PATCH", "/tenants/acme", {
      body: { state: "suspended" },
      match: made,
      token: operator,
    });
    const id = textMember(await server.make("/tenants/acme/connections/default/tokens", {}), "id");
    await server.send("DELETE", `/tenants/acme/connections/default/tokens/${id}`);
    const entries = await eventually(async () => {
      const { body } = await server.send("GET", "/audit");
      expect(body["entries"]).toHaveLength(6);
      return body["entries"];
    });
    expect(entries).toMatchObject([
      { kind: "created", type: "Token", id: expect.stringMatching(/^admin\//) },
      { kind: "created", type: "Tenant", id: "acme", origin: { admin: "a operator", address: "127.0.0.1" } },
      { kind: "created", type: "Connection", id: "acme/default" },
      {
        kind: "replaced",
        type: "Tenant",
        changes: [{ path: "state", before: { value: "active" }, after: { value: "suspended" } }],
        origin: { admin: "a operator", request: expect.any(String), credential: expect.any(String) },
      },
      { kind: "created", type: "Token", id: `acme/${id}`, origin: { admin: idOfGiven(ADMIN_TOKEN) } },
      { kind: "replaced", type: "Token", changes: [{ path: "revoked" }] },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/scim_(?:acme|admin)_/);
  });
});

test("what no transaction holds is told when it begins and when it ends; what only reads is not", async () => {
  const server = await startAdministration(IN_MEMORY);
  await server.make("/tenants", { tenant: "acme" });
  const at = "/tenants/acme/webhooks";
  await server.send("POST", at, { body: { url: "nonsense" } });
  await server.send("GET", at);
  expect((await server.send("POST", "/tenants/acme/ada@example.com", { body: {} })).status).toBe(404);
  const url = "https://receiver.example/";
  const { id } = await server.make(at, { url });
  const erased = await server.send("DELETE", "/subjects/nobody?tenant=acme");
  expect(erased.status).toBe(404);
  const told = await eventually(async () => {
    const { body } = await server.send("GET", "/audit?since=2");
    expect(body["entries"]).toHaveLength(3);
    return body["entries"];
  });
  const request = { type: "Request", id: "/admin/v1/subjects/:id" };
  expect(told).toMatchObject([
    { type: "Webhook", kind: "created", id: `acme/${String(id)}`, origin: { admin: idOfGiven(ADMIN_TOKEN) } },
    { ...request, kind: "created", changes: [{ path: "method", after: { value: "DELETE" } }] },
    { ...request, kind: "replaced", changes: [{ path: "status", after: { value: 404 } }] },
  ]);
  expect(JSON.stringify(told)).toContain(url);
  expect(JSON.stringify(told)).not.toContain("whsec_");
});

test.each(["application/json", "application/scim+json", "application/merge-patch+json"])(
  "a request without a body may name the form of one: %s",
  async (type) => {
    const server = await startAdministered(IN_MEMORY);
    const headers = { "content-type": type };
    expect((await server.ask("POST", "/signing-keys/rotate", headers)).status).toBe(201);
    expect(await server.ask("DELETE", "/admins/none", headers)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining("There is no administrator 'none'.") },
    });
  },
);

describe("refusals", () => {
  test.each(["text/html", "text/plain"])(
    "of a body that is no JSON tell what it may be: %s",
    async (type) => {
      const server = await startAdministration(IN_MEMORY);
      const call = { body: "{}", headers: { "content-type": type } };
      const answer = await server.send("POST", "/signing-keys/rotate", call);
      expect(answer).toMatchObject({ status: 415, body: { detail: "Send the body as application/json." } });
      expect(answer.headers.accept).toContain("application/json");
    },
  );

  test("of changes without a version, and of another version", async () => {
    const server = await startAdministration(IN_MEMORY);
    await server.make("/tenants", { tenant: "acme" });
    for (const [method, path, body] of [
      ["PATCH", "/tenants/acme", { displayName: "A" }],
      ["DELETE", "/tenants/acme?exported=true", undefined],
      ["PATCH", "/tenants/acme/connections/default", { state: "suspended" }],
      ["DELETE", "/tenants/acme/connections/default", undefined],
    ] as const) {
      const of = body === undefined ? {} : { body };
      const address = path.split("?", 1)[0] ?? "";
      const { body: present, headers: tagged } = await server.send("GET", address);
      const currentVersion = String(present["revision"]);
      expect(tagged.etag).toBe(`W/"${currentVersion}"`);
      const without = await server.send(method, path, of);
      expect([method, path, without.status]).toEqual([method, path, 428]);
      expect(without).toMatchObject({ headers: { etag: tagged.etag }, body: { currentVersion } });
      const other = await server.send(method, path, { ...of, match: 'W/"7", "8"' });
      expect(other.status).toBe(412);
      expect(other.headers.etag).toBe(tagged.etag);
      expect(other.body).toMatchObject({
        schemas: [ERROR],
        currentVersion,
        expectedVersion: ["7", "8"],
      });
      expect((await server.send(method, path, { ...of, match: "W/" })).status).toBe(400);
    }
    const { headers } = await server.send("GET", "/tenants/acme");
    const known = { "if-none-match": String(headers.etag) };
    expect((await server.send("GET", "/tenants/acme", { headers: known })).status).toBe(304);
  });

  test("name what is wrong, and are SCIM Errors", async () => {
    const server = await startAdministration(IN_MEMORY);
    await server.make("/tenants", { tenant: "acme" });
    const at = "/tenants/acme/connections";
    const erasures = "/tenants/acme/erasures";
    for (const [method, path, body, status, detail] of [
      ["POST", "/tenants", { tenant: "a.b" }, 400, "cannot name a tenant"],
      ["POST", "/tenants", { tenant: "../etc" }, 400, "cannot name a tenant"],
      ["POST", "/tenants", { tenant: "ácme" }, 400, "cannot name a tenant"],
      ["POST", "/tenants", { tenant: "admin" }, 400, "cannot name a tenant"],
      ["POST", "/tenants", { tenant: 7 }, 400, "'tenant': it must be text"],
      ["POST", "/tenants", {}, 400, "'tenant' is missing"],
      ["POST", "/tenants", { tenant: "b", __proto_: 1 }, 400, "no member '__proto_'"],
      ["POST", "/tenants", { tenant: "acme" }, 409, "There is a tenant 'acme'"],
      ["POST", "/tenants", "[]", 400, "must be a JSON object"],
      ["POST", "/tenants", "{", 400, "JSON"],
      ["POST", "/tenants", "null", 400, "must be a JSON object"],
      ["POST", "/tenants", '{"__proto__": {}}', 400, "no member '__proto__'"],
      ["POST", "/tenants", '{"tenant":"b","tenant":"c"}', 400, 'member "tenant" occurs twice'],
      ["POST", "/tenants", String.raw`{"tenant":"b","displayName":"\ud800"}`, 400, "surrogate pair"],
      ["POST", "/tenants", { tenant: "x".repeat(8193) }, 400, "'tenant': it must be text of at most 8192"],
      ["POST", "/tenants", "[".repeat(1000), 400, "deeper than 64 levels"],
      ["POST", "/webhooks/none/test", { url: "x" }, 400, "no member 'url' here; there are none."],
      ["POST", "/tenants/acme/deleted/User/x/restore", "[]", 400, "must be a JSON object"],
      ["POST", "/tenants", '{"constructor": 1}', 400, "no member 'constructor'"],
      ["GET", "/tenants?limit=0", undefined, 400, "'limit'"],
      ["GET", "/tenants/nowhere", undefined, 404, "no tenant 'nowhere'"],
      ["GET", "/tenants/a.b", undefined, 404, "no such tenant"],
      ["GET", "/tenants/..%2facme", undefined, 404, "no such tenant"],
      ["GET", "/tenants/admin", undefined, 404, "no such tenant"],
      ["POST", at, { connection: "a/b" }, 400, "cannot name a connection"],
      ["POST", at, { connection: "b", profile: "loose" }, 400, "'profile': it must be one of"],
      ["POST", at, { connection: "b", switches: ["x"] }, 400, "There is no switch 'x'"],
      ["POST", at, { connection: "b", rate: { perSecond: 1 } }, 400, "'rate'"],
      ["POST", at, { connection: "b", rate: { perSecond: 0, burst: 1 } }, 400, "A rate is at least 0.001"],
      ["POST", "/tenants/nowhere/connections", { connection: "b" }, 404, "no tenant"],
      [
        "POST",
        `${at}/default/tokens`,
        { scopes: ["all"] },
        400,
        "scim:bulk, scim:diagnostics, and scim:read:User and the like",
      ],
      ["POST", `${at}/default/tokens`, { scopes: ["admin"] }, 400, "those of administrators"],
      ["POST", `${at}/default/tokens`, { expires: "2001-01-01" }, 400, "in the future"],
      ["POST", `${at}/default/tokens`, { expires: "2099-02-30" }, 400, "'expires': it must be an instant"],
      ["POST", `${at}/default/tokens`, { expires: 4070908800 }, 400, "'expires': it must be an instant"],
      ["GET", "/tenants/acme/requests?since=5", undefined, 400, "'since' is a span such as 15m"],
      ["GET", "/tenants/acme/deleted?before=2026-02-30", undefined, 400, "'before' is a span"],
      ["POST", `${at}/default/tokens`, { imported: { scheme: "md5", hash: "x" } }, 400, "'imported'"],
      ["POST", `${at}/default/tokens`, { imported: { scheme: "sha256", hash: "x" } }, 400, "64 hexadecimal"],
      ["POST", `${at}/none/tokens`, {}, 404, "no connection 'none'"],
      ["POST", "/admins", { name: "x", role: "king" }, 400, "'role': it must be one of"],
      ["POST", "/admins", { name: "x", role: "tenant-admin" }, 400, "one 'tenant'"],
      ["POST", "/admins", { name: "x", role: "owner", tenant: "acme" }, 400, "one 'tenant'"],
      ["POST", "/admins", { name: "x", role: "tenant-admin", tenant: "none" }, 404, "no tenant"],
      ["DELETE", "/admins/none", undefined, 404, "There is no administrator 'none'."],
      [
        "GET",
        `/tenants/acme/schemas/urn:${"x".repeat(500)}`,
        undefined,
        404,
        "Tenant 'acme' has no document",
      ],
      [
        "DELETE",
        `/tenants/acme/subjects/${"x".repeat(128)}`,
        undefined,
        404,
        "Nothing is kept of this subject",
      ],
      ["POST", erasures, {}, 400, "'erasures' is missing"],
      ["POST", erasures, { erasures: {} }, 400, "'erasures': it must be a list"],
      ["POST", erasures, { erasures: [ERASURE, null] }, 400, "entry 2 must be"],
      ["POST", erasures, { erasures: [{ ...ERASURE, tenant: "default" }] }, 400, "entry 1 must be"],
      ["POST", erasures, { erasures: [{ ...ERASURE, at: "2099" }] }, 400, "entry 1 must be"],
      ["POST", erasures, { erasures: [{ ...ERASURE, subject: "ann" }] }, 400, "entry 1 must be"],
      ["POST", erasures, { erasures: [ERASURE] }, 400, "key 'x', which is not among the secret keys"],
      ["GET", "/tenants/nowhere/erasures", undefined, 404, "no tenant 'nowhere'"],
      ["GET", "/nothing", undefined, 404, "nothing at this address"],
    ] as const) {
      const answer = await server.send(method, path, body === undefined ? {} : { body });
      expect([method, path, body, answer.status]).toEqual([method, path, body, status]);
      expect(answer.body).toMatchObject({ schemas: [ERROR], status: String(status) });
      expect(answer.body["detail"]).toContain(detail);
    }
  });
});
