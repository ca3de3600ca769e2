import { filters, sortPaths, worlds, type TypeShape } from "@scim/fixtures/arbitraries";
import { printAttributePath, printFilter } from "@scim/filter/ast";
import type { ListAnswer, ResourceStore } from "@scim/core";
import { isJsonObject, type JsonObject } from "@scim/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openPostgres } from "../support/engines.ts";
import { newFile, open } from "../support/folders.ts";
import type { Query } from "../support/services.ts";
import { fill, twoServices } from "./two-services.ts";

/** Queries for each schema. */
const QUERIES = 4;

/** Pages of any filter, in any order. */
function queries(shape: TypeShape): fc.Arbitrary<Query> {
  return fc.record({
    filter: fc.option(filters(shape).map(printFilter), { nil: null, freq: 8 }),
    sortBy: fc.option(sortPaths(shape).map(printAttributePath), { nil: null }),
    sortOrder: fc.constantFrom("ascending", "descending"),
    startIndex: fc.integer({ min: 1, max: 3 }),
    count: fc.constantFrom(0, 1, 2, 10),
  });
}

/** What an answer says, without versions, which are each store's own. */
function saidBy({ totalResults, resources }: ListAnswer): unknown {
  return { totalResults, resources: resources.map(withoutVersion) };
}

function withoutVersion({ meta, ...values }: JsonObject): JsonObject {
  const { version: _version, ...rest } = isJsonObject(meta) ? meta : {};
  return { ...values, meta: rest };
}

/** However few the resources: scans run beside the requests. */
const BESIDE = { scans: { inPlace: 0 } };

test.each([
  ["SQLite on the thread of the requests", () => open(":memory:"), 75],
  ["SQLite beside it", () => open(newFile(), BESIDE), 40],
  ["PostgreSQL", () => openPostgres(BESIDE), 25],
] as const)(
  "R7644-3.4.2.2-02 any filter over any schema, in any order and on any page, finds the same in %s and by going through all",
  async (_, openStore, numRuns) => {
    const kinds = { page: 0, scanned: 0, candidates: 0 };
    const { resources } = await openStore();
    const store: ResourceStore = {
      ...resources,
      query: async (scope, query) => {
        const answer = await resources.query(scope, query);
        if (answer.kind === "page" && answer.scanned === true) kinds.scanned += 1;
        else if (query.filter !== null || query.sort !== null) kinds[answer.kind] += 1;
        return answer;
      },
    };
    await fc.assert(
      fc.asyncProperty(worlds({ hidden: true, defaults: false }), fc.gen(), async (world, draw) => {
        const services = twoServices(world, store);
        await fill(services, 5, draw);
        for (let turn = 0; turn < QUERIES; turn += 1) {
          const query = draw(queries, services.thing);
          const wanted = saidBy(await services.memory.list(query));
          expect(saidBy(await services.sql.list(query)), JSON.stringify(query)).toEqual(wanted);
        }
      }),
      { numRuns },
    );
    // All ways of answering have been gone: by SQL alone, by what rows say, and with candidates that the service filters.
    for (const times of Object.values(kinds)) expect(times).toBeGreaterThan(10);
  },
);
