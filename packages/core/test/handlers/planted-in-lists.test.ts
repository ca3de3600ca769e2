import { isJsonArray, isJsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { HandledReferrer, HandledResource, HandlerContext, ResourceHandler } from "../../src/index.ts";
import { createMemoryHandler, runHandlerContract } from "../../src/testing/index.ts";
import {
  all,
  foreign,
  GROUPS,
  northern,
  outcomes,
  ruleOf,
  USERS,
  type Planted,
} from "../support/planted-bugs.ts";

/** Bugs that teams write, each by a rule that finds it out. */
const PLANTED: Planted = [
  [
    "list/changing",
    "looks for the place of a page by a row that may be gone",
    (whole) => ({
      ...whole,
      list: async (context, query) => {
        const { page } = query;
        if (query.filter !== null || page === null || !("after" in page)) return whole.list(context, query);
        const sorted = (await all(whole, context)).toSorted((left, right) => (left.id < right.id ? -1 : 1));
        const place = sorted.findIndex(({ id }) => id === page.after);
        if (page.after !== null && place < 0) return { resources: [], served: "all" };
        return { resources: sorted.slice(place + 1, place + 1 + page.limit), served: "all" };
      },
    }),
  ],
  [
    "list/read-while-written",
    "holds its one connection as long as a list is read",
    (whole) => {
      let isBusy = false;
      return {
        ...whole,
        list: async (context, query) => {
          const list = await whole.list(context, query);
          return {
            ...list,
            resources: (function* busy() {
              isBusy = true;
              yield* list.resources as Iterable<HandledResource>;
              isBusy = false;
            })(),
          };
        },
        create: (context, resource) => {
          if (isBusy) throw new TypeError("This database connection is busy executing a query");
          return whole.create(context, resource);
        },
      };
    },
  ],
  [
    "list/pages",
    "counts by the rows of the page",
    (whole) => ({
      ...whole,
      list: async (context, query) => {
        const list = await whole.list(context, query);
        const resources = [...(list.resources as Iterable<HandledResource>)];
        return list.served === "all" && resources.length === 0 ? { ...list, total: 0 } : list;
      },
    }),
  ],
  [
    "list/filters",
    "puts no brackets round OR beside the tenant",
    (whole) => ({
      ...whole,
      list: async (context, query) => {
        if (query.filter?.kind !== "or") return whole.list(context, query);
        return { resources: [...(await all(whole, context)), ...(await all(whole, foreign(context)))] };
      },
    }),
  ],
  [
    "list/filters",
    "forgets the filter on pages by cursor",
    (whole) => ({
      ...whole,
      list: (context, query) =>
        whole.list(
          context,
          query.page !== null && "after" in query.page ? { ...query, filter: null } : query,
        ),
    }),
  ],
  [
    "list/filters",
    "takes false for true",
    (whole) => ({
      ...whole,
      list: async (context, query) => {
        const { filter } = query;
        if (filter?.kind !== "comparison" || filter.path.attribute !== "active")
          return whole.list(context, query);
        return {
          resources: (await all(whole, context)).filter(({ attributes }) => attributes["active"] === true),
        };
      },
    }),
  ],
  [
    "list/sorts",
    "sorts a date the other way round",
    (whole) => ({
      ...whole,
      list: async (context, query) => {
        const { sort, page, filter } = query;
        if (sort?.path !== "meta.created" || filter !== null || page === null || !("offset" in page))
          return whole.list(context, query);
        const found = (await all(whole, context)).toSorted((left, right) =>
          String(left.created) > String(right.created) === sort.descending ? 1 : -1,
        );
        const resources = found.slice(page.offset, page.offset + page.limit);
        return { resources, served: "all", total: found.length };
      },
    }),
  ],
];

test.each(PLANTED)("%s finds out a handler that %s", async (rule, _, plant) => {
  const findings = await runHandlerContract(
    { ...USERS, open: () => plant(createMemoryHandler()) },
    ruleOf(rule),
  );
  expect(outcomes(findings)).toEqual([`broken ${rule}`]);
});

/** Groups whose handler answers who names an id by itself. */
function referring(tenantOf: (context: HandlerContext) => HandlerContext): ResourceHandler {
  const whole = createMemoryHandler();
  const named = (resource: HandledResource): readonly HandledReferrer[] => {
    const { members } = resource.attributes;
    const held = isJsonArray(members) ? members.filter(isJsonObject) : [];
    return held.map(({ value }) => ({ value: String(value), id: resource.id }));
  };
  return {
    ...whole,
    getMany: async (context, ids) => (await all(whole, context)).filter(({ id }) => ids.includes(id)),
    referrers: async (context, { values }) =>
      (await all(whole, tenantOf(context))).flatMap(named).filter(({ value }) => values.includes(value)),
  };
}

describe("a handler that tells who names an id", () => {
  test.each([
    ["kept", "of its tenant", (context: HandlerContext) => context],
    ["broken", "of any tenant", northern],
  ] as const)("references/rows is %s by one that looks at groups %s", async (outcome, _, tenantOf) => {
    const findings = await runHandlerContract({ ...GROUPS, open: () => referring(tenantOf) }, [
      ...ruleOf("read/many"),
      ...ruleOf("references/rows"),
    ]);
    expect(outcomes(findings)).toEqual(["kept read/many", `${outcome} references/rows`]);
  });
});

/** As teams write them: with what only the class itself sees. */
class PrivateHandler implements ResourceHandler {
  readonly comparesVersions = true;
  readonly #whole = createMemoryHandler();

  get: ResourceHandler["get"] = (context, id) => this.#whole.get(context, id);
  list(...asked: Parameters<ResourceHandler["list"]>): ReturnType<ResourceHandler["list"]> {
    return this.#whole.list(...asked);
  }
  create(...asked: Parameters<ResourceHandler["create"]>): ReturnType<ResourceHandler["create"]> {
    return this.#whole.create(...asked);
  }
  replace(...asked: Parameters<ResourceHandler["replace"]>): ReturnType<ResourceHandler["replace"]> {
    return this.#whole.replace(...asked);
  }
  delete(...asked: Parameters<ResourceHandler["delete"]>): ReturnType<ResourceHandler["delete"]> {
    return this.#whole.delete(...asked);
  }
}

test("a handler may be a class with private members", async () => {
  const findings = await runHandlerContract({ ...USERS, open: () => new PrivateHandler() });
  expect(findings.filter(({ outcome }) => outcome === "broken")).toEqual([]);
});
