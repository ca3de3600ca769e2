import { BULK_REQUEST_URN, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { user } from "../support/bodies.ts";
import { bulkBody, jobRunner, outcomes, post } from "../support/bulk.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

const ONE = [post("/Users", "a", user())];
const schemas = [BULK_REQUEST_URN];

describe("R7644-3.7-04 an error of the envelope is one of the whole job, and nothing is done", () => {
  test.each<readonly [string, JsonValue, string]>([
    ["a list", ONE, "400 invalidSyntax"],
    ["text", "POST /Users", "400 invalidSyntax"],
    ["null", null, "400 invalidSyntax"],
    ["no schemas", { Operations: ONE }, "400 invalidSyntax"],
    ["schemas that are no list", { schemas: BULK_REQUEST_URN, Operations: ONE }, "400 invalidSyntax"],
    ["schemas of another message", { schemas: ["urn:example:x"], Operations: ONE }, "400 invalidSyntax"],
    ["R7644-3.7-02 no Operations", { schemas }, "400 invalidSyntax"],
    ["R7644-3.7-05 Operations in two spellings", { ...bulkBody(ONE), operations: [] }, "400 invalidSyntax"],
    ["R7644-3.7-05 schemas in two spellings", { ...bulkBody(ONE), Schemas: [] }, "400 invalidSyntax"],
    ["Operations that are null", { schemas, Operations: null }, "400 invalidSyntax"],
    ["Operations that are one object", { schemas, Operations: ONE[0] ?? null }, "400 invalidSyntax"],
    ...[0, -1, 1.5, "1", true, []].map((failOnErrors): readonly [string, JsonValue, string] => [
      `R7644-3.7-08 failOnErrors ${JSON.stringify(failOnErrors)}`,
      bulkBody(ONE, { failOnErrors }),
      "400 invalidValue",
    ]),
  ])("%s", async (_name, body, answer) => {
    const { service, context, as } = testService();
    const authorize = (): void => undefined;
    expect((await refusal(service.bulk(context(), { body, authorize }))).answer).toBe(answer);
    expect((await as().list("User")).totalResults).toBe(0);
  });
});

test("R7644-3.7-11 more operations than maxOperations: 413 that names the limit and the number; as many are done", async () => {
  const { service, context, as } = testService(undefined, { limits: { bulkOperations: 3 } });
  const posts = Array.from({ length: 4 }, (_, index) => {
    const name = `u${String(index)}`;
    return post("/Users", name, user({ userName: name }));
  });
  const refused = await refusal(
    service.bulk(context(), { body: bulkBody(posts), authorize: () => undefined }),
  );
  expect(refused.answer).toBe("413");
  expect(refused.detail).toMatch(/maxOperations.*\b3\b/);
  expect((await as().list("User")).totalResults).toBe(0);
  expect(outcomes(await jobRunner(service, context())(posts.slice(1)))).toEqual(["201", "201", "201"]);
});

test("1,001 operations are too many by default", async () => {
  const { service, context } = testService();
  const many = Array.from({ length: 1001 }, () => ({ method: "DELETE", path: "/Users/x" }));
  const refused = await refusal(
    service.bulk(context(), { body: bulkBody(many), authorize: () => undefined }),
  );
  expect([refused.answer, refused.detail]).toEqual(["413", expect.stringMatching(/maxOperations is 1000/)]);
});

test("no operations are a job that is done", async () => {
  const { service, context } = testService();
  expect(await service.bulk(context(), { body: bulkBody([]), authorize: () => undefined })).toEqual({
    kind: "bulk",
    operations: [],
  });
});

test("R7644-3.7-05 member names of envelope and operations in any letter case; unknown ones mean nothing", async () => {
  const { service, context } = testService();
  const body = {
    SCHEMAS: [BULK_REQUEST_URN.toUpperCase()],
    failonerrors: 1,
    extra: [],
    OPERATIONS: [{ METHOD: "post", Path: "/Users", BULKID: "a", Data: user(), extra: 1 }],
  };
  const { operations } = await service.bulk(context(), { body, authorize: () => undefined });
  expect(operations).toMatchObject([{ method: "POST", bulkId: "a", status: 201 }]);
});
