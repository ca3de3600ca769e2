import { describe, expect, test } from "vitest";
import { group, user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

const SECRET = "personal@home.example";

describe("R7644-3.12-04 what a refused PATCH says", () => {
  test.each([
    [
      "a path that names nothing",
      { op: "replace", path: `nosuch[value eq "${SECRET}"].x`, value: "v" },
      "nosuch[…].x",
    ],
    [
      "a value path that matches nothing",
      { op: "replace", path: `emails[value eq "${SECRET}"]`, value: { type: "work" } },
      "emails[…]",
    ],
    ["a malformed path", { op: "replace", path: `emails[value eq "${SECRET}"`, value: "v" }, "Operations[1]"],
    [
      "brackets behind a single value",
      { op: "replace", path: `title[value eq "${SECRET}"]`, value: "v" },
      "title[…]",
    ],
  ])("%s: the path without the values in it", async (_case, operation, named) => {
    const client = testService().as("strict");
    await client.post("User", user());
    const { detail } = await refusal(
      client.patch("User", "id-1", [{ op: "add", path: "title", value: "Guide" }, operation]),
    );
    expect(detail).toContain(named);
    expect(detail).not.toContain(SECRET);
  });

  test("a key that names nothing is told to the log without the values in it", async () => {
    const tested = testService();
    const client = tested.as("tolerant");
    await client.post("User", user());
    await client.patch("User", "id-1", [
      { op: "replace", value: { [`nosuch[value eq "${SECRET}"].x`]: "v", title: "Guide" } },
    ]);
    expect(tested.fired).toEqual(["unknown-attributes nosuch[…].x"]);
  });

  test.each([
    ["a readOnly target", { op: "replace", path: "groups", value: [{ value: "g1" }] }, "'groups'"],
    ["no target", { op: "replace", path: 'emails[type eq "fax"]', value: { type: "work" } }, "emails[…]"],
    ["a value of another type", { op: "replace", path: "active", value: "perhaps" }, "'active'"],
    ["what must not go", { op: "remove", path: "userName" }, "'userName'"],
  ])("%s: the operation is named by its index", async (_case, operation, named) => {
    const client = testService().as("strict");
    await client.post("User", user());
    const { detail } = await refusal(
      client.patch("User", "id-1", [{ op: "add", path: "title", value: "Guide" }, operation]),
    );
    expect(detail).toMatch(/^Operations\[1\]: [^:]*'/);
    expect(detail).toContain(named);
  });

  test.each(["add", "remove"])(
    "one of many neighbours that %s members is named by its own index, its value by its place there",
    async (op) => {
      const client = testService().as("strict");
      await client.post("Group", group({ members: [{ value: "m1" }, { value: "m2" }] }));
      const many = Array.from({ length: 9 }, (_, at) => ({
        op,
        path: "members",
        value: [{ value: `m${at}` }, at === 6 ? { display: "Nobody" } : { value: `n${at}` }],
      }));
      const operations = [{ op: "replace", path: "displayName", value: "Guides" }, ...many];
      const { detail } = await refusal(client.patch("Group", "id-1", operations));
      expect(detail).toMatch(/^Operations\[7\]: .*'members\[1\].value'/);
    },
  );

  test("an operation that cannot be bound is named by its index", async () => {
    const client = testService().as("strict");
    await client.post("User", user());
    const { detail } = await refusal(
      client.patch("User", "id-1", [
        { op: "add", path: "title", value: "Guide" },
        { op: "add", path: "nosuch", value: "x" },
      ]),
    );
    expect(detail).toMatch(/^Operations\[1\]: /);
  });
});
