import { EVENT_FEED_CONTRACT, RESOURCE_STORE_CONTRACT, TOKEN_STORE_CONTRACT } from "@scim/core/testing";
import { describe, expect, test } from "vitest";
import { newFile, open } from "./support/folders.ts";
import { indexed } from "./support/indexed.ts";

test.each(RESOURCE_STORE_CONTRACT)("SQLite with every index declared: $rule: $name", async ({ run }) => {
  await expect(run(async () => indexed(await open(newFile())))).resolves.toBeUndefined();
});

describe.each([
  ["a file", newFile],
  ["memory", () => ":memory:"],
])("SQLite in %s", (_name, path) => {
  test.each(RESOURCE_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => (await open(path())).resources)).resolves.toBeUndefined();
  });

  test.each(EVENT_FEED_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(() => open(path()))).resolves.toBeUndefined();
  });

  test.each(TOKEN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => (await open(path())).tokens)).resolves.toBeUndefined();
  });
});
