import type { JsonObject } from "@scim/schemas";
import { beforeAll, describe, expect, test } from "vitest";
import { ENTERPRISE, SEARCH_REQUEST, type Made } from "../over-http/client.ts";
import { resourcesOf } from "../over-http/exchange.ts";
import { useServer } from "../over-http/use-server.ts";

const client = useServer();
let user: Made;
let group: Made;

beforeAll(async () => {
  user = await client.user({
    userName: "bjensen",
    externalId: "701984",
    name: { givenName: "Barbara", familyName: "Jensen" },
    emails: [{ value: "b@example.com", type: "work" }],
    password: "t1meMa$heen",
    [ENTERPRISE]: { department: "Tours" },
  });
  await client.user({ userName: "aaron" });
  await client.user({ userName: "carla", title: "Guide" });
  group = await client.group({ displayName: "Guides", members: [{ value: user.id, type: "User" }] });
});

const own = ({ schemas: _schemas, id: _id, meta: _meta, ...rest }: JsonObject): JsonObject => rest;
const get = (path: string) => client.call("GET", path);

describe("one resource", () => {
  test("R7644-3.4.1-01 GET by id is 200 with the resource", async () => {
    const { status, body } = await get(user.path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: user.id, userName: "bjensen", meta: { resourceType: "User" } });
  });

  test.each(["bjensen", "701984", "never-was"])(
    "R7644-3.4.1-01, R7644-3.4.1-02 '%s' is no id: 404",
    async (id) => {
      const { status, body } = await get(`/Users/${id}`);
      expect(status).toBe(404);
      expect(body["status"]).toBe("404");
    },
  );

  test("R7644-3.4.1-01 an id of another type is 404", async () => {
    expect((await get(`/Groups/${user.id}`)).status).toBe(404);
  });

  test.each(['userName eq "nobody"', "userName", ""])(
    "R7644-3.4.1-04, A-HTTP-06 a filter on one resource is ignored: %s",
    async (filter) => {
      const answer = await get(`${user.path}?filter=${encodeURIComponent(filter)}`);
      expect(answer.body).toEqual((await get(user.path)).body);
    },
  );

  test("R7644-3.4.1-03 HEAD has the same status and headers, and no body", async () => {
    const head = await client.call("HEAD", user.path);
    const { headers, text } = await get(user.path);
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers.etag).toBe(headers.etag);
    expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(text)));
    expect((await client.call("HEAD", "/Users/never-was")).status).toBe(404);
  });
});

describe("projection", () => {
  test.each<[string, string, JsonObject]>([
    ["R7644-3.9-01 attributes", "attributes=userName", { userName: "bjensen" }],
    ["R7644-3.9-05 a list", "attributes=userName,externalId", { userName: "bjensen", externalId: "701984" }],
    [
      "R7644-3.9-05 blanks round commas",
      "attributes=userName%20,%20externalId",
      { userName: "bjensen", externalId: "701984" },
    ],
    [
      "R7644-3.9-05 given twice",
      "attributes=userName&attributes=externalId",
      { userName: "bjensen", externalId: "701984" },
    ],
    ["R7643-7-05, R7643-7-10 one that is never returned", "attributes=password", {}],
    ["R7643-7-05 an unknown one", "attributes=nosuch", {}],
    ["R7643-7-05 one that is always returned", "attributes=id", {}],
  ])("%s", async (_, query, shown) => {
    const { body } = await get(`${user.path}?${query}`);
    expect(own(body)).toEqual(shown);
    expect(body).toMatchObject({ id: user.id, schemas: expect.any(Array) });
  });

  test("R7644-3.9-05 an empty list counts as absent", async () => {
    expect((await get(`${user.path}?attributes=`)).body).toEqual((await get(user.path)).body);
  });

  test("R7644-3.9-01, R7642-4-02 excludedAttributes leaves out what a client does not need", async () => {
    const { body } = await get(`${user.path}?excludedAttributes=name,emails,id`);
    expect(body).toMatchObject({ id: user.id, userName: "bjensen" });
    expect(body).not.toHaveProperty("name");
    expect(body).not.toHaveProperty("emails");
  });

  test("R7643-7-05, R7644-3.9-16 members and groups are returned by default", async () => {
    expect((await get(group.path)).body["members"]).toEqual([expect.objectContaining({ value: user.id })]);
    expect((await get(user.path)).body["groups"]).toEqual([expect.objectContaining({ value: group.id })]);
  });

  test.each(["/Users", "/Groups"])("A-PRJ-01 both parameters are 400 invalidValue: %s", async (endpoint) => {
    const answer = await get(`${endpoint}?attributes=id&excludedAttributes=externalId`);
    expect(answer).toMatchObject({ status: 400, body: { scimType: "invalidValue" } });
  });
});

describe("lists", () => {
  const names = (body: JsonObject) => resourcesOf(body).map((each) => each["userName"]);

  test.each<[string, string, readonly string[]]>([
    ["one", 'userName eq "aaron"', ["aaron"]],
    ["some", 'userName sw "a" or title pr', ["aaron", "carla"]],
    ["none", 'userName eq "nobody"', []],
    ["of the extension", `${ENTERPRISE}:department eq "tours"`, ["bjensen"]],
  ])("R7644-3.4.2-07 only what matches: %s", async (_, filter, expected) => {
    const { status, body } = await get(`/Users?sortBy=userName&filter=${encodeURIComponent(filter)}`);
    expect(status).toBe(200);
    expect(names(body)).toEqual(expected);
    expect(body["totalResults"]).toBe(expected.length);
  });

  test.each([
    ["startIndex=1&count=2", 1, 2, ["aaron", "bjensen"]],
    ["startIndex=3&count=2", 3, 1, ["carla"]],
    ["startIndex=9&count=2", 9, 0, []],
  ])(
    "R7644-3.4.2.4-04, A-PAG-02 itemsPerPage is the number on the page: %s",
    async (query, first, number, shown) => {
      const { body } = await get(`/Users?sortBy=userName&${query}`);
      expect(body).toMatchObject({ totalResults: 3, startIndex: first, itemsPerPage: number });
      expect(names(body)).toEqual(shown);
    },
  );

  test("A-PAG-01 a count above the maximum is cut", async () => {
    const { status, body } = await get("/Users?count=1000000&startIndex=1");
    expect(status).toBe(200);
    expect(body["itemsPerPage"]).toBe(3);
  });

  test.each(["name", "nosuch", "password", "addresses"])(
    "A-FLT-18, R7644-3.4.2.3-07 what has no order: sortBy=%s is 400 invalidValue",
    async (name) => {
      const answer = await get(`/Users?sortBy=${name}`);
      expect(answer).toMatchObject({ status: 400, body: { scimType: "invalidValue" } });
    },
  );

  test("R7644-7.5.2-01 a filter by POST finds what one by GET finds, and stands in no line of the log", async () => {
    const filter = 'emails.value eq "b@example.com"';
    const body = { schemas: [SEARCH_REQUEST], filter };
    const answer = await client.call("POST", "/Users/.search", { body });
    expect(names(answer.body)).toEqual(["bjensen"]);
    const requests = (): number => client.server.log().split("/Users/.search").length - 1;
    await expect.poll(requests).toBeGreaterThan(0);
    expect(client.server.log()).not.toContain("b@example.com");
  });
});
