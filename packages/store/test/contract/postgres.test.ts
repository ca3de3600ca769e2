import { RESOURCE_STORE_CONTRACT } from "@scim/core/testing";
import { describe } from "vitest";
import { lendStore } from "../support/engines.ts";
import { builtCatalog, indexed } from "../support/indexed.ts";
import { BESIDE, checkContract, checkResources } from "./rules.ts";

/** Building takes longer on a server than writing what comes of it. */
const BUILT = { options: { preparedStatements: true }, catalog: builtCatalog() };

/** Rules that an index, or a statement that is kept, could make a difference to. */
const ASKING = RESOURCE_STORE_CONTRACT.filter(
  ({ rule }) => /^(?:query|concurrency|uniqueness)\//.test(rule) && rule !== "query/keyset",
);

// Named statements are what a connection without a pooler may have.
describe("PostgreSQL with prepared statements with every index declared", () => {
  checkResources(ASKING, async (lifetime) => indexed(await lendStore(BUILT, lifetime)));
});

describe("PostgreSQL", () => {
  checkContract((lifetime) => lendStore({ options: BESIDE }, lifetime));
});
