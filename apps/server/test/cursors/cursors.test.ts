import { isJsonObject, type JsonObject } from "@scim/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf, type Client } from "../over-http/client.ts";
import { resourcesOf, type WireAnswer } from "../over-http/exchange.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";

const COUNT = 7;

let server: OwnServer;
let client: Client;

beforeAll(async () => {
  server = await startOwnServer({ SCIM_FILTER_SENSITIVE_ATTRIBUTES: "emails.value" });
  client = clientOf(server);
  for (let index = 0; index < COUNT; index += 1) {
    await client.user({
      userName: `u${index}`,
      ...(index % 2 === 0 ? { displayName: `d${9 - index}` } : {}),
    });
  }
});
afterAll(() => server.stop());

const get = (query: string, by = client): Promise<WireAnswer> => by.call("GET", `/Users?${query}`);

const namesOf = (body: JsonObject): readonly unknown[] =>
  resourcesOf(body).map((each) => (isJsonObject(each) ? each["userName"] : null));

/** Every page from a query on, by a member that names the next. */
async function pagesOf(
  query: string,
  first: string,
  member: "nextCursor" | "previousCursor",
): Promise<JsonObject[]> {
  const pages: JsonObject[] = [];
  for (let cursor: unknown = first; typeof cursor === "string"; cursor = pages.at(-1)?.[member]) {
    const { status, body } = await get(`${query}&cursor=${cursor}`);
    expect(status).toBe(200);
    pages.push(body);
  }
  return pages;
}

describe("GET /Users by cursor", () => {
  test.each([
    ["", ["u0", "u1", "u2", "u3", "u4", "u5", "u6"]],
    ["sortBy=displayName&", ["u6", "u4", "u2", "u0", "u1", "u3", "u5"]],
    ["sortBy=displayName&sortOrder=descending&", ["u1", "u3", "u5", "u0", "u2", "u4", "u6"]],
    ["filter=displayName%20pr&sortBy=title&", ["u0", "u2", "u4", "u6"]],
  ])("R9865-2-03 R9865-2-04 walks all pages and back: %s", async (query, names) => {
    const pages = await pagesOf(`${query}count=2`, "", "nextCursor");
    expect(pages.flatMap(namesOf)).toEqual(names);
    expect(pages.map((page) => page["itemsPerPage"])).toEqual(names.length === COUNT ? [2, 2, 2, 1] : [2, 2]);
    expect(pages.filter((page) => "previousCursor" in page)).toEqual(pages.slice(1));
    expect(pages.every((page) => !("startIndex" in page))).toBe(true);
    const back = await pagesOf(`${query}count=2`, String(pages.at(-1)?.["previousCursor"]), "previousCursor");
    expect(back.toReversed().flatMap(namesOf)).toEqual(pages.slice(0, -1).flatMap(namesOf));
  });

  test("R9865-2-01 a first page without a value of the parameter, cursors of unreserved characters", async () => {
    const { body } = await get("cursor&count=3");
    expect(body["nextCursor"]).toMatch(/^[A-Za-z0-9._~-]+$/);
    expect(namesOf(body)).toEqual(["u0", "u1", "u2"]);
  });

  test("R9865-2.4-01 without cursor: by index, from the first", async () => {
    const { body } = await get("count=2");
    expect(body).toMatchObject({ startIndex: 1, totalResults: COUNT, itemsPerPage: 2 });
    expect(body).not.toHaveProperty("nextCursor");
  });

  test("R9865-2.1-01 refusals", async () => {
    const { body } = await get("cursor=&count=2");
    const cursor = String(body["nextCursor"]);
    for (const [query, scimType] of [
      [`cursor=${cursor}x&count=2`, "invalidCursor"],
      [`cursor=${cursor}&count=2&filter=title%20pr`, "invalidCursor"],
      [`cursor=${cursor}&count=3`, "invalidCount"],
      ["cursor=&count=two", "invalidCount"],
      [`cursor=${cursor}&count=2&startIndex=1`, "invalidValue"],
    ] as const) {
      expect(await get(query), query).toMatchObject({ status: 400, body: { scimType } });
    }
  });

  test("R9865-5.2-01 a cursor is good for its tenant alone; another token of the caller goes on", async () => {
    const { body } = await get("cursor=&count=2");
    const next = `cursor=${String(body["nextCursor"])}&count=2`;
    const token = await server.createToken("--tenant", "globex");
    expect(await get(next, clientOf({ ...server, token }))).toMatchObject({
      status: 400,
      body: { scimType: "invalidCursor" },
    });
    const other = await server.createToken();
    expect(namesOf((await get(next, clientOf({ ...server, token: other }))).body)).toEqual(["u2", "u3"]);
  });

  test("R9865-4-01 ServiceProviderConfig tells of both ways of paging", async () => {
    const { body } = await client.call("GET", "/ServiceProviderConfig");
    expect(body["pagination"]).toEqual({
      cursor: true,
      index: true,
      defaultPaginationMethod: "index",
      defaultPageSize: 100,
      maxPageSize: 1000,
      cursorTimeout: 3600,
    });
  });

  test("R7644-7.5.2-02 a filter on what is sensitive stands in a body, not in an address", async () => {
    const refused = await get('filter=emails.value%20eq%20"a@x.example"');
    expect(refused).toMatchObject({ status: 403, body: { scimType: "sensitive" } });
    expect(refused.text).not.toContain("a@x.example");
  });
});
