import { loadTestExtension } from "@scim/fixtures";
import type { JsonObject } from "@scim/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf, ENTERPRISE, GROUP, USER, type Client } from "../over-http/client.ts";
import { userExtendedBy, writeDocuments, type Documents } from "../over-http/documents.ts";
import { textMember } from "../over-http/exchange.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";

const TEST = "urn:example:params:scim:schemas:extension:test:2.0:User";

let server: OwnServer;
let documents: Documents;
let client: Client;

beforeAll(async () => {
  const [extension, types] = userExtendedBy([loadTestExtension()]);
  const defaults = { active: { default: true }, [`${TEST}:code`]: { default: "none" } };
  documents = await writeDocuments([extension ?? {}, { ...types, annotations: defaults }]);
  server = await startOwnServer({ SCIM_SCHEMAS: documents.directory });
  client = clientOf(server);
});
afterAll(async () => {
  await server.stop();
  await documents.remove();
});

const post = (endpoint: string, body: JsonObject, headers = {}) =>
  client.call("POST", endpoint, { body, headers });

describe("what POST answers", () => {
  test("R7644-3.3-04 201 with the representation; Location and meta.location are its address", async () => {
    const answer = await post("/Users", { schemas: [USER], userName: "located", title: "Guide" });
    expect(answer.status).toBe(201);
    const id = textMember(answer.body, "id");
    const address = `${server.origin}${server.base}/Users/${id}`;
    expect(answer.headers.location).toBe(address);
    expect(answer.body).toMatchObject({ userName: "located", title: "Guide", meta: { location: address } });
    expect((await client.call("GET", `/Users/${id}`)).body).toEqual(answer.body);
  });

  test("R7643-3.1-08, A-HTTP-01 the address of a resource is its Location in every answer", async () => {
    const user = await client.user({ userName: "addressed" });
    const address = `${server.origin}${server.base}${user.path}`;
    const body = { schemas: [USER], userName: "addressed", title: "x" };
    const answers = [
      await client.call("GET", user.path),
      await client.call("PUT", user.path, { body }),
      await client.patch(user.path, [{ op: "replace", path: "title", value: "y" }]),
    ];
    for (const { headers, body: shown } of answers) {
      expect(headers.location).toBe(address);
      expect(shown["meta"]).toMatchObject({ location: address });
      expect(headers).not.toHaveProperty("content-location");
    }
  });

  test.each([
    ["/Users", "User", { schemas: [USER], userName: "typed" }],
    ["/Groups", "Group", { schemas: [GROUP], displayName: "typed" }],
  ])("R7644-3.3-06, R7643-2.1-03 %s makes a %s and says so", async (endpoint, type, body) => {
    const { body: made } = await post(endpoint, body);
    expect(made["meta"]).toMatchObject({ resourceType: type });
    expect(made["schemas"]).toEqual(expect.arrayContaining(body.schemas));
  });

  test("R7644-3.3-09 If-None-Match is ignored, projection is honoured", async () => {
    const body = { schemas: [USER], userName: "projected", title: "Guide" };
    const answer = await post("/Users?attributes=title", body, { "If-None-Match": "*" });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body).toSorted()).toEqual(["id", "meta", "schemas", "title"]);
    const excluding = await post("/Users?excludedAttributes=title", { ...body, userName: "projected-2" });
    expect(excluding.body).not.toHaveProperty("title");
    expect(excluding.body).toHaveProperty("userName");
  });

  test("R7644-3.3-10 POST to the address of a resource is 405", async () => {
    const { path } = await client.user({ userName: "posted-to" });
    const answer = await post(path, { schemas: [USER], userName: "posted-to-2" });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toContain("PUT");
  });
});

describe("what a client leaves out", () => {
  test("R7644-3.3-02 a default is set, all else stays without a value", async () => {
    const { body } = await client.user({ userName: "silent" });
    expect(body).toMatchObject({ active: true, [TEST]: { code: "none" } });
    expect(Object.keys(body).toSorted()).toEqual(
      ["active", "id", "meta", "schemas", TEST, "userName"].toSorted(),
    );
  });

  test("R7644-3.3-03 null is the same as nothing: the default is set", async () => {
    const { body } = await client.user({ userName: "cleared", active: null });
    expect(body["active"]).toBe(true);
  });

  test("R7643-2.5-02 what has no value is left out of the answer", async () => {
    const { body } = await client.user({ userName: "sparse", title: null, emails: [], name: {} });
    for (const name of ["title", "emails", "name"]) expect(body).not.toHaveProperty(name);
    expect(JSON.stringify(body)).not.toMatch(/null|\[\]|\{\}/);
  });

  test.each([
    ["/Users", { schemas: [USER] }, "userName"],
    ["/Users", { schemas: [USER], userName: null }, "userName"],
    ["/Groups", { schemas: [GROUP] }, "displayName"],
  ])("R7643-7-09, A-REQ-01 a required attribute must be given: %s %j", async (endpoint, body, name) => {
    const answer = await post(endpoint, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ scimType: "invalidValue", detail: expect.stringContaining(name) });
  });
});

