import { createDefaultRegistry } from "@scim/schemas";
import { expect, test } from "vitest";
import { createScimService, DEFAULT_LIMITS, type ServiceLimits } from "../src/index.ts";
import { createMemoryStore } from "../src/testing/index.ts";
import { user } from "./support/bodies.ts";
import { idOf } from "./support/client.ts";
import { refusal } from "./support/refusal.ts";
import { testService } from "./support/service.ts";

test.each([
  [undefined, "registry"],
  [{}, "registry"],
  [{ registry: createDefaultRegistry() }, "store"],
  [{ registry: createDefaultRegistry(), store: createMemoryStore() }, "sources"],
])("a program without types is told which part is missing: %#", (options, name) => {
  // What the compiler would refuse.
  expect(() => createScimService(options as never)).toThrow(
    new TypeError(`createScimService needs '${name}'.`),
  );
});

test("a limit that is said to be undefined has its default: a setting that is not there", async () => {
  const limits: Partial<ServiceLimits> = Object.fromEntries(
    Object.keys(DEFAULT_LIMITS).map((name) => [name, undefined]),
  );
  for (const tested of [testService(undefined, { limits }), testService()]) {
    const client = tested.as("strict", { subject: "nobody" });
    const made = await client.post("User", user({ userName: "a" }));
    expect((await client.list("User")).resources).toHaveLength(1);
    expect((await client.list("User", { count: 5 })).resources).toHaveLength(1);
    expect((await client.put("User", idOf(made), user({ userName: "b" }))).resource).toMatchObject({
      userName: "b",
    });
    const filter = "(".repeat(DEFAULT_LIMITS.filterDepth + 1);
    expect((await refusal(client.list("User", { filter }))).detail).toContain("64");
    const adapted = tested.service.adapted({ limits });
    expect(adapted.me(tested.context("strict", { subject: "nobody" }))).toEqual({
      type: "User",
      id: "nobody",
    });
  }
});

test.each([
  ["NaN", Number.NaN],
  ["text", "100"],
  ["null", null],
])("a limit of a number that is %s is refused: nothing would exceed it", (_, pageSize) => {
  // A setting that was read badly, in a program without types.
  const limits = { pageSize } as Partial<ServiceLimits>;
  const words = "The limit 'pageSize' of a service is a number.";
  expect(() => testService(undefined, { limits })).toThrow(words);
  expect(() => testService().service.adapted({ limits })).toThrow(words);
});
