/** What every store of this package is held to, on each engine. */
import { EVENT_FEED_CONTRACT, RESOURCE_STORE_CONTRACT } from "@scim/core/testing";
import {
  ADMIN_ACT_CONTRACT,
  ADMIN_STORE_CONTRACT,
  CLIENT_STORE_CONTRACT,
  TENANCY_STORE_CONTRACT,
  TOKEN_STORE_CONTRACT,
} from "@scim/tenancy/testing";
import { expect, test } from "vitest";
import type { Store } from "../../src/store.ts";

/** However few the resources: scans run beside the requests. */
export const BESIDE = { scans: { inPlace: 0 } };

/** Tests that a store keeps the whole contract. Each test opens one of its own. */
export function checkContract(openStore: () => Promise<Store>): void {
  test.each(RESOURCE_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => (await openStore()).resources)).resolves.toBeUndefined();
  });

  test.each(EVENT_FEED_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(openStore)).resolves.toBeUndefined();
  });

  test.each([...TENANCY_STORE_CONTRACT, ...CLIENT_STORE_CONTRACT])("$rule: $name", async ({ run }) => {
    await expect(run(openStore)).resolves.toBeUndefined();
  });

  test.each(ADMIN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(openStore)).resolves.toBeUndefined();
  });

  test.each(ADMIN_ACT_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(openStore)).resolves.toBeUndefined();
  });

  test.each(TOKEN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => (await openStore()).tokens)).resolves.toBeUndefined();
  });
}
