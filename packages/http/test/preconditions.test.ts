import { describe, expect, test } from "vitest";
import { Harness } from "./fake-service.ts";

async function put(ifMatch: string | readonly string[], name = "if-match") {
  const harness = new Harness();
  const response = await harness.send({
    method: "PUT",
    target: "/Users/1",
    body: "{}",
    headers: { [name]: ifMatch },
  });
  return { response, calls: harness.service.calls };
}

describe("conditional headers", () => {
  test.each<[string | readonly string[], unknown]>([
    ["*", "*"],
    [" * ", "*"],
    ['W/"a"', ["a"]],
    ['"a"', ["a"]],
    ["a", ["a"]],
    ["3~x_-.+=", ["3~x_-.+="]],
    ['W/"a", "b",c', ["a", "b", "c"]],
    ['"a,b"', ["a,b"]],
    ['""', [""]],
    ['W/"a" , ,\t"b",', ["a", "b"]],
    ['"é"', ["é"]],
    [
      ['W/"a"', 'W/"b"'],
      ["a", "b"],
    ],
  ])("R7232-2.3-01 If-Match: %j reads as %j", async (header, versions) => {
    const { calls } = await put(header);
    expect(calls).toMatchObject([{ request: { precondition: { ifMatch: versions, ifNoneMatch: null } } }]);
  });

  test.each([
    "",
    "   ",
    ",",
    '"a',
    'a"',
    'w/"a"',
    "W/a",
    'W/ "a"',
    '"a" "b"',
    'W/"a";',
    '"a b"',
    '*, "a"',
    '"a", *',
    "a b",
    "<a>",
  ])("malformed %j is 400 invalidSyntax, and nothing is written", async (header) => {
    for (const name of ["if-match", "if-none-match"]) {
      const { response, calls } = await put(header, name);
      expect(response.json).toMatchObject({ status: "400", scimType: "invalidSyntax" });
      expect(calls).toEqual([]);
    }
  });

  test.each([
    ["GET", "/Users/1", null],
    ["PATCH", "/Users/1", "{}"],
    ["DELETE", "/Users/1", null],
  ])("%s passes both conditions on", async (method, target, body) => {
    const harness = new Harness();
    await harness.send({ method, target, body, headers: { "if-match": "a", "if-none-match": '"b"' } });
    expect(harness.service.calls).toMatchObject([
      { request: { precondition: { ifMatch: ["a"], ifNoneMatch: ["b"] } } },
    ]);
  });

  test("R7644-3.14-10 POST and lists ignore If-None-Match, also a malformed one", async () => {
    const headers = { "if-none-match": '"', "if-match": "*" };
    const harness = new Harness();
    expect((await harness.send({ target: "/Users", headers })).status).toBe(200);
    expect((await harness.send({ method: "POST", target: "/Users", body: "{}", headers })).status).toBe(201);
  });
});
