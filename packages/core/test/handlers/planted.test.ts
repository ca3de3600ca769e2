import { createDefaultRegistry, isJsonArray, isJsonObject, ScimError, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { HandledReferrer, HandledResource, HandlerContext, ResourceHandler } from "../../src/index.ts";
import {
  createMemoryHandler,
  HANDLER_CONTRACT,
  type HandlerFinding,
  type HandlerSubject,
  runHandlerContract,
} from "../../src/testing/index.ts";
import { testSources } from "../support/sources.ts";

const USERS: Omit<HandlerSubject, "open"> = {
  type: "User",
  registry: createDefaultRegistry(),
  sample: (n) => ({
    userName: `User${String(n)}`,
    title: n % 2 === 0 ? "Guide" : "guide",
    active: n % 3 === 0,
  }),
  changed: (n) => ({ userName: `User${String(n)}`, active: false }),
  sources: testSources(),
};

const GROUPS: Omit<HandlerSubject, "open"> = {
  ...USERS,
  type: "Group",
  sample: (n) => ({ displayName: `Group ${String(n)}` }),
  changed: (n) => ({ displayName: `Group ${String(n)}`, externalId: "x" }),
};

const EVERYTHING = { filter: null, sort: null, page: null } as const;

async function all(handler: ResourceHandler, context: HandlerContext): Promise<readonly HandledResource[]> {
  const { resources } = await handler.list(context, EVERYTHING);
  return [...(resources as Iterable<HandledResource>)];
}

/** Deletes what there is, as a transaction that is taken back with the writes of others in it. */
async function takeBack(handler: ResourceHandler, context: HandlerContext): Promise<void> {
  const versionOf = ({ version = "" }: HandledResource): string => version;
  for (const each of await all(handler, context)) {
    const { id } = each;
    await handler.delete(context, { id, expectedVersion: versionOf(each), versionOf, at: "", dryRun: false });
  }
}

const foreign = (context: HandlerContext): HandlerContext => ({ ...context, tenant: "south" });
const northern = (context: HandlerContext): HandlerContext => ({ ...context, tenant: "north" });

function ascii(attributes: JsonObject): string {
  return String(attributes["userName"]).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A version that moves with the clock, by the minute. */
function byTheMinute(whole: ResourceHandler): ResourceHandler {
  const dated = (handled: HandledResource): HandledResource => ({
    ...handled,
    version: String(handled.lastModified).slice(0, 16).replaceAll(":", "."),
  });
  return {
    ...whole,
    get: async (context, id) => {
      const current = await whole.get(context, id);
      return current === null ? null : dated(current);
    },
    create: async (context, resource) => dated(await whole.create(context, resource)),
    replace: async (context, change) => {
      const versionOf = (current: HandledResource): string => change.versionOf(dated(current));
      const changed = await whole.replace(context, { ...change, versionOf });
      return changed === "conflict" ? changed : dated(changed);
    },
  };
}

/** Bugs that teams write, each by a rule that finds it out. */
const PLANTED: readonly (readonly [string, string, (whole: ResourceHandler) => ResourceHandler])[] = [
  [
    "write/gone",
    "says that it deleted what was gone",
    (whole) => ({
      ...whole,
      delete: async (context, deletion) => {
        await whole.delete(context, deletion);
        return "deleted" as const;
      },
    }),
  ],
  [
    "write/gone",
    "makes again what was deleted",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const changed = await whole.replace(context, change);
        if (changed !== "conflict" || (await whole.get(context, change.id)) !== null) return changed;
        return whole.create(context, { ...change, unique: change.unique.add });
      },
    }),
  ],
  [
    "version/compared",
    "deletes whatever the version",
    (whole) => ({
      ...whole,
      delete: async (context, deletion) => {
        const now = await whole.get(context, deletion.id);
        if (now === null) return "conflict";
        return whole.delete(context, { ...deletion, expectedVersion: deletion.versionOf(now) });
      },
    }),
  ],
  [
    "version/one-wins",
    "compares, waits, and deletes",
    (whole) => ({
      ...whole,
      delete: async (context, deletion) => {
        const now = await whole.get(context, deletion.id);
        if (now === null || deletion.versionOf(now) !== deletion.expectedVersion) return "conflict";
        await Promise.resolve();
        await whole.delete(context, deletion);
        return "deleted";
      },
    }),
  ],
  ["version/moves-at-once", "has a version of the clock", byTheMinute],
  [
    "tenant/writes",
    "replaces by the id alone",
    (whole) => ({ ...whole, replace: (context, change) => whole.replace(northern(context), change) }),
  ],
  [
    "tenant/writes",
    "deletes by the id alone",
    (whole) => ({ ...whole, delete: (context, deletion) => whole.delete(northern(context), deletion) }),
  ],
  [
    "read/many",
    "gets many of any tenant",
    (whole) => ({
      ...whole,
      getMany: async (context, ids) =>
        (await all(whole, northern(context))).filter(({ id }) => ids.includes(id)),
    }),
  ],
  [
    "attributes/changes",
    "forgets a column when it changes a row",
    (whole) => ({
      ...whole,
      replace: (context, { attributes: { nickName: _left, ...attributes }, ...change }) =>
        whole.replace(context, { ...change, attributes }),
    }),
  ],
  [
    "attributes/changes",
    "keeps what was taken away",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const before = await whole.get(context, change.id);
        const { nickName = null } = { ...before?.attributes, ...change.attributes };
        return whole.replace(context, { ...change, attributes: { ...change.attributes, nickName } });
      },
    }),
  ],
  [
    "write/dates",
    "makes a changed row anew",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const changed = await whole.replace(context, change);
        return changed === "conflict" ? changed : { ...changed, created: change.at };
      },
    }),
  ],
  [
    "write/unique-own",
    "takes the holder of a value for another",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const before = await whole.get(context, change.id);
        const isRespelled =
          before !== null &&
          ascii(before.attributes) === ascii(change.attributes) &&
          before.attributes["userName"] !== change.attributes["userName"];
        if (isRespelled) throw new ScimError("uniqueness", "Taken.");
        return whole.replace(context, change);
      },
    }),
  ],
  [
    "write/unique-letters",
    "folds letters of ASCII alone",
    (whole) => ({
      ...whole,
      create: (context, resource) => {
        const unique = resource.unique.map((entry) => ({ ...entry, key: ascii(resource.attributes) }));
        return whole.create(context, { ...resource, unique });
      },
    }),
  ],
  [
    "write/unique-at-once",
    "looks for another holder before it changes a row, and not as it does",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const others = (await all(whole, context)).filter(({ id }) => id !== change.id);
        if (others.some(({ attributes }) => ascii(attributes) === ascii(change.attributes)))
          throw new ScimError("uniqueness", "Taken.");
        await Promise.resolve();
        return whole.replace(context, { ...change, unique: { add: [], remove: change.unique.remove } });
      },
    }),
  ],
  [
    "write/at-once",
    "takes back the writes of others with one that is refused",
    (whole) => ({
      ...whole,
      create: async (context, resource) => {
        try {
          return await whole.create(context, resource);
        } catch (error) {
          await takeBack(whole, context);
          throw error;
        }
      },
    }),
  ],
  [
    "preview/leaves-nothing",
    "deletes as it tries a deletion out",
    (whole) => ({
      ...whole,
      delete: (context, deletion) => whole.delete(context, { ...deletion, dryRun: false }),
    }),
  ],
  [
    "preview/beside-writes",
    "takes back the writes of others with what it tried out",
    (whole) => ({
      ...whole,
      create: async (context, resource) => {
        const made = await whole.create(context, resource);
        if (resource.dryRun) await takeBack(whole, context);
        return made;
      },
    }),
  ],
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

const ruleOf = (rule: string): typeof HANDLER_CONTRACT =>
  HANDLER_CONTRACT.filter((each) => each.rule === rule);
const outcomes = (findings: readonly HandlerFinding[]): readonly string[] =>
  findings.map(({ rule, outcome }) => `${outcome} ${rule}`);

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
