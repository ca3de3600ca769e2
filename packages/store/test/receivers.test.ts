import { RECEIVER_CONTRACT, SIGNING_KEY_CONTRACT } from "@scim/events/testing";
import { describe, expect, test } from "vitest";
import type { Store } from "../src/store.ts";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";

const ENGINES: readonly (readonly [string, () => Promise<Store>])[] = [
  ["SQLite", async () => open(newFile())],
  ["PostgreSQL", async () => openPostgresAt(await emptyDatabase())],
];

describe.each(ENGINES)("receivers on %s", (_name, openStore) => {
  test.each(RECEIVER_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(openStore)).resolves.toBeUndefined();
  });

  test.each(SIGNING_KEY_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(openStore)).resolves.toBeUndefined();
  });
});
