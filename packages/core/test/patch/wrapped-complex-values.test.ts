import type { JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { user } from "../support/bodies.ts";
import { testService } from "../support/service.ts";

const NAME = { givenName: "Anna", familyName: "Berg" };

/** What comes of `name` by one operation, sent as it is and as a list of it. */
async function both(op: string, value: JsonValue): Promise<readonly unknown[]> {
  return Promise.all(
    [value, [value]].map(async (sent) => {
      const client = testService().as("tolerant");
      await client.post("User", user({ name: NAME }));
      const { name } = await client.patched("User", "id-1", [{ op, path: "name", value: sent }]);
      return name;
    }),
  );
}

describe("R7644-3.5.2.3-04 an object in a list of one is that object to a PATCH of a complex attribute", () => {
  test.each<[op: string, value: JsonValue, name: unknown]>([
    ["replace", { givenName: null }, { familyName: "Berg" }],
    ["replace", { givenName: [], familyName: "Alm" }, { familyName: "Alm" }],
    ["replace", { middleName: null }, NAME],
    ["replace", {}, NAME],
    ["replace", { givenName: "Eva" }, { givenName: "Eva", familyName: "Berg" }],
    ["replace", { givenName: null, familyName: null }, undefined],
    ["add", { givenName: null }, NAME],
    ["add", { middleName: "M" }, { ...NAME, middleName: "M" }],
  ])("%s %j", async (op, value, name) => {
    expect(await both(op, value)).toEqual([name, name]);
  });
});

test("a list of nothing adds nothing, and replaces by nothing", async () => {
  const titleBy = async (op: string, value: JsonValue): Promise<unknown> => {
    const client = testService().as("tolerant");
    await client.post("User", user({ title: "Guide" }));
    return (await client.patched("User", "id-1", [{ op, path: "title", value }]))["title"];
  };
  expect(await titleBy("add", [null])).toBe("Guide");
  expect(await titleBy("add", [])).toBe("Guide");
  expect(await titleBy("replace", [null])).toBeUndefined();
});
