import { createDefaultRegistry, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { HandledResource, ResourceHandler } from "../../src/index.ts";
import {
  createMemoryHandler,
  HANDLER_CONTRACT,
  type HandlerFinding,
  handlerReport,
  type HandlerSubject,
  runHandlerContract,
} from "../../src/testing/index.ts";
import { testSources } from "../support/sources.ts";

const REGISTRY = createDefaultRegistry();

const sampleOfUser = (n: number): JsonObject => ({
  userName: `User${String(n)}`,
  name: { familyName: `Family ${String(n % 4)}` },
  title: n % 2 === 0 ? "Guide" : "guide",
  ...(n % 3 === 0 ? { emails: [{ value: `u${String(n)}@x.example`, type: "work" }] } : {}),
});

function users(open: () => ResourceHandler, others: Partial<HandlerSubject> = {}): HandlerSubject {
  return {
    type: "User",
    registry: REGISTRY,
    open,
    sample: sampleOfUser,
    changed: (n) => ({ userName: `User${String(n)}`, active: false }),
    sources: testSources(),
    ...others,
  };
}

const groups: Partial<HandlerSubject> = {
  type: "Group",
  sample: (n) => ({ displayName: `Group ${String(n)}` }),
  changed: (n) => ({ displayName: `Group ${String(n)}`, externalId: "x" }),
};

function of(findings: readonly HandlerFinding[], outcome: HandlerFinding["outcome"]): readonly string[] {
  return findings.filter((finding) => finding.outcome === outcome).map(({ rule }) => rule);
}

/** Rules of methods that a handler need not have. */
const OPTIONAL = ["read/many", "references/rows"];

describe("a handler that can do everything", () => {
  test.each([
    ["users", users(() => createMemoryHandler()), [...OPTIONAL, "references/changes"]],
    [
      "groups",
      users(() => createMemoryHandler(), groups),
      ["write/unique", "write/unique-letters", "write/unique-own", "write/unique-at-once", ...OPTIONAL],
    ],
    [
      "groups that have members",
      users(() => createMemoryHandler(), {
        ...groups,
        sample: (n) => ({ displayName: `Group ${String(n)}`, members: [{ value: `u${n}`, type: "User" }] }),
      }),
      ["write/unique", "write/unique-letters", "write/unique-own", "write/unique-at-once", ...OPTIONAL],
    ],
    [
      "users by their content",
      users(() => createMemoryHandler({ versions: "content" })),
      [...OPTIONAL, "references/changes"],
    ],
  ])("keeps all rules that there are for it: %s", async (_, subject, unsupported) => {
    const findings = await runHandlerContract(subject);
    expect(findings.filter(({ outcome }) => outcome === "broken")).toEqual([]);
    expect(of(findings, "unsupported")).toEqual(unsupported);
    expect(findings.map(({ rule }) => rule)).toEqual(HANDLER_CONTRACT.map(({ rule }) => rule));
  });
});

/** Keeps the attributes that a table of its own has columns for, and can do nothing that it need not. */
function smallHandler(): ResourceHandler {
  const whole = createMemoryHandler({ versions: "none", previews: false, pages: false, dates: false });
  const columns = ({ attributes }: { readonly attributes: JsonObject }): JsonObject => {
    const { userName = null, name = null, title = null, emails = null, active = null } = attributes;
    return { userName, name, title, emails, active };
  };
  return {
    ...whole,
    create: (context, resource) => whole.create(context, { ...resource, attributes: columns(resource) }),
    replace: (context, change) => whole.replace(context, { ...change, attributes: columns(change) }),
  };
}

test("a handler that does as little as it must keeps the other rules, and the report names what it lacks", async () => {
  const findings = await runHandlerContract(users(smallHandler, { oneTenant: true }));
  expect(of(findings, "broken")).toEqual([]);
  expect(of(findings, "unsupported")).toEqual([
    "write/dates",
    "tenant/boundary",
    "version/moves",
    "version/moves-at-once",
    "version/one-wins",
    "preview/leaves-nothing",
    "preview/beside-writes",
    "version/compared",
    "tenant/writes",
    ...OPTIONAL,
    "attributes/kept",
    "references/changes",
  ]);
  const report = handlerReport(findings);
  expect(report).toContain("no entity tag");
  expect(report).toContain("answered with 501");
  expect(report).toMatch(/not kept are externalId, .*nickName.*addresses/);
  expect(report).toContain("  ok list/filters");
  expect(report).toMatch(/\d+ kept, 13 unsupported, 0 broken$/);
});

/** Handlers that do not keep a rule, each by the rule. */
const BROKEN: readonly (readonly [string, (whole: ResourceHandler) => ResourceHandler])[] = [
  [
    "write/create",
    (whole) => ({
      ...whole,
      create: async (context, { id, attributes, ...rest }) =>
        whole.create(context, { ...rest, id, attributes: { ...attributes, userName: "other" } }),
    }),
  ],
  [
    "write/replace",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const before = await whole.get(context, change.id);
        return whole.replace(context, {
          ...change,
          attributes: { ...before?.attributes, ...change.attributes },
        });
      },
    }),
  ],
  ["write/delete", (whole) => ({ ...whole, delete: () => "deleted" })],
  [
    "write/unknown-id",
    (whole) => ({
      ...whole,
      get: (context, id) => {
        if (id === "0") throw new RangeError("0 is out of range");
        return whole.get(context, id);
      },
    }),
  ],
  [
    "write/unique",
    (whole) => ({
      ...whole,
      create: (context, resource) => whole.create(context, { ...resource, unique: [] }),
    }),
  ],
  [
    "write/unique-at-once",
    (whole) => ({
      ...whole,
      create: (context, resource) => whole.create(context, { ...resource, unique: [] }),
    }),
  ],
  [
    "write/awkward-text",
    (whole) => ({
      ...whole,
      create: (context, resource) => {
        if (JSON.stringify(resource.attributes).includes("'"))
          throw new SyntaxError('near "Neil": syntax error');
        return whole.create(context, resource);
      },
    }),
  ],
  [
    "tenant/boundary",
    (whole) => ({ ...whole, get: (context, id) => whole.get({ ...context, tenant: "north" }, id) }),
  ],
  [
    "version/moves",
    (whole) => ({
      ...whole,
      get: async (context, id) => {
        const current = await whole.get(context, id);
        return current === null ? null : { ...current, version: "same" };
      },
    }),
  ],
  [
    "version/one-wins",
    (whole) => ({
      ...whole,
      replace: async (context, change) => {
        const current = await whole.get(context, change.id);
        if (current === null || change.versionOf(current) !== change.expectedVersion) return "conflict";
        await Promise.resolve();
        return whole.replace(context, { ...change, versionOf: () => change.expectedVersion ?? "" });
      },
    }),
  ],
  [
    "preview/leaves-nothing",
    (whole) => ({
      ...whole,
      create: (context, resource) => whole.create(context, { ...resource, dryRun: false }),
    }),
  ],
  [
    "list/pages",
    (whole) => ({
      ...whole,
      list: async (context, query) => {
        const list = await whole.list(context, query);
        return list.served === "all" ? { ...list, total: 10 } : list;
      },
    }),
  ],
  [
    "list/filters",
    (whole) => ({
      ...whole,
      list: async (context, query) => {
        const list = await whole.list(context, query);
        if (query.filter?.kind !== "comparison" || query.filter.operator !== "eq") return list;
        const { path, value } = query.filter;
        const resources = [...(list.resources as Iterable<HandledResource>)];
        // As a database compares that knows nothing of letter case.
        return { resources: resources.filter(({ attributes }) => attributes[path.attribute] === value) };
      },
    }),
  ],
  [
    "list/sorts",
    (whole) => ({
      ...whole,
      list: async (context, query) => {
        const list = await whole.list(context, query);
        if (query.sort === null || query.page === null || !("offset" in query.page)) return list;
        const all = [...(list.resources as Iterable<HandledResource>)];
        const { offset, limit } = query.page;
        return { resources: all.slice(offset, offset + limit), served: "all", total: all.length };
      },
    }),
  ],
];

