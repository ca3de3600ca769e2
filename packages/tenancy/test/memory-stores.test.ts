import { describe, expect, test } from "vitest";
import { createMemoryTokenStore, TOKEN_STORE_CONTRACT } from "../src/testing/index.ts";

describe("tokens in memory", () => {
  test.each(TOKEN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => createMemoryTokenStore())).resolves.toBeUndefined();
  });
});
