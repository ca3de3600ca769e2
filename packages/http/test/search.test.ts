import { describe, expect, test } from "vitest";
import { Harness, withSwitches, type Answered } from "./fake-service.ts";

const URN = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";

const NONE = {
  filter: null,
  sortBy: null,
  sortOrder: null,
  startIndex: null,
  cursor: null,
  source: "body",
  count: null,
  attributes: null,
  excludedAttributes: null,
  streams: true,
};

async function search(
  message: unknown,
  options: { target?: string; token?: string; harness?: Harness } = {},
): Promise<{ answer: Answered; harness: Harness }> {
  const { target = "/Users/.search", token, harness = new Harness() } = options;
  const body = JSON.stringify(message);
  const answer = await harness.send({
    method: "POST",
    target,
    body,
    ...(token === undefined ? {} : { token }),
  });
  return { answer, harness };
}

describe("POST to .search", () => {
  test.each([
    ["/.search", null],
    ["/.search/", null],
    ["/Users/.search", "User"],
    ["/Groups/.search", "Group"],
    ["/Badges/.search", "Badge"],
  ])("R7644-3.4.3-01 R7644-3.4.3-03 %s queries type %s and answers 200", async (target, type) => {
    const { answer, harness } = await search({ schemas: [URN] }, { target });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
      itemsPerPage: 2,
    });
    expect(harness.service.calls).toMatchObject([{ operation: "list", request: { type, ...NONE } }]);
    expect(harness.records[0]?.route).toBe(target.replace(/\/$/, ""));
  });

  test.each([
    [{}, {}],
    [{ filter: 'userName eq "a+b%20"' }, { filter: 'userName eq "a+b%20"' }],
    [{ filter: "" }, { filter: "" }],
    [
      { attributes: ["userName", "name.givenName"], excludedAttributes: ["emails"] },
      { attributes: ["userName", "name.givenName"], excludedAttributes: ["emails"] },
    ],
    [{ attributes: [], excludedAttributes: [] }, {}],
    [
      { sortBy: "userName", sortOrder: "descending" },
      { sortBy: "userName", sortOrder: "descending" },
    ],
    [{ sortBy: "", sortOrder: "" }, {}],
    [
      { startIndex: -1, count: 0 },
      { startIndex: -1, count: 0 },
    ],
    [{ startIndex: 1e3 }, { startIndex: 1000 }],
    // No database takes such a number for a place in a list.
    [{ startIndex: 1e308 }, { startIndex: Number.MAX_SAFE_INTEGER }],
    [
      { startIndex: -(2 ** 63), count: 2 ** 63 },
      { startIndex: Number.MIN_SAFE_INTEGER, count: Number.MAX_SAFE_INTEGER },
    ],
    [
      { cursor: "", count: 10 },
      { cursor: "", count: 10 },
    ],
    [
      { FILTER: "a pr", CoUnT: 1 },
      { filter: "a pr", count: 1 },
    ],
    [{ filter: null, count: null, cursor: null, attributes: null }, {}],
    [{ domain: "x", Domain: "y", __proto__x: 1, constructor: 2, toString: 3 }, {}],
  ])("R7644-3.4.3-01 R9865-3-01 %j", async (members, expected) => {
    const { answer, harness } = await search({ schemas: [URN], ...members });
    expect(answer.status).toBe(200);
    expect(harness.service.calls[0]?.request).toEqual({ type: "User", ...NONE, ...expected });
  });

  test.each([
    [{ startIndex: "2", count: "10" }, { startIndex: 2, count: 10 }, ["startIndex", "count"]],
    [{ count: " 10", cursor: "abc" }, { count: 10, cursor: "abc" }, ["count"]],
    [
      { attributes: "userName, name.givenName", excludedAttributes: "emails" },
      { attributes: ["userName", "name.givenName"], excludedAttributes: ["emails"] },
      ["attributes", "excludedAttributes"],
    ],
    [{ attributes: "" }, {}, ["attributes"]],
  ])("search-as-strings reads %j as the query of an address", async (members, expected, told) => {
    const harness = new Harness(withSwitches("search-as-strings"));
    const { answer } = await search({ schemas: [URN], ...members }, { harness });
    expect(answer.status).toBe(200);
    expect(harness.service.calls[0]?.request).toEqual({ type: "User", ...NONE, ...expected });
    expect(harness.records[0]?.switches).toEqual(told.map((path) => ({ name: "search-as-strings", path })));
  });

  test("R7644-3.4.3-04 parameters of the address mean nothing, well-formed or not", async () => {
    const target = "/Users/.search?filter=%zz&filter=b&count=many&attributes=x";
    const { answer, harness } = await search({ schemas: [URN], count: 2 }, { target });
    expect(answer.status).toBe(200);
    expect(harness.service.calls[0]?.request).toEqual({ type: "User", ...NONE, count: 2 });
  });

  test.each([
    [{ filter: 5 }, "invalidFilter", /'filter'.*string/],
    [{ filter: ["a pr"] }, "invalidFilter", /'filter'.*string/],
    [{ sortBy: 1 }, "invalidValue", /'sortBy'.*string/],
    [{ sortOrder: true }, "invalidValue", /'sortOrder'.*string/],
    [{ startIndex: "1" }, "invalidValue", /'startIndex'.*integer/],
    [{ startIndex: 1.5 }, "invalidValue", /'startIndex'.*integer/],
    [{ count: "10" }, "invalidValue", /'count'.*integer/],
    [{ count: "10", cursor: "" }, "invalidCount", /'count'.*integer/],
    [{ count: 1.5, cursor: "abc" }, "invalidCount", /'count'.*integer/],
    [{ cursor: 7 }, "invalidCursor", /'cursor'.*string/],
    [{ attributes: "userName" }, "invalidValue", /'attributes'.*array/],
    [{ attributes: ["userName", 5] }, "invalidValue", /'attributes'.*array/],
    [{ excludedAttributes: { a: 1 } }, "invalidValue", /'excludedAttributes'.*array/],
    [{ filter: "a pr", Filter: "b pr" }, "invalidSyntax", /'filter'.*once/],
    [{ filter: null, Filter: "b pr" }, "invalidSyntax", /'filter'.*once/],
  ])("R7644-3.4.3-02 %j is 400 %s", async (members, scimType, detail) => {
    const { answer, harness } = await search({ schemas: [URN], ...members });
    expect(answer.json).toMatchObject({ status: "400", scimType, detail: expect.stringMatching(detail) });
    expect(harness.service.calls).toEqual([]);
  });

  test.each([
    ["missing", {}],
    ["null", { schemas: null }],
    ["empty", { schemas: [] }],
    ["text", { schemas: URN }],
    ["of another message", { schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"] }],
    ["numbers", { schemas: [1] }],
  ])("R7644-3.4.3-04 R7644-3.1-02 schemas %s: 400 in strict", async (_title, message) => {
    const { answer } = await search(message, { token: "strict" });
    expect(answer.json).toMatchObject({
      status: "400",
      scimType: "invalidSyntax",
      detail: expect.stringContaining(URN),
    });
  });

  test.each([[[]], ["text"], [5], [null]])("a body %j is no message", async (message) => {
    const { answer } = await search(message);
    expect(answer.json).toMatchObject({ status: "400", scimType: "invalidSyntax" });
  });

  test("schemas in other letter case, among others, name the message", async () => {
    const { answer } = await search({ schemas: ["urn:x:y", URN.toLowerCase()] }, { token: "strict" });
    expect(answer.status).toBe(200);
  });

  test.each([
    ["text/plain", 415],
    ["application/json", 200],
    ["application/scim+json; charset=utf-8", 200],
  ])("a body of type %s: %i", async (contentType, status) => {
    const response = await new Harness().send({
      method: "POST",
      target: "/.search",
      headers: { "content-type": contentType },
      body: JSON.stringify({ schemas: [URN] }),
    });
    expect(response.status).toBe(status);
  });
});

describe("a query at the root", () => {
  test.each(["", "/"])("R7644-3.4.2-04 GET '%s' asks for all types", async (path) => {
    const harness = new Harness();
    const response = await harness.send({ target: `${path}?filter=id+pr&count=1` });
    expect(response.status).toBe(200);
    expect(harness.service.calls).toMatchObject([
      { operation: "list", request: { type: null, filter: "id pr", count: 1, source: "address" } },
    ]);
    expect(harness.records[0]?.route).toBe("/");
  });
});
