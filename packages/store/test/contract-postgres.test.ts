import { EVENT_FEED_CONTRACT, RESOURCE_STORE_CONTRACT, TOKEN_STORE_CONTRACT } from "@scim/core/testing";
import { describe, expect, test } from "vitest";
import { openPostgres } from "./support/engines.ts";

describe("PostgreSQL", () => {
  test.each(RESOURCE_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => (await openPostgres()).resources)).resolves.toBeUndefined();
  });

  test.each(EVENT_FEED_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(() => openPostgres())).resolves.toBeUndefined();
  });

  test.each(TOKEN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => (await openPostgres()).tokens)).resolves.toBeUndefined();
  });
});
