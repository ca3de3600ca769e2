import type { JsonObject, JsonValue } from "@scim/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf, SEARCH_REQUEST, type Client, type Made } from "../over-http/client.ts";
import { resourcesOf } from "../over-http/exchange.ts";
import { startServer, type RunningServer } from "../over-http/server.ts";

let server: RunningServer;
let client: Client;
let globex: Client;
let users: readonly Made[];
let group: Made;

beforeAll(async () => {
  server = await startServer();
  client = clientOf(server);
  globex = clientOf({ ...server, token: await server.createToken("--tenant", "globex") });
  users = [
    await client.user({ userName: "anna", name: { familyName: "Berg" }, title: "Guide" }),
    await client.user({ userName: "bert", name: { familyName: "Adam" } }),
    await client.user({ userName: "carl", name: { familyName: "Cole" }, title: "Guide" }),
  ];
  group = await client.group({ displayName: "guides", members: users.map(({ id }) => ({ value: id })) });
  await globex.user({ userName: "anna", title: "Guide" });
});
afterAll(() => server.stop());

const search = (path: string, message: JsonObject, by = client) =>
  by.call("POST", `${path}/.search`, { body: { schemas: [SEARCH_REQUEST], ...message } });

const idsOf = (body: JsonObject) => resourcesOf(body).map(({ id }) => id);

describe("POST to .search", () => {
  test("R7644-3.4.3-01 R7644-3.4.3-03 answers as GET with the same parameters", async () => {
    const message = {
      filter: 'title eq "guide"',
      sortBy: "name.familyName",
      sortOrder: "descending",
      startIndex: 1,
      count: 1,
      attributes: ["userName", "title"],
    };
    const query = new URLSearchParams({
      ...message,
      startIndex: "1",
      count: "1",
      attributes: "userName,title",
    });
    const posted = await search("/Users", message);
    const got = await client.call("GET", `/Users?${query.toString()}`);
    expect(posted.status).toBe(200);
    expect(posted.body).toEqual(got.body);
    expect(posted.body).toMatchObject({
      totalResults: 2,
      itemsPerPage: 1,
      Resources: [{ userName: "carl", title: "Guide" }],
    });
    expect(resourcesOf(posted.body)[0]).not.toHaveProperty("name");
  });

  test("R7644-3.4.3-01 at the type that the address names, or over all of them at the root", async () => {
    expect((await search("/Groups", {})).body).toMatchObject({ totalResults: 1 });
    expect((await search("/Users", {})).body).toMatchObject({ totalResults: 3 });
    const all = await search("", { filter: "id pr" });
    expect(all.body).toMatchObject({ totalResults: 4 });
    expect(new Set(idsOf(all.body))).toEqual(new Set([group.id, ...users.map(({ id }) => id)]));
  });

  test("R7644-3.4.3-04 a message of nothing but schemas asks for everything; the address is ignored", async () => {
    const answer = await client.call("POST", "/Users/.search?count=1&filter=%zz", {
      body: { schemas: [SEARCH_REQUEST] },
    });
    expect(answer.body).toMatchObject({ totalResults: 3, itemsPerPage: 3 });
  });

  test("R9865-3-01 walks by cursor", async () => {
    const walked: unknown[] = [];
    let cursor: JsonValue | undefined = "";
    while (cursor !== undefined) {
      const { status, text, body } = await search("/Users", { cursor, count: 2, sortBy: "userName" });
      expect(status, text).toBe(200);
      expect(body).not.toHaveProperty("startIndex");
      walked.push(...resourcesOf(body).map(({ userName }) => userName));
      cursor = body["nextCursor"];
    }
    expect(walked).toEqual(["anna", "bert", "carl"]);
  });

  test.each([
    "/Users/x/.search",
    "/Me/.search",
    "/Schemas/.search",
    "/ResourceTypes/.search",
    "/Printers/.search",
  ])("R7644-3.4.3-05 %s is 404", async (path) => {
    const answer = await client.call("POST", path, { body: { schemas: [SEARCH_REQUEST] } });
    expect(answer.status).toBe(404);
  });

  test.each(["", "/Users", "/Groups"])("R7644-3.2-04 GET of %s/.search is 405", async (path) => {
    const answer = await client.call("GET", `${path}/.search`);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe("POST, OPTIONS");
  });

  test("the filter leaves no trace in the log", async () => {
    await search("/Users", { filter: 'userName eq "unmentionable"' });
    await expect.poll(() => server.log()).toContain("/Users/.search");
    expect(server.log()).not.toContain("unmentionable");
  });
});

describe("a query at the root", () => {
  test.each(["", "/"])("R7644-3.4.2-04 GET '%s' covers all types, discovery left out", async (path) => {
    const answer = await client.call("GET", `${path}?filter=${encodeURIComponent("meta.resourceType pr")}`);
    expect(answer.status, answer.text).toBe(200);
    const types = resourcesOf(answer.body).map(({ meta }) => meta);
    expect(answer.body).toMatchObject({ totalResults: 4 });
    expect(types.filter((meta) => JSON.stringify(meta).includes('"Group"'))).toHaveLength(1);
  });

  test("R7644-3.4.2-06 an attribute that a type does not have has no value there", async () => {
    const answer = await client.call("GET", `/?filter=${encodeURIComponent('userName eq "bert"')}`);
    expect(idsOf(answer.body)).toEqual([users[1]?.id]);
    const named = await client.call("GET", `/?filter=${encodeURIComponent("displayName pr")}`);
    expect(idsOf(named.body)).toEqual([group.id]);
  });

  test("HEAD answers as GET without the body", async () => {
    const get = await client.call("GET", "/?filter=id%20pr");
    const head = await client.call("HEAD", "/?filter=id%20pr");
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
  });
});

describe("tenants stay apart", () => {
  test.each([
    ["POST", "/.search"],
    ["POST", "/Users/.search"],
    ["GET", "/?filter=id%20pr"],
  ])("%s %s shows a tenant its own resources alone", async (method, path) => {
    const options =
      method === "POST" ? { body: { schemas: [SEARCH_REQUEST], filter: 'title eq "Guide"' } } : {};
    const own = await globex.call(method, path, options);
    expect(own.body).toMatchObject({ totalResults: 1, Resources: [{ userName: "anna" }] });
    expect(idsOf(own.body)).not.toContain(users[0]?.id);
    const others = await client.call(method, path, options);
    expect(idsOf(others.body)).not.toContain(idsOf(own.body)[0]);
  });

  test("a cursor of one tenant opens nothing to another", async () => {
    const { body } = await search("/Users", { cursor: "", count: 1 });
    const stolen = await search("/Users", { cursor: body["nextCursor"] ?? "", count: 1 }, globex);
    expect(stolen.body).toMatchObject({ status: "400", scimType: "invalidCursor" });
  });
});
