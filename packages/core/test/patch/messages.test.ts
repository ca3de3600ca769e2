import { describe, expect, test } from "vitest";
import { user } from "../support/bodies.ts";
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
