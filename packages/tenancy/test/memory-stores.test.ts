import { describe, expect, test } from "vitest";
import {
  ADMIN_STORE_CONTRACT,
  CLIENT_STORE_CONTRACT,
  createMemoryTenancy,
  createMemoryTokenStore,
  TENANCY_STORE_CONTRACT,
  TOKEN_STORE_CONTRACT,
} from "../src/testing/index.ts";

describe("tokens in memory", () => {
  test.each(TOKEN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => createMemoryTokenStore())).resolves.toBeUndefined();
  });
});

describe("tenants, connections and clients in memory", () => {
  test.each([...TENANCY_STORE_CONTRACT, ...CLIENT_STORE_CONTRACT])("$rule: $name", async ({ run }) => {
    await expect(run(async () => createMemoryTenancy())).resolves.toBeUndefined();
  });
});

describe("administrators in memory", () => {
  test.each(ADMIN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => createMemoryTenancy())).resolves.toBeUndefined();
  });
});
