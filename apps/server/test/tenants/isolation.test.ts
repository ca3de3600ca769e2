import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf, GROUP, PATCH_OP, USER, type Client, type Made } from "../over-http/client.ts";
import { resourcesOf } from "../over-http/exchange.ts";
import { startServer, type RunningServer } from "../over-http/server.ts";

let server: RunningServer;
let acme: Client;
let globex: Client;
let user: Made;
let group: Made;

beforeAll(async () => {
  server = await startServer();
  acme = clientOf(server);
  const token = await server.createToken("--tenant", "globex");
  globex = clientOf({ ...server, token });
  user = await acme.user({ userName: "shared", externalId: "x-1" });
  group = await acme.group({ displayName: "shared", members: [{ value: user.id, type: "User" }] });
});
afterAll(() => server.stop());

const found = async (client: Client, path: string) => resourcesOf((await client.call("GET", path)).body);

describe("R7644-6-02, R7644-6.1-01, R7643-9-02 a tenant does not see another's resources", () => {
  const rename = {
    schemas: [PATCH_OP],
    Operations: [{ op: "replace", path: "displayName", value: "taken" }],
  };
  const ID = /[0-9a-f-]{36}|never-was/g;

  test.each([
    ["GET", {}, {}],
    [
      "PUT",
      { body: { schemas: [USER], userName: "taken" } },
      { body: { schemas: [GROUP], displayName: "taken" } },
    ],
    ["PATCH", { body: rename }, { body: rename }],
    ["DELETE", {}, {}],
  ])("%s by id is the same 404 as for an id that never was", async (method, ofUser, ofGroup) => {
    for (const [made, options] of [
      [user, ofUser],
      [group, ofGroup],
    ] as const) {
      const others = await globex.call(method, made.path, options);
      const nobodys = await globex.call(method, made.path.replace(made.id, "never-was"), options);
      expect([others.status, nobodys.status]).toEqual([404, 404]);
      expect(others.text.replaceAll(ID, "ID")).toBe(nobodys.text.replaceAll(ID, "ID"));
    }
    expect((await acme.call("GET", user.path)).status).toBe(200);
    expect((await acme.call("GET", group.path)).body).toEqual(group.body);
  });

  test.each([
    "/Users",
    "/Groups",
    '/Users?filter=userName eq "shared"',
    '/Users?filter=externalId eq "x-1"',
    "/Users?filter=title pr or userName pr",
  ])("%s lists nothing of it", async (path) => {
    expect(await found(globex, path.replaceAll(" ", "%20"))).toEqual([]);
  });

  test("nor by the ids of its members", async () => {
    const byId = encodeURIComponent(`id eq "${user.id}"`);
    const byMember = encodeURIComponent(`members.value eq "${user.id}"`);
    expect(await found(globex, `/Users?filter=${byId}`)).toEqual([]);
    expect(await found(globex, `/Groups?filter=${byMember}`)).toEqual([]);
    expect(await found(acme, `/Groups?filter=${byMember}`)).toHaveLength(1);
  });
});

describe("a tenant's rules end at its border", () => {
  test("R7644-6.2-02, R7644-6.2-01, R7643-3.1-05 the same userName and displayName are free in another tenant", async () => {
    const twin = await globex.user({ userName: "SHARED", externalId: "x-1" });
    expect(twin.id).not.toBe(user.id);
    await globex.group({ displayName: "shared" });
    expect(await found(globex, "/Users")).toHaveLength(1);
    expect(await found(acme, "/Users")).toHaveLength(1);
    await globex.call("DELETE", twin.path);
    expect((await acme.call("GET", user.path)).status).toBe(200);
  });

  test("a group of another tenant may name the id, and the user does not learn of it", async () => {
    const foreign = await globex.group({
      displayName: "recruiters",
      members: [{ value: user.id, type: "User" }],
    });
    const { body, headers } = await acme.call("GET", user.path);
    expect(body["groups"]).toEqual([expect.objectContaining({ value: group.id })]);
    await globex.call("DELETE", foreign.path);
    expect((await acme.call("GET", user.path)).headers.etag).toBe(headers.etag);
  });
});

describe("a token reaches as far as its scopes", () => {
  test("one that may read may not write or delete", async () => {
    const token = await server.createToken("--scope", "scim:read");
    const reader = clientOf({ ...server, token });
    expect((await reader.call("GET", user.path)).status).toBe(200);
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const answer = await reader.call(method, user.path, { body: {} });
      expect(answer.status).toBe(403);
      expect(answer.headers["www-authenticate"]).toContain("insufficient_scope");
    }
    expect((await reader.call("POST", "/Users", { body: {} })).status).toBe(403);
  });

  test("one that is revoked is refused by the running server", async () => {
    const token = await server.createToken();
    const leaver = clientOf({ ...server, token });
    expect((await leaver.call("GET", "/Users")).status).toBe(200);
    const list = await server.run("token", "list");
    for (const [id] of list.matchAll(/^[0-9a-f-]{36}/gm)) await server.run("token", "revoke", id);
    await expect.poll(async () => (await leaver.call("GET", "/Users")).status).toBe(401);
  });
});
