import { EVENT_FEED_CONTRACT, RESOURCE_STORE_CONTRACT, TOKEN_STORE_CONTRACT } from "@scim/core/testing";
import { describe, expect, test } from "vitest";
import { emptyDatabase, openPostgres, openPostgresAt, queryPostgres } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";
import { builtCatalog, indexed } from "./support/indexed.ts";
import type { Store } from "../src/store.ts";

/** Building takes longer on a server than writing what comes of it. */
async function openBuilt(): Promise<Store> {
  const url = await emptyDatabase();
  await queryPostgres(url, builtCatalog().join(";"));
  return openPostgresAt(url, { preparedStatements: true });
}

/** Rules that an index, or a statement that is kept, could make a difference to. */
const ASKING = RESOURCE_STORE_CONTRACT.filter(
  ({ rule }) => /^(?:query|concurrency|uniqueness)\//.test(rule) && rule !== "query/keyset",
);

describe.each([
  ["SQLite", () => open(newFile()), RESOURCE_STORE_CONTRACT],
  // Named statements are what a connection without a pooler may have.
  ["PostgreSQL with prepared statements", openBuilt, ASKING],
])("%s with every index declared", (_name, openStore, rules) => {
  test.each(rules)("$rule: $name", async ({ run }) => {
    await expect(run(async () => indexed(await openStore()))).resolves.toBeUndefined();
  });
});

/** However few the resources: scans run beside the requests. */
const BESIDE = { scans: { inPlace: 0 } };

describe.each([
  ["SQLite in a file", () => open(newFile(), BESIDE)],
  ["SQLite in memory", () => open(":memory:")],
  ["PostgreSQL", () => openPostgres(BESIDE)],
])("%s", (_name, openStore) => {
  test.each(RESOURCE_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => (await openStore()).resources)).resolves.toBeUndefined();
  });

  test.each(EVENT_FEED_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(openStore)).resolves.toBeUndefined();
  });

  test.each(TOKEN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => (await openStore()).tokens)).resolves.toBeUndefined();
  });
});