function ruleOf(rule: string): typeof HANDLER_CONTRACT {
  return HANDLER_CONTRACT.filter((each) => each.rule === rule);
}

/** A method that never answers, and how often it was called. */
function silence(): { readonly answer: () => Promise<never>; calls: number } {
  const told = {
    calls: 0,
    answer: () => {
      told.calls += 1;
      return new Promise<never>(() => {});
    },
  };
  return told;
}

type Silence = ReturnType<typeof silence>;

const SILENT: readonly (readonly [string, (told: Silence) => Partial<ResourceHandler>, readonly string[]])[] =
  [
    ["create", ({ answer }) => ({ create: answer }), ["write/create", "list/pages", "list/as-read"]],
    ["list", ({ answer }) => ({ list: answer }), ["list/pages", "list/as-read"]],
    [
      "list",
      ({ answer }) => ({ list: () => ({ resources: { [Symbol.asyncIterator]: () => ({ next: answer }) } }) }),
      ["list/pages", "list/as-read"],
    ],
  ];

describe("a handler that never answers breaks what needs the answer, and is asked once", () => {
  test.each(SILENT)("%s", async (method, members, broken) => {
    const told = silence();
    const rules = HANDLER_CONTRACT.filter(({ rule }) =>
      ["write/create", "list/pages", "list/as-read"].includes(rule),
    );
    const findings = await runHandlerContract(
      users(() => ({ ...createMemoryHandler(), ...members(told) }), { timeout: 20 }),
      rules,
    );
    expect([of(findings, "broken"), told.calls]).toEqual([broken, 1]);
    expect(handlerReport(findings)).toContain(
      `'${method}' did not answer within 20 ms, and is not called again`,
    );
  });
});

describe("a handler that does something else is found out", () => {
  test.each(BROKEN)("%s", async (rule, breakIt) => {
    const contract = ruleOf(rule);
    expect(contract).toHaveLength(1);
    const findings = await runHandlerContract(
      users(() => breakIt(createMemoryHandler())),
      contract,
    );
    expect(of(findings, "broken")).toEqual([rule]);
    expect(handlerReport(findings)).toContain(`FAIL ${rule}`);
  });

  test("attributes/kept tells of an attribute that is changed on its way", async () => {
    const rounding = (whole: ResourceHandler): ResourceHandler => ({
      ...whole,
      create: (context, resource) =>
        whole.create(context, { ...resource, attributes: { ...resource.attributes, nickName: "changed" } }),
    });
    const [kept] = await runHandlerContract(
      users(() => rounding(createMemoryHandler())),
      ruleOf("attributes/kept"),
    );
    expect(kept).toMatchObject({ outcome: "unsupported", reason: "not kept are nickName" });
  });

  test("references/changes", async () => {
    const losing = (whole: ResourceHandler): ResourceHandler => ({
      ...whole,
      replace: (context, { attributes, ...change }) => {
        const { members: _members, ...others } = attributes;
        return whole.replace(context, { ...change, attributes: others });
      },
    });
    const [changes] = await runHandlerContract(
      users(() => losing(createMemoryHandler()), groups),
      ruleOf("references/changes"),
    );
    expect(changes).toMatchObject({ outcome: "broken" });
  });
});
