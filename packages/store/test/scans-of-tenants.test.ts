import { createPlan, filterOf, indexPage, NOTHING, SCOPE } from "@scim/core/testing";
import type { StoreQuery, StoreScope } from "@scim/core";
import { expect, test } from "vitest";
import { openPostgres } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";

/** Of one tenant two at once, and always a turn for another; also few resources are gone through beside requests. */
const SCANS = { atOnce: 3, perTenant: 2, inPlace: 0 };

const OTHER: StoreScope = { ...SCOPE, tenant: "other" };

function queryOf(filter: string): StoreQuery {
  return {
    type: "User",
    filter: filterOf("User", filter),
    sort: null,
    page: indexPage(0, 9),
    select: NOTHING,
  };
}

/** What indexes cannot answer, and rows can. */
const BY_ROWS = queryOf('title eq "dr"');
/** What rows cannot answer either: the service filters candidates, as fast as it takes them. */
const BY_SERVICE = queryOf('meta.location co "x"');

test.each([
  ["SQLite", () => open(newFile(), { scans: SCANS })],
  ["PostgreSQL", () => openPostgres({ scans: SCANS })],
] as const)("%s: whoever holds all turns of a tenant holds up no other", async (_name, openStore) => {
  const store = await openStore();
  for (const scope of [SCOPE, OTHER])
    await store.resources.write(scope, createPlan({ type: "User", id: "u1", body: { title: "Dr" } }));
  const held = await Promise.all(
    [1, 2].map(async () => {
      const answer = await store.resources.query(SCOPE, BY_SERVICE);
      if (answer.kind !== "candidates") throw new Error("The rows do not decide it.");
      const batches = answer.batches[Symbol.asyncIterator]();
      await batches.next();
      return batches;
    }),
  );
  let third = "waits";
  const waiting = store.resources.query(SCOPE, BY_ROWS).then((page) => {
    third = "is answered";
    return page;
  });
  expect(await store.resources.query(OTHER, BY_ROWS)).toMatchObject({
    kind: "page",
    total: 1,
    scanned: true,
  });
  expect(third).toBe("waits");
  await expect.poll(() => store.load().scans).toEqual({ running: 2, waiting: 1 });
  for (const batches of held) await batches.return?.();
  expect(await waiting).toMatchObject({ kind: "page", total: 1 });
  expect(store.load().scans).toEqual({ running: 0, waiting: 0 });
});
