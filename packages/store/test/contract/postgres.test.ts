import { RESOURCE_STORE_CONTRACT } from "@scim/core/testing";
import { describe } from "vitest";
import { lendStore } from "../support/engines.ts";
import { builtCatalog, indexed } from "../support/indexed.ts";
import { BESIDE, checkContract, checkResources } from "./rules.ts";

/** Building takes longer on a server than writing what comes of it. */
const BUILT = { options: { preparedStatements: true }, catalog: builtCatalog() };

/** Rules that ask each statement dozens of times: sessions that keep statements plan each but a few times. */
const PAGES = RESOURCE_STORE_CONTRACT.filter(({ rule }) => rule === "query/keyset");

const OTHERS = RESOURCE_STORE_CONTRACT.filter((rule) => !PAGES.includes(rule));

/** Rules that an index, or a statement that is kept, could make a difference to. */
const ASKING = OTHERS.filter(({ rule }) => /^(?:query|concurrency|uniqueness)\//.test(rule));

// Named statements are what a connection without a pooler may have.
describe("PostgreSQL with prepared statements with every index declared", () => {
  checkResources(ASKING, async (lifetime) => indexed(await lendStore(BUILT, lifetime)));
});

describe("PostgreSQL with prepared statements", () => {
  const options = { ...BESIDE, preparedStatements: true };
  checkResources(PAGES, async (lifetime) => (await lendStore({ options }, lifetime)).resources);
});

describe("PostgreSQL", () => {
  checkContract((lifetime) => lendStore({ options: BESIDE }, lifetime), OTHERS);
});
