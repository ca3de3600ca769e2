import { filters, resources, sortPaths, worlds, type TypeShape } from "@scim/fixtures/arbitraries";
import { printAttributePath, printFilter } from "@scim/filter/ast";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ENGINES } from "../support/engines.ts";
import { idsOf, walk, type Query } from "../support/services.ts";
import { fill, twoServices, type TriedService } from "./two-services.ts";

/** Walks for each schema. */
const WALKS = 3;

/** A filter or none, any order, and few resources on a page. */
function walks(shape: TypeShape): fc.Arbitrary<Query> {
  return fc.record({
    filter: fc.option(filters(shape).map(printFilter), { nil: null, freq: 2 }),
    sortBy: fc.option(sortPaths(shape).map(printAttributePath), { nil: null, freq: 4 }),
    sortOrder: fc.constantFrom("ascending", "descending"),
    count: fc.integer({ min: 1, max: 3 }),
  });
}

/** The ids of the resources that a walk visits; `between` runs after each page. */
async function visits(
  service: TriedService,
  query: Query,
  between?: () => Promise<unknown>,
): Promise<readonly unknown[]> {
  const pages = await walk((cursor) => service.list({ ...query, cursor }), {}, between);
  return pages.flatMap(idsOf);
}

describe.each(ENGINES)("walking by cursor over generated schemas on %s", (name, openStore) => {
  // A server takes longer to answer, and what may go wrong there alone goes wrong soon.
  const share = name === "SQLite" ? 1 : 0.2;
  const cases = fc.tuple(worlds({ hidden: true, defaults: false }), fc.gen());

  test("visits each resource exactly once, in the order of the list by index", async () => {
    const { resources: store } = await openStore();
    await fc.assert(
      fc.asyncProperty(cases, async ([world, draw]) => {
        const services = twoServices(world, store);
        await fill(services, 6, draw);
        for (let turn = 0; turn < WALKS; turn += 1) {
          const query = draw(walks, services.thing);
          const all = idsOf(await services.sql.list({ ...query, count: 100 }));
          expect(await visits(services.sql, query), JSON.stringify(query)).toEqual(all);
          expect(await visits(services.memory, query), JSON.stringify(query)).toEqual(all);
        }
      }),
      { numRuns: 70 * share },
    );
  });

  test("visits those that stay exactly once while others come and go", async () => {
    const { resources: store } = await openStore();
    await fc.assert(
      fc.asyncProperty(cases, async ([world, draw]) => {
        const services = twoServices(world, store);
        await fill(services, 8, draw);
        const { sql, thing } = services;
        const query = draw(walks, thing);
        const before = idsOf(await sql.list({ ...query, count: 100 }));
        const leaving = before.filter((_id, index) => index % 3 === 1).map(String);
        const visited = await visits(sql, query, async () => {
          const id = leaving.pop();
          if (id !== undefined) await sql.remove(id);
          if (id !== undefined) await sql.create("Thing", draw(resources, thing));
        });
        const gone = new Set(before.filter((_id, index) => index % 3 === 1));
        expect(new Set(visited).size).toBe(visited.length);
        expect(visited).toEqual(expect.arrayContaining(before.filter((id) => !gone.has(id)).map(String)));
      }),
      { numRuns: 40 * share },
    );
  });
});
