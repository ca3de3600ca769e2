import { RESOURCE_STORE_CONTRACT } from "@scim/core/testing";
import { describe, expect, test } from "vitest";
import { newFile, open } from "../support/folders.ts";
import { indexed } from "../support/indexed.ts";

describe("SQLite with every index declared", () => {
  test.each(RESOURCE_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => indexed(await open(newFile())))).resolves.toBeUndefined();
  });
});
