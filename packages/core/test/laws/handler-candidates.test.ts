import { filters, register, resources, shapeOf, sortPaths, worlds } from "@scim/fixtures/arbitraries";
import type { TypeShape, World } from "@scim/fixtures/arbitraries";
import { printAttributePath, printFilter } from "@scim/filter/ast";
import { compareKeys } from "@scim/filter";
import { createDefaultRegistry, ScimError, type JsonObject } from "@scim/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { HandledResource, HandlerList, ListAnswer, ResourceHandler } from "../../src/index.ts";
import { createMemoryHandler } from "../../src/testing/index.ts";
import type { Query, TestClient } from "../support/client.ts";
import { TEST_SEAL, walk } from "../support/cursors.ts";
import { handledStore } from "../support/handled-store.ts";
import { testService } from "../support/service.ts";

/** Queries for each schema. */
const QUERIES = 4;

/** How a handler answers a query: with which of all its resources, and in which form. */
interface Manner {
  readonly lists: (id: string) => boolean;
  readonly form: "array" | "backwards" | "in order of id" | "one by one";
}

const WHOLE: Manner = { lists: () => true, form: "array" };

interface Served {
  readonly client: TestClient;
  readonly thing: TypeShape;
  /** How the handler answers from now on. */
  readonly behave: (manner: Manner) => void;
}

/** Serves a world whose things a handler keeps. */
function serve(world: World): Served {
  const registry = createDefaultRegistry();
  register(world, registry);
  const memory = createMemoryHandler({ pages: false });
  let manner = WHOLE;
  const list: ResourceHandler["list"] = async (context, query) => {
    const { resources: all } = await memory.list(context, query);
    const kept: HandledResource[] = [];
    for await (const each of all) if (manner.lists(each.id)) kept.push(each);
    return listed(kept, manner.form);
  };
  const { as } = testService((served) => register(world, served), {
    wrap: () => handledStore(registry, { handlers: { Thing: { ...memory, list } } }),
    cursorSeal: TEST_SEAL,
  });
  return {
    client: as("strict"),
    thing: shapeOf(registry, "Thing"),
    behave: (next) => {
      manner = next;
    },
  };
}

function listed(kept: readonly HandledResource[], form: Manner["form"]): HandlerList {
  const sorted = kept.toSorted((left, right) => compareKeys(left.id, right.id));
  switch (form) {
    case "array":
      return { resources: kept };
    case "backwards":
      return { resources: sorted.toReversed() };
    case "in order of id":
      return { resources: sorted, order: "id" };
    case "one by one":
      return { resources: slowly(sorted), order: "id" };
  }
}

async function* slowly(all: readonly HandledResource[]): AsyncGenerator<HandledResource, void, undefined> {
  for (const each of all) {
    await Promise.resolve();
    yield each;
  }
}

interface PagedQuery extends Query {
  readonly byCursor: boolean;
}

/** Any filter or none, in any order, on pages by number or by cursor. */
function queries(shape: TypeShape): fc.Arbitrary<PagedQuery> {
  return fc.record({
    filter: fc.option(filters(shape).map(printFilter), { nil: null, freq: 6 }),
    sortBy: fc.option(sortPaths(shape).map(printAttributePath), { nil: null }),
    sortOrder: fc.constantFrom("ascending", "descending"),
    count: fc.constantFrom(1, 2, 5),
    byCursor: fc.boolean(),
  });
}

async function pagesOf(client: TestClient, query: PagedQuery): Promise<unknown> {
  const { byCursor, ...rest } = query;
  // Pages by cursor may leave the total out, so as to read no further.
  if (byCursor) return (await walk(client, "Thing", { query: rest })).map((page) => page.resources);
  return [
    shown(await client.list("Thing", rest)),
    shown(await client.list("Thing", { ...rest, startIndex: 3 })),
  ];
}

function shown({ resources: page, totalResults }: ListAnswer): unknown {
  return { page, totalResults };
}

test("a handler that leaves out some of what does not match is answered for as one that lists everything", async () => {
  await fc.assert(
    fc.asyncProperty(worlds({ hidden: true, defaults: false }), fc.gen(), async (world, draw) => {
      const { client, thing, behave } = serve(world);
      for (let count = 0; count < 6; count += 1) await createIfFree(client, draw(resources, thing));
      for (let turn = 0; turn < QUERIES; turn += 1) {
        const query = draw(queries, thing);
        behave(WHOLE);
        const wanted = await pagesOf(client, query);
        const { filter = null } = query;
        const matches = new Set(await idsOf(client, filter));
        const others = new Set(draw(fc.subarray, await idsOf(client, null)));
        for (const form of ["array", "backwards", "in order of id", "one by one"] as const) {
          behave({ lists: (id) => matches.has(id) || others.has(id), form });
          expect(await pagesOf(client, query), JSON.stringify([query, form])).toEqual(wanted);
        }
      }
    }),
    { numRuns: 40 },
  );
});

async function idsOf(client: TestClient, filter: string | null): Promise<string[]> {
  const { resources: found } = await client.list("Thing", { filter, count: 100 });
  return found.map(({ id }) => String(id));
}

/** What is unique may be drawn twice. */
async function createIfFree(client: TestClient, body: JsonObject): Promise<void> {
  try {
    await client.post("Thing", body);
  } catch (error) {
    if (!(error instanceof ScimError) || error.code !== "uniqueness") throw error;
  }
}
