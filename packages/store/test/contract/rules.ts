/** What every store of this package is held to, on each engine. */
import type { ResourceStore } from "@scim/core";
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
import { type Lifetime, ofGroup, ofTest } from "../support/lifetimes.ts";

/** However few the resources: scans run beside the requests. */
export const BESIDE = { scans: { inPlace: 0 } };

/**
 * Tests that a store keeps rules of resources. Each test opens one of its own, but those that only read the same
 * resources share one.
 */
export function checkResources(
  rules: typeof RESOURCE_STORE_CONTRACT,
  openStore: (lifetime: Lifetime) => Promise<ResourceStore>,
): void {
  const lifetime = ofGroup();
  let shared: Promise<ResourceStore> | null = null;
  const openShared = (): Promise<ResourceStore> => (shared ??= openStore(lifetime));

  test.each(rules)("$rule: $name", async ({ run, onlyReads }) => {
    const open = onlyReads === true ? openShared : () => openStore(ofTest);
    await expect(run(open)).resolves.toBeUndefined();
  });
}

/** Tests that a store keeps the whole contract. */
export function checkContract(open: (lifetime: Lifetime) => Promise<Store>): void {
  checkResources(RESOURCE_STORE_CONTRACT, async (lifetime) => (await open(lifetime)).resources);
  const openStore = (): Promise<Store> => open(ofTest);

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
