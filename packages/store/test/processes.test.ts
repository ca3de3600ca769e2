import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { fetchOne, indexPage, NOTHING, SCOPE, seed } from "@scim/core/testing";
import { expect, test } from "vitest";
import { newFile, open } from "./support/folders.ts";

const WRITES = 60;

test("two processes on one file: every acknowledged write is found once", async () => {
  const path = newFile();
  const store = await open(path);
  await seed(store.resources, [{ type: "Badge", id: "shared", body: {} }]);
  const script = join(import.meta.dirname, "support", "write-many.ts");
  const run = promisify(execFile);
  const outputs = await Promise.all(
    ["a", "b"].map(async (name) => {
      const args = ["--conditions=@scim/source", script, path, name, String(WRITES)];
      const { stdout } = await run(process.execPath, args);
      return JSON.parse(stdout) as { readonly acknowledged: readonly string[] };
    }),
  );
  const acknowledged = outputs.flatMap((output) => output.acknowledged);
  expect(acknowledged).toHaveLength(2 * WRITES);

  const shared = await fetchOne(store.resources, { type: "Badge", id: "shared" });
  expect(Object.keys(shared.body).toSorted()).toEqual(acknowledged.toSorted());
  // One creation, then one revision for each acknowledged write: no write took the place of another.
  expect(Number.parseInt(shared.version.split("-", 1)[0] ?? "", 36)).toBe(1 + acknowledged.length);
  const users = await store.resources.query(SCOPE, {
    type: "User",
    filter: null,
    sort: null,
    page: indexPage(0, 1000),
    select: NOTHING,
  });
  expect(users).toMatchObject({ kind: "page", total: acknowledged.length });
});
