/**
 * Rules of reads of two tenants whose resources have the same ids: each read gives those of its own tenant.
 * @module
 */
import type { ResourceSnapshot } from "../../store/resource-snapshot.ts";
import { referenceBatch } from "../../store/reference-stage.ts";
import type { ReadSelection, ResourceStore, StoreScope } from "../../store/port.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import { expectEqual } from "./expect.ts";
import { indexPage, matchingIds, type CheckedQuery } from "./query-check.ts";
import type { ResourceStoreRule } from "./rule.ts";
import { filterOf, groupsOf, MEMBERS, NOTHING, SCOPE, seed, sortOf, withGroups } from "./sample.ts";

/** The other tenant. */
export const SOUTH: StoreScope = { tenant: "south", connection: "first" };

/** A user and a group of each tenant under the same ids, and one more of each that north alone has. */
export async function seedTenants(store: ResourceStore): Promise<void> {
  for (const scope of [SCOPE, SOUTH]) {
    const { tenant } = scope;
    await seed(
      store,
      [
        { type: "User", id: "u1", body: { userName: "anna", title: tenant } },
        { type: "Group", id: "g1", body: { displayName: tenant }, members: ["u1", tenant] },
      ],
      scope,
    );
  }
  await seed(store, [
    { type: "User", id: "u2", body: { userName: "bert", title: "north" } },
    { type: "Group", id: "g2", body: { displayName: "more" }, members: ["u1", "g1"] },
  ]);
}

/** What a read gives: of both tenants the same where none is named. */
interface Read {
  readonly name: string;
  readonly read: (store: ResourceStore, scope: StoreScope) => Promise<unknown>;
  readonly north: unknown;
  readonly south: unknown;
}

const USERS = { type: "User", ids: ["u1", "u2"] } as const;
const GROUPS = { type: "Group", ids: ["g1", "g2"] } as const;
const OWNER = { type: "Group", id: "g1", path: "members" } as const;
const BOTH: ReadSelection = { ...MEMBERS, inverses: [groupsOf(16)] };

function groups({ inverses }: Pick<StoredResource, "inverses">): readonly string[] {
  return (inverses.get("groups") ?? []).map(({ id, display }) => `${id} ${String(display)}`);
}

function members({ collections }: Pick<StoredResource, "collections">): readonly string[] {
  return (collections.get("members") ?? []).map(({ value }) => value);
}

async function opened<Result>(
  store: ResourceStore,
  scope: StoreScope,
  run: (snapshot: ResourceSnapshot) => Promise<Result>,
): Promise<Result> {
  const snapshot = await store.snapshot(scope);
  try {
    return await run(snapshot);
  } finally {
    await snapshot.close();
  }
}

const NORTH_MEMBERS = [
  ["u1", "north"],
  ["u1", "g1"],
];
const NORTH_GROUPS = [["g1 north", "g2 more"], []];
const BY_ROW = { type: "Group", path: "members", owner: null, value: null, displayKey: null } as const;

