import { describe, expect, test } from "vitest";
import {
  createMemoryStore,
  createMemoryTokenStore,
  RESOURCE_STORE_CONTRACT,
  TOKEN_STORE_CONTRACT,
} from "../src/testing/index.ts";

describe("resources in memory", () => {
  test.each(RESOURCE_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => createMemoryStore())).resolves.toBeUndefined();
  });
});

describe("tokens in memory", () => {
  test.each(TOKEN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => createMemoryTokenStore())).resolves.toBeUndefined();
  });
});
