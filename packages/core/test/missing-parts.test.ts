import { createDefaultRegistry } from "@scim/schemas";
import { expect, test } from "vitest";
import { createScimService } from "../src/index.ts";
import { createMemoryStore } from "../src/testing/index.ts";

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
