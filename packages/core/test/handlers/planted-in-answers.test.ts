import { compareKeys, type CompareOperator } from "@scim/filter";
import type { JsonObject } from "@scim/schemas";
import { expect, test } from "vitest";
import type { HandledResource, HandlerQuery, ResourceHandler } from "../../src/index.ts";
import { createMemoryHandler, runHandlerContract } from "../../src/testing/index.ts";
import { all, GROUPS, outcomes, ruleOf, USERS, type Planted } from "../support/planted-bugs.ts";
import { testSources } from "../support/sources.ts";
import { things } from "../support/things.ts";

/** A handler whose lists hold something else than it reads. */
function listing(whole: ResourceHandler, odd: (each: HandledResource) => HandledResource): ResourceHandler {
  return {
    ...whole,
    list: async (context, query) => {
      const list = await whole.list(context, query);
      return { ...list, resources: [...(list.resources as Iterable<HandledResource>)].map(odd) };
    },
  };
}

/** A handler that reads many at once otherwise than one. */
function many(whole: ResourceHandler, odd: (each: HandledResource) => HandledResource): ResourceHandler {
  return {
    ...whole,
    getMany: async (context, ids) =>
      (await all(whole, context)).filter(({ id }) => ids.includes(id)).map(odd),
  };
}

/** A handler that keeps texts otherwise than they are sent. */
function keeping(whole: ResourceHandler, odd: (text: string) => string): ResourceHandler {
  const kept = (attributes: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [
        name,
        typeof value === "string" ? odd(value) : value,
      ]),
    );
  return {
    ...whole,
    create: (context, resource) =>
      whole.create(context, { ...resource, attributes: kept(resource.attributes) }),
    replace: (context, change) => whole.replace(context, { ...change, attributes: kept(change.attributes) }),
  };
}

type Comparison = HandlerQuery["filter"] & { readonly kind: "comparison" };

/** A handler that takes over comparisons by one operator. */
function comparing(
  whole: ResourceHandler,
  operator: CompareOperator,
  meets: (each: HandledResource, comparison: Comparison) => boolean | null,
): ResourceHandler {
  return {
    ...whole,
    list: async (context, query) => {
      const { filter } = query;
      if (filter?.kind !== "comparison" || filter.operator !== operator) return whole.list(context, query);
      const found = (await all(whole, context)).filter((each) => meets(each, filter) !== false);
      return { resources: found };
    },
  };
}

/** The order of the userName to that of a comparison; null where another attribute is compared. */
function orderOf({ attributes }: HandledResource, { path, value }: Comparison): number | null {
  if (path.attribute !== "userName") return null;
  return compareKeys(String(attributes["userName"]).toLowerCase(), String(value));
}

const short = ({ attributes, ...rest }: HandledResource): HandledResource => ({
  ...rest,
  attributes: { userName: attributes["userName"] ?? null },
});

/** Bugs that teams write, each by a rule that finds it out. */
const PLANTED: Planted = [
  ["list/as-read", "lists fewer columns than it reads", (whole) => listing(whole, short)],
  [
    "list/as-read",
    "lists another version than it reads",
    (whole) => listing(whole, (each) => ({ ...each, version: `l${String(each.version)}` })),
  ],
  [
    "list/as-read",
    "lists other dates than it reads",
    (whole) => listing(whole, (each) => ({ ...each, lastModified: "2001-01-01T00:00:00Z" })),
  ],
  ["read/many", "reads fewer columns of many than of one", (whole) => many(whole, short)],
  [
    "read/many",
    "reads no version of many",
    (whole) => many(whole, (each) => ({ ...each, version: undefined })),
  ],
  ["write/awkward-text", "cuts long texts", (whole) => keeping(whole, (text) => text.slice(0, 255))],
  ["write/awkward-text", "takes blanks off the end", (whole) => keeping(whole, (text) => text.trimEnd())],
  [
    "list/filters",
    "takes ge for gt",
    (whole) =>
      comparing(whole, "ge", (each, asked) => {
        const order = orderOf(each, asked);
        return order === null ? null : order > 0;
      }),
  ],
  [
    "list/filters",
    "takes lt for gt",
    (whole) =>
      comparing(whole, "lt", (each, asked) => {
        const order = orderOf(each, asked);
        return order === null ? null : order > 0;
      }),
  ],
  [
    "list/filters",
    "compares dates as it writes them",
    (whole) =>
      comparing(whole, "eq", (each, { path, value }) =>
        path.attribute === "meta" && path.subAttribute === "created" ? each.created === value : null,
      ),
  ],
  [
    "list/pages",
    "counts the page alone on pages by cursor",
    (whole) => ({
      ...whole,
      list: async (context, query) => {
        const list = await whole.list(context, query);
        const isByCursor = query.page !== null && "after" in query.page && list.served === "all";
        return isByCursor
          ? { ...list, total: [...(list.resources as Iterable<HandledResource>)].length }
          : list;
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

test("list/filters finds out a handler that compares numbers as text", async () => {
  const state = (n: number): JsonObject => ({ label: `Thing ${n}`, held: n });
  const open = (): ResourceHandler =>
    comparing(createMemoryHandler(), "gt", ({ attributes: { held = null } }, { path, value }) =>
      path.attribute === "held" ? held !== null && String(held) > String(value) : null,
    );
  const findings = await runHandlerContract(
    {
      type: "Thing",
      registry: things({ type: "integer" }),
      open,
      sample: state,
      changed: (n) => ({ ...state(n), held: 1000 }),
      sources: testSources(),
    },
    ruleOf("list/filters"),
  );
  expect(outcomes(findings)).toEqual(["broken list/filters"]);
});

test("references/rows finds out a handler that answers numbers for ids of who is named", async () => {
  const whole = createMemoryHandler();
  const named = ({
    id,
    attributes: { members = [] },
  }: HandledResource): readonly (readonly [string, string])[] =>
    (members as readonly { readonly value: string }[]).map(({ value }) => [value, id]);
  const open = (): ResourceHandler => ({
    ...whole,
    referrers: async (context, { values }) =>
      (await all(whole, context))
        .flatMap(named)
        .filter(([value]) => values.includes(value))
        // What code without types answers of a column of numbers.
        .map(([value, id]) => ({ value: Number(value) as never, id })),
  });
  const findings = await runHandlerContract({ ...GROUPS, open }, ruleOf("references/rows"));
  expect(outcomes(findings)).toEqual(["broken references/rows"]);
});
