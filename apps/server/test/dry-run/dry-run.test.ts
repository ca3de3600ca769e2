import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { clientOf, PATCH_OP, USER } from "../over-http/client.ts";
import type { WireAnswer } from "../over-http/exchange.ts";
import { useInProcess } from "../over-http/use-server.ts";

const client = useInProcess();

let names = 0;
function newName(): string {
  names += 1;
  return `dry-${names}`;
}

const rename = (value: string): JsonObject => ({
  schemas: [PATCH_OP],
  Operations: [{ op: "replace", path: "nickName", value }],
});

const WAYS = [
  ["the address", "/.dry-run", {}],
  ["the header", "", { "SCIM-Dry-Run": "true" }],
] as const;

/** Every dry run is answered in one form, whatever the change would come to. */
function expectDryRun(answer: WireAnswer, expected: JsonObject): void {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "application/scim+json; charset=utf-8",
    "scim-dry-run": "true",
  });
  expect(answer.headers).not.toHaveProperty("location");
  expect(answer.headers).not.toHaveProperty("etag");
  expect(answer.body).toMatchObject({
    schemas: ["urn:example:params:scim:api:messages:scim:1.0:DryRunResponse"],
    ...expected,
  });
}

async function total(userName: string): Promise<unknown> {
  const filter = encodeURIComponent(`userName eq "${userName}"`);
  return (await client.call("GET", `/Users?filter=${filter}`)).body["totalResults"];
}

describe.each(WAYS)("a dry run by %s", (_way, prefix, headers) => {
  const tryOut = (method: string, path: string, body?: JsonObject, more = {}) =>
    client.call(method, prefix + path, {
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { body }),
    });

  test("of a POST tells the resource, and makes none", async () => {
    const userName = newName();
    const answer = await tryOut("POST", "/Users", { schemas: [USER], userName, nickName: "Nick" });
    expectDryRun(answer, { valid: true, status: "201", resource: { userName, nickName: "Nick" } });
    expect(await total(userName)).toBe(0);
  });

  test("of a PUT and a PATCH tells the difference, and changes nothing", async () => {
    const user = await client.user({ userName: newName(), nickName: "Nick" });
    const patched = await tryOut("PATCH", user.path, rename("Nico"));
    expectDryRun(patched, { valid: true, status: "200", resource: { id: user.id, nickName: "Nico" } });
    expect(patched.body["diff"]).toEqual([{ op: "replace", path: "nickName", value: "Nico" }]);
    const put = await tryOut("PUT", user.path, { schemas: [USER], userName: user.body["userName"] ?? "" });
    expectDryRun(put, { valid: true, status: "200" });
    expect(put.body["diff"]).toEqual([{ op: "remove", path: "nickName" }]);
    const after = await client.call("GET", user.path);
    expect(after.body).toEqual(user.body);
    expect(after.headers.etag).toBe(user.tag);
  });

  test("of a DELETE deletes nothing", async () => {
    const user = await client.user({ userName: newName() });
    expectDryRun(await tryOut("DELETE", user.path), { valid: true, status: "204", resource: null });
    expect((await client.call("GET", user.path)).body).toEqual(user.body);
  });

  test.each<readonly [string, string, JsonObject, JsonObject]>([
    ["POST", "/Users", { schemas: [USER] }, { status: "400", scimType: "invalidValue" }],
    ["POST", "/Users", { userName: "x" }, { status: "400", scimType: "invalidSyntax" }],
    ["PUT", "/Users/nobody", { schemas: [USER], userName: "x" }, { status: "404" }],
    ["PATCH", "/Users/nobody", rename("x"), { status: "404" }],
    ["DELETE", "/Users/nobody", {}, { status: "404" }],
  ])("of a change that fails tells how: %s %s %j", async (method, path, body, error) => {
    const answer = await tryOut(method, path, body);
    expectDryRun(answer, { valid: false, status: error["status"] ?? "", resource: null, error });
    expect(answer.body["diff"]).toEqual([]);
  });

  test("of a userName that is taken, and of a stale version", async () => {
    const user = await client.user({ userName: newName() });
    const taken = await tryOut("POST", "/Users", { schemas: [USER], userName: user.body["userName"] ?? "" });
    expectDryRun(taken, { valid: false, status: "409", error: { scimType: "uniqueness" } });
    const stale = await tryOut("PATCH", user.path, rename("x"), { "If-Match": 'W/"stale"' });
    expectDryRun(stale, { valid: false, status: "412" });
    expect((await client.call("GET", user.path)).body).toEqual(user.body);
  });

  test("of what the token may not change is 403", async () => {
    const token = await client.server.createToken("--scope", "scim:read");
    const reader = clientOf({ ...client.server, token }, headers);
    const answer = await reader.call("POST", `${prefix}/Users`, { body: { schemas: [USER], userName: "x" } });
    expect(answer.status).toBe(403);
  });

  test("of /Me", async () => {
    const user = await client.user({ userName: newName(), nickName: "Nick" });
    const token = await client.server.createToken("--subject", user.id);
    const self = clientOf({ ...client.server, token }, headers);
    const answer = await self.call("PATCH", `${prefix}/Me`, { body: rename("Nico") });
    expectDryRun(answer, { valid: true, resource: { id: user.id, nickName: "Nico" } });
    expectDryRun(await self.call("DELETE", `${prefix}/Me`), { valid: true, status: "204" });
    expect((await client.call("GET", user.path)).body).toEqual(user.body);
  });

  test("of a bulk job there is none", async () => {
    const answer = await tryOut("POST", "/Bulk", { Operations: [] });
    expect(answer.body).toMatchObject({ status: "400", detail: expect.stringMatching(/one by one/) });
  });

  test("another tenant's resource is not there", async () => {
    const user = await client.user({ userName: newName() });
    const token = await client.server.createToken("--tenant", "globex");
    const globex = clientOf({ ...client.server, token }, headers);
    const answer = await globex.call("PATCH", prefix + user.path, { body: rename("x") });
    expectDryRun(answer, { valid: false, status: "404" });
    expect((await client.call("GET", user.path)).body).toEqual(user.body);
  });
});

describe("addresses and headers of dry runs", () => {
  test.each(["/.dry-run/Users", "/.dry-run/Users/1", "/.dry-run/Me"])("GET %s is 405", async (path) => {
    expect((await client.call("GET", path)).status).toBe(405);
  });

  test.each(["/.dry-run", "/.dry-run/Printers", "/.dry-run/Schemas", "/.dry-run/Users/.search"])(
    "POST %s is 404",
    async (path) => {
      expect((await client.call("POST", path, { body: {} })).status).toBe(404);
    },
  );

  test.each(["yes", "0", "TRUE FALSE"])("SCIM-Dry-Run: %s is 400, and nothing is made", async (word) => {
    const userName = newName();
    const answer = await client.call("POST", "/Users", {
      headers: { "SCIM-Dry-Run": word },
      body: { schemas: [USER], userName },
    });
    expect(answer.body).toMatchObject({ status: "400", detail: expect.stringContaining("SCIM-Dry-Run") });
    expect(await total(userName)).toBe(0);
  });

  test("they are advertised to whoever asks for our extension, and to nobody else", async () => {
    const urn = "urn:example:params:scim:schemas:extension:scim:1.0:ServiceProviderConfig";
    const asked = await client.call("GET", `/ServiceProviderConfig?attributes=${urn}`);
    expect(asked.body[urn]).toMatchObject({ dryRun: { supported: true } });
    const { body } = await client.call("GET", "/ServiceProviderConfig");
    expect(JSON.stringify(body)).not.toContain(urn);
  });
});