describe("what is refused", () => {
  const user = (members: JsonObject): JsonObject => ({ schemas: [USER], userName: "wrong", ...members });
  test.each<[string, string | JsonObject, string]>([
    ["R7644-3.3-07 no JSON", "{", "invalidSyntax"],
    ["R7644-3.3-07 a list", "[]", "invalidSyntax"],
    ["R7644-3.3-07 null", "null", "invalidSyntax"],
    ["R7644-3.3-07, A-SCH-01 no schemas", { userName: "wrong" }, "invalidSyntax"],
    ["R7644-3.3-07, A-SCH-01 an empty list of schemas", user({ schemas: [] }), "invalidSyntax"],
    ["R7644-3.3-07 a number for text", user({ title: 5 }), "invalidValue"],
    ["R7644-3.3-07 text for an object", user({ name: "Barbara" }), "invalidValue"],
    ["R7644-3.3-07 an object for text", user({ nickName: { a: 1 } }), "invalidValue"],
  ])("%s", async (_, body, scimType) => {
    const answer = await client.call("POST", "/Users", { body });
    expect(answer.status).toBe(400);
    expect(answer.body["scimType"]).toBe(scimType);
  });

  test("R7644-3.3-08, A-SCH-02 unknown attributes are ignored", async () => {
    const { body } = await client.user({ userName: "curious", shoeSize: 44 });
    expect(body).not.toHaveProperty("shoeSize");
  });

  test("R7643-3-02, R7643-3.3-01, A-SCH-03 extension data stands under its URN, which schemas lists", async () => {
    const { body } = await client.user({ userName: "extended", [ENTERPRISE]: { department: "Tours" } });
    expect(body[ENTERPRISE]).toEqual({ department: "Tours" });
    expect(body["schemas"]).toEqual(expect.arrayContaining([USER, ENTERPRISE]));
    expect(body).not.toHaveProperty("department");
  });

  test("R7644-3.3-05, R7643-7-07, A-UNQ-02, R7644-3.12-05 what is taken is 409 uniqueness, by any method", async () => {
    await client.user({ userName: "taken" });
    const other = await client.user({ userName: "free" });
    const taken = { schemas: [USER], userName: "Taken" };
    const answers = [
      await post("/Users", taken),
      await client.call("PUT", other.path, { body: taken }),
      await client.patch(other.path, [{ op: "replace", path: "userName", value: "TAKEN" }]),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(409);
      expect(body).toMatchObject({ status: "409", scimType: "uniqueness" });
    }
    expect((await client.call("GET", other.path)).headers.etag).toBe(other.tag);
  });
});

describe("id and externalId", () => {
  test("R7643-3.1-02, R7643-3.1-04 an id is the service's, and never given again", async () => {
    const first = await client.user({ userName: "reborn" });
    await client.patch(first.path, [{ op: "replace", path: "userName", value: "renamed" }]);
    expect((await client.call("GET", first.path)).body["id"]).toBe(first.id);
    await client.call("DELETE", first.path);
    const second = await client.user({ userName: "renamed" });
    expect(second.id).not.toBe(first.id);
    expect((await client.call("GET", first.path)).status).toBe(404);
    for (const { id } of [first, second]) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  test("R7643-3.1-05 an externalId is the client's: kept as sent, not unique, letter case counts", async () => {
    const first = await client.user({ userName: "external-1", externalId: "Key" });
    const second = await client.user({ userName: "external-2", externalId: "Key" });
    expect([first, second].map(({ body }) => body["externalId"])).toEqual(["Key", "Key"]);
    const without = await client.user({ userName: "external-3" });
    expect(without.body).not.toHaveProperty("externalId");
    const found = async (key: string): Promise<unknown> => {
      const filter = encodeURIComponent(`externalId eq "${key}"`);
      return (await client.call("GET", `/Users?filter=${filter}`)).body["totalResults"];
    };
    expect([await found("Key"), await found("key")]).toEqual([2, 0]);
  });
});
