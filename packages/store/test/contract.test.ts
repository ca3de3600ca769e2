import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RESOURCE_STORE_CONTRACT, TOKEN_STORE_CONTRACT } from "@scim/core/testing";
import { afterEach, describe, expect, test } from "vitest";
import { openSqliteStore, type SqliteStore } from "../src/sqlite/index.ts";

const folders: string[] = [];
const stores: SqliteStore[] = [];

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "scim-store-"));
  folders.push(folder);
  return join(folder, "scim.db");
}

async function open(path: string): Promise<SqliteStore> {
  const store = await openSqliteStore({ path });
  stores.push(store);
  return store;
}

afterEach(async () => {
  await Promise.all(stores.splice(0).map(async (store) => store.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe.each([
  ["a file", newFile],
  ["memory", () => ":memory:"],
])("SQLite in %s", (_name, path) => {
  test.each(RESOURCE_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => (await open(path())).resources)).resolves.toBeUndefined();
  });

  test.each(TOKEN_STORE_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(async () => (await open(path())).tokens)).resolves.toBeUndefined();
  });
});
