import { createMemoryStore } from "@scim/core/testing";
import { expect, test } from "vitest";
import {
  createMemoryReceivers,
  createMemorySigningKeys,
  RECEIVER_CONTRACT,
  SIGNING_KEY_CONTRACT,
} from "../src/testing/index.ts";

test.each(RECEIVER_CONTRACT)("$rule: $name", async ({ run }) => {
  const opened = async () => {
    const resources = createMemoryStore();
    const { events } = resources;
    return { resources, events, receivers: createMemoryReceivers(events) };
  };
  await expect(run(opened)).resolves.toBeUndefined();
});

test.each(SIGNING_KEY_CONTRACT)("$rule: $name", async ({ run }) => {
  const opened = async () => ({ signingKeys: createMemorySigningKeys() });
  await expect(run(opened)).resolves.toBeUndefined();
});
