import { queryOnce } from "@scim/fixtures/postgres";
import { RESOURCE_STORE_CONTRACT } from "@scim/core/testing";
import { describe } from "vitest";
import type { Store } from "../../src/store.ts";
import { emptyDatabase, openPostgres, openPostgresAt } from "../support/engines.ts";
import { builtCatalog, indexed } from "../support/indexed.ts";
import type { Lifetime } from "../support/lifetimes.ts";
import { BESIDE, checkContract, checkResources } from "./rules.ts";

/** Building takes longer on a server than writing what comes of it. */
async function openBuilt(lifetime: Lifetime): Promise<Store> {
  const url = await emptyDatabase(undefined, lifetime);
  await queryOnce(url, builtCatalog().join(";"));
  return openPostgresAt(url, { preparedStatements: true }, lifetime);
}

/** Rules that an index, or a statement that is kept, could make a difference to. */
const ASKING = RESOURCE_STORE_CONTRACT.filter(
  ({ rule }) => /^(?:query|concurrency|uniqueness)\//.test(rule) && rule !== "query/keyset",
);

// Named statements are what a connection without a pooler may have.
describe("PostgreSQL with prepared statements with every index declared", () => {
  checkResources(ASKING, async (lifetime) => indexed(await openBuilt(lifetime)));
});

describe("PostgreSQL", () => {
  checkContract((lifetime) => openPostgres(BESIDE, lifetime));
});
