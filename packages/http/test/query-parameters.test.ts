import { describe, expect, test } from "vitest";
import { Harness } from "./fake-service.ts";

const NONE = {
  type: "User",
  filter: null,
  sortBy: null,
  sortOrder: null,
  startIndex: null,
  cursor: null,
  source: "address",
  count: null,
  attributes: null,
  excludedAttributes: null,
  streams: true,
};

describe("query parameters", () => {
  test.each([
    ["", {}],
    ["?", {}],
    ["?&&", {}],
    ["?foo=1&aadOptscim062020", {}],
    ["?cursor&count=2", { cursor: "", count: 2 }],
    ["?filter=userName+eq+%22a%22", { filter: 'userName eq "a"' }],
    ["?filter=userName%20eq%20%22a%2Bb%22", { filter: 'userName eq "a+b"' }],
    ["?filter=a%3D%26b=c", { filter: "a=&b=c" }],
    ["?filter=", { filter: "" }],
    ["?filter", { filter: "" }],
    ["?FILTER=x", { filter: "x" }],
    ["?%66ilter=x", { filter: "x" }],
    ["?filter=%C3%A9%E2%98%83", { filter: "é☃" }],
    ["?sortBy=name.familyName&sortOrder=descending", { sortBy: "name.familyName", sortOrder: "descending" }],
    ["?sortBy=&sortOrder=", {}],
    ["?attributes=userName,+emails.value%2C,name", { attributes: ["userName", "emails.value", "name"] }],
    ["?attributes=a&Attributes=b,c&attributes=", { attributes: ["a", "b", "c"] }],
    ["?excludedAttributes=a&excludedAttributes=b", { excludedAttributes: ["a", "b"] }],
    ["?excludedAttributes=members", { excludedAttributes: ["members"] }],
    ["?attributes=&excludedAttributes=,", {}],
    ["?startIndex=0&count=-5", { startIndex: 0, count: -5 }],
    ["?startIndex=+7&count=007", { startIndex: 7, count: 7 }],
    [`?startIndex=${"9".repeat(400)}`, { startIndex: Number.MAX_SAFE_INTEGER }],
    [`?count=-${"9".repeat(400)}`, { count: Number.MIN_SAFE_INTEGER }],
    ["?__proto__=1&constructor=2&constructor=3", {}],
    ["?%zz=1", {}],
  ])("R7644-1.2-01 R7644-3.4.2-03 R7644-3.9-05 %s", async (query, expected) => {
    const harness = new Harness();
    expect((await harness.send({ target: `/Users${query}` })).status).toBe(200);
    expect(harness.service.calls[0]?.request).toEqual({ ...NONE, ...expected });
  });

  test.each([
    ["?filter=a&filter=b", "invalidFilter"],
    ["?filter=a&Filter=a", "invalidFilter"],
    ["?count=1&count=1", "invalidSyntax"],
    ["?filter=%zz", "invalidFilter"],
    ["?attributes=%ff", "invalidSyntax"],
    ["?count=abc", "invalidValue"],
    ["?count=1.5", "invalidValue"],
    ["?count=", "invalidValue"],
    ["?cursor=&count=abc", "invalidCount"],
    ["?count=1.5&cursor=x", "invalidCount"],
    ["?cursor=a&cursor=b", "invalidSyntax"],
    ["?startIndex=1e3", "invalidValue"],
    ["?startIndex=0x10", "invalidValue"],
    ["?startIndex=--1", "invalidValue"],
  ])("R7644-3.4.2-09 R7644-3.4.2.4-06 %s is 400 %s", async (query, scimType) => {
    const harness = new Harness();
    const response = await harness.send({ target: `/Users${query}` });
    expect(response.json).toMatchObject({ status: "400", scimType });
    expect(harness.service.calls).toEqual([]);
  });

  test.each([
    ["POST", "/Users"],
    ["GET", "/Users/1"],
    ["PUT", "/Users/1"],
    ["PATCH", "/Users/1"],
  ])("R7644-3.3-09 %s %s honours attributes and excludedAttributes", async (method, path) => {
    const harness = new Harness();
    await harness.send({ method, target: `${path}?attributes=a&excludedAttributes=b&filter=x`, body: "{}" });
    expect(harness.service.calls[0]?.request).toMatchObject({ attributes: ["a"], excludedAttributes: ["b"] });
  });
});
