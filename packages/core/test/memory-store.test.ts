import { describe, expect, test } from "vitest";
import {
  createMemoryStore,
  EVENT_FEED_CONTRACT,
  RESOURCE_STORE_CONTRACT,
  type StoreWithEvents,
} from "../src/testing/index.ts";

describe("resources in memory", () => {
  test.each(RESOURCE_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => createMemoryStore())).resolves.toBeUndefined();
  });
});

describe("events in memory", () => {
  test.each(EVENT_FEED_CONTRACT)("$rule: $name", async ({ run }) => {
    const open = async (): Promise<StoreWithEvents> => {
      const resources = createMemoryStore();
      return { resources, events: resources.events };
    };
    await expect(run(open)).resolves.toBeUndefined();
  });
});