const READS: readonly Read[] = [
  {
    name: "bodies as text",
    read: async (store, scope) => {
      const texts: (string | null)[] = [];
      for (const id of USERS.ids) {
        const target = { type: "User", id };
        const body = (await store.read(scope, target, NOTHING))?.body;
        const text = body === undefined ? null : JSON.stringify(body);
        texts.push(
          store.readText === undefined
            ? text
            : ((await store.readText(scope, target, NOTHING))?.text ?? null),
        );
      }
      return texts;
    },
    north: ['{"userName":"anna","title":"north"}', '{"userName":"bert","title":"north"}'],
    south: ['{"userName":"anna","title":"south"}', null],
  },
  {
    name: "the members of one",
    read: async (store, scope) => members((await store.read(scope, OWNER, MEMBERS)) ?? NONE),
    north: ["u1", "north"],
    south: ["u1", "south"],
  },
  {
    name: "the members of many",
    read: async (store, scope) => (await store.readMany(scope, GROUPS, MEMBERS)).map(members),
    north: NORTH_MEMBERS,
    south: [["u1", "south"]],
  },
  {
    name: "the groups of one",
    read: async (store, scope) =>
      groups((await store.read(scope, { type: "User", id: "u1" }, withGroups(16))) ?? NONE),
    north: NORTH_GROUPS[0],
    south: ["g1 south"],
  },
  {
    name: "the groups of many",
    read: async (store, scope) => (await store.readMany(scope, USERS, withGroups(16))).map(groups),
    north: NORTH_GROUPS,
    south: [["g1 south"]],
  },
  ...(["all", ["south", "north", "u1", "g1"], { first: 9 }] as const).map((selection): Read => ({
    name: `references: ${JSON.stringify(selection)}`,
    read: async (store, scope) => (await store.references(scope, OWNER, selection)).map(({ value }) => value),
    north: ["u1", "north"],
    south: ["u1", "south"],
  })),
  {
    name: "a snapshot",
    read: (store, scope) =>
      opened(store, scope, async (snapshot) => {
        const streamed: string[] = [];
        for await (const batch of snapshot.references({ ...OWNER, id: "g2" }))
          streamed.push(...batch.map(({ value }) => value));
        const order = { descending: false, after: null, limit: 100 };
        const rows = await snapshot.referenceRows({ ...BY_ROW, ...order });
        return {
          members: (await snapshot.readMany(GROUPS, MEMBERS)).map(members),
          groups: (await snapshot.readMany(USERS, BOTH)).map(groups),
          streamed,
          rows: rows.map(({ value }) => value),
        };
      }),
    north: {
      members: NORTH_MEMBERS,
      groups: NORTH_GROUPS,
      streamed: ["u1", "g1"],
      rows: NORTH_MEMBERS.flat(),
    },
    south: { members: [["u1", "south"]], groups: [["g1 south"]], streamed: [], rows: ["u1", "south"] },
  },
  {
    name: "what a stage is compared with",
    read: async (store, scope) => {
      const stage = await store.stage(scope, "Group");
      try {
        await stage.add("members", referenceBatch([{ value: "u1", rest: {} }]));
        const both = [];
        for (const id of ["g1", "g2"])
          both.push(await stage.compare({ ...OWNER, id }, (_, staged) => staged));
        return both.map((each) =>
          each.kind === "short" ? [each.delta.remove, each.delta.add.length] : each,
        );
      } finally {
        await stage.close();
      }
    },
    north: [
      [["north"], 0],
      [["g1"], 0],
    ],
    south: [
      [["south"], 0],
      [[], 1],
    ],
  },
  ...queries(),
  {
    name: "what comes with a page",
    read: async (store, scope) => {
      const page = { filter: null, sort: null, page: indexPage(0, 10) };
      const users = await store.query(scope, { ...page, type: "User", select: withGroups(16) });
      const teams = await store.query(scope, { ...page, type: "Group", select: MEMBERS });
      return [await listed(users, groups), await listed(teams, members)];
    },
    north: [NORTH_GROUPS, NORTH_MEMBERS],
    south: [[["g1 south"]], [["u1", "south"]]],
  },
];

const NONE = { collections: new Map(), inverses: new Map() };

type Answer = Awaited<ReturnType<ResourceStore["query"]>>;

/** What is shown of the resources of a page; candidates bring no more than filters and sort keys read. */
async function listed(
  answer: Answer,
  show: (stored: StoredResource) => readonly string[],
): Promise<readonly (readonly string[])[]> {
  if (answer.kind === "page") return answer.resources.map(show);
  const shown: (readonly string[])[] = [];
  for await (const batch of answer.batches) shown.push(...batch.map(show));
  return shown;
}

/** Queries of users, each by number and next to a place. */
function queries(): readonly Read[] {
  const all = { total: 2, ids: ["u1", "u2"], more: false };
  const one = { total: 1, ids: ["u1"], more: false };
  const none = { total: 0, ids: [], more: false };
  const asked: readonly (readonly [string, Omit<CheckedQuery, "page">, Read["north"], Read["south"]])[] = [
    ["all", { type: "User", filter: null, sort: null }, all, one],
    ["sorted", { type: "User", filter: null, sort: sortOf("User", "title") }, all, one],
    ...(
      [
        ['title eq "north"', all, none],
        ['title eq "south"', none, one],
        ['userName eq "bert"', { ...one, ids: ["u2"] }, none],
        ['userName eq "anna"', one, one],
        ['id eq "u1" or id eq "u2"', all, one],
        ['not (userName eq "x")', all, one],
        ['groups.value eq "g2"', one, none],
        ["groups pr", one, one],
      ] as const
    ).map(
      ([text, north, south]) =>
        [text, { type: "User", filter: filterOf("User", text), sort: null }, north, south] as const,
    ),
  ];
  return asked.flatMap(([name, query, north, south]): readonly Read[] => [
    {
      name: `${name}, by number`,
      read: (store, scope) => matchingIds(store, { ...query, page: indexPage(0, 10) }, scope),
      north,
      south,
    },
    {
      name: `${name}, next to a place`,
      read: async (store, scope) => {
        const page = { kind: "keyset", from: null, direction: "forward", limit: 10 } as const;
        const { ids, more } = await matchingIds(store, { ...query, page }, scope);
        return { ids, more };
      },
      north: withoutTotal(north),
      south: withoutTotal(south),
    },
  ]);
}

function withoutTotal(found: unknown): unknown {
  return typeof found === "object" ? { ...found, total: undefined } : found;
}

export const TENANT_RULES: readonly ResourceStoreRule[] = [
  {
    rule: "tenant/reads",
    name: "of tenants that share ids and values, each reads, lists, counts and follows references among its own",
    run: async (open) => {
      const store = await open();
      await seedTenants(store);
      for (const { name, read, north, south } of READS) {
        expectEqual(await read(store, SCOPE), north, `${name}, in north`);
        expectEqual(await read(store, SOUTH), south, `${name}, in south`);
      }
    },
  },
];
