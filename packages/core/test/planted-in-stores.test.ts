import { expect, test } from "vitest";
import type { FeedEvent, WritePlan } from "../src/index.ts";
import type { MemoryStore } from "../src/testing/index.ts";
import { type Plant, type Planted, violations, writing } from "./support/planted-in-stores.ts";

const NOTHING = { collections: [], inverses: [] };
const EVERY = { after: 0, limit: 10_000 };

/** Takes plans of a kind on whatever version there is. */
function blind(is: (plan: WritePlan) => boolean): Plant {
  return writing(async (whole, scope, plan) => {
    const result = await whole.write(scope, plan);
    const isStale = result.kind === "conflict" && result.current !== null && is(plan);
    if (!isStale || plan.kind === "create") return result;
    return whole.write(scope, { ...plan, expectedVersion: result.current });
  });
}

/** Compares the version, waits, and then writes plans of a kind on whatever version there is. */
function late(is: (plan: WritePlan) => boolean): Plant {
  return writing(async (whole, scope, plan) => {
    const before = await whole.read(scope, plan, NOTHING);
    if (plan.kind === "create" || !is(plan) || before?.version !== plan.expectedVersion)
      return whole.write(scope, plan);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    const now = await whole.read(scope, plan, NOTHING);
    return now === null
      ? { kind: "written", version: "gone" }
      : whole.write(scope, { ...plan, expectedVersion: now.version });
  });
}

/** Tells other events than it should, whose positions have no gaps. */
function telling(told: (events: readonly FeedEvent[]) => readonly FeedEvent[]): Plant {
  return (whole) => ({
    ...whole,
    events: {
      ...whole.events,
      read: async (tenant, { after, limit }) =>
        told(await whole.events.read(tenant, EVERY))
          .map((event, index) => ({ ...event, position: index + 1 }))
          .filter(({ position }) => position > after)
          .slice(0, limit),
    },
  });
}

/** Answers pages by number otherwise than it should. */
function paging(
  change: (page: { readonly total: number | null; readonly limit: number }) => number | null,
): Plant {
  return (whole) => ({
    ...whole,
    query: async (scope, query) => {
      const answer = await whole.query(scope, query);
      if (answer.kind === "candidates" || query.page.kind === "keyset") return answer;
      return { ...answer, total: change({ total: answer.total, limit: query.page.limit }) };
    },
  });
}

const isOfMembers = (plan: WritePlan): boolean => plan.kind === "update" && plan.body === null;
const isDeletion = ({ kind }: WritePlan): boolean => kind === "delete";

/** Counts deletions that were refused as if they had been written. */
function miscounting(whole: MemoryStore): MemoryStore {
  let refused = 0;
  const counted = paging(({ total }) => (total === null ? null : total - refused))(whole);
  return {
    ...counted,
    write: async (scope, plan) => {
      const result = await whole.write(scope, plan);
      if (isDeletion(plan) && result.kind === "conflict") refused += 1;
      return result;
    },
  };
}

/** Bugs that teams write, each by a rule that finds it out. */
const PLANTED: Planted = [
  ["version/checked-for-members", "changes members whatever the version", blind(isOfMembers)],
  [
    "version/checked-for-members",
    "changes a body with members whatever the version",
    blind((plan) => plan.kind === "update" && plan.body !== null && plan.collections.length > 0),
  ],
  ["version/checked-by-the-write", "counts deletions that it refused", miscounting],
  ["concurrency/any-plan", "compares, waits, and changes members", late(isOfMembers)],
  ["concurrency/any-plan", "compares, waits, and deletes", late(isDeletion)],
  [
    "concurrency/create",
    "says of a creation beside another that it was written",
    writing(async (whole, scope, plan) => {
      const before = await whole.read(scope, plan, NOTHING);
      const result = await whole.write(scope, plan);
      const isLate = before === null && result.kind === "exists";
      return isLate ? { kind: "written", version: plan.nonce } : result;
    }),
  ],
  [
    "uniqueness/held-by-another",
    "gives a unique value up for whoever holds it",
    writing(async (whole, scope, plan) => {
      const result = await whole.write(scope, plan);
      if (plan.kind !== "update" || result.kind !== "written") return result;
      const targets = { type: plan.type, ids: ["u1", "u2", "u3"] };
      for (const { id, version } of await whole.readMany(scope, targets, NOTHING)) {
        const unique = { ...plan.unique, add: [] };
        if (id !== plan.id)
          await whole.write(scope, { ...plan, id, expectedVersion: version, body: null, unique });
      }
      return result;
    }),
  ],
  [
    "tenant/connections",
    "lists what the connection itself created",
    (whole) => ({
      ...whole,
      readMany: async (scope, targets, select) =>
        (await whole.readMany(scope, targets, select)).filter(
          ({ connection }) => connection === scope.connection,
        ),
    }),
  ],
  [
    "tenant/connections",
    "deletes what the connection itself created",
    writing(async (whole, scope, plan) => {
      const current = await whole.read(scope, plan, NOTHING);
      const isOther = current !== null && current.connection !== scope.connection;
      return isDeletion(plan) && isOther ? { kind: "conflict", current: null } : whole.write(scope, plan);
    }),
  ],
  [
    "delete/final",
    "says that the id of a deleted resource is free, until it is taken",
    (whole) => ({
      ...whole,
      preview: async (scope, plan) => {
        const result = await whole.preview(scope, plan);
        const isTaken = (await whole.read(scope, plan, NOTHING)) !== null;
        return result.kind === "exists" && !isTaken ? { kind: "written", version: plan.nonce } : result;
      },
    }),
  ],
  [
    "collection/with-body",
    "forgets members that come with a body",
    writing((whole, scope, plan) =>
      whole.write(scope, plan.kind === "update" && plan.body !== null ? { ...plan, collections: [] } : plan),
    ),
  ],
  [
    "collection/with-body",
    "forgets a body that comes with members",
    writing((whole, scope, plan) =>
      whole.write(
        scope,
        plan.kind === "update" && plan.collections.length > 0 ? { ...plan, body: null } : plan,
      ),
    ),
  ],
  [
    "collection/of-whom",
    "reads references by the id alone",
    (whole) => ({
      ...whole,
      references: (scope, owner, selection) =>
        whole.references(scope, { ...owner, type: "Group" }, selection),
    }),
  ],
  [
    "secret/change",
    "takes the hash away where a change names none",
    writing((whole, scope, plan) =>
      whole.write(
        scope,
        plan.kind === "update" ? { secrets: [{ path: "password", hash: null }], ...plan } : plan,
      ),
    ),
  ],
  [
    "secret/refused",
    "keeps the hash of a change that it refused",
    writing(async (whole, scope, plan) => {
      const result = await whole.write(scope, plan);
      const isStale = result.kind === "conflict" && result.current !== null;
      if (!isStale || plan.kind !== "update") return result;
      await whole.write(scope, { ...plan, expectedVersion: result.current, body: null });
      return result;
    }),
  ],
  [
    "secret/deleted",
    "brings the hash of a deleted resource back with it",
    (whole) => {
      const created = new Map<string, string | null>();
      const restored = new Set<string>();
      return {
        ...whole,
        write: async (scope, plan) => {
          if (plan.kind === "restore") restored.add(plan.id);
          if (plan.kind === "create") created.set(plan.id, plan.secrets?.[0]?.hash ?? null);
          return whole.write(scope, plan);
        },
        secrets: {
          find: async (scope, target) =>
            restored.has(target.id)
              ? (created.get(target.id) ?? null)
              : ((await whole.secrets?.find(scope, target)) ?? null),
        },
      };
    },
  ],
  [
    "secret/of-whom",
    "finds hashes by the id alone",
    (whole) => ({
      ...whole,
      secrets: {
        find: async (scope, target) =>
          (await whole.secrets?.find(scope, { ...target, type: "User" })) ?? null,
      },
    }),
  ],
  [
    "snapshot/one-state",
    "finds the groups of members as they are now",
    (whole) => ({
      ...whole,
      snapshot: async (scope) => ({
        ...(await whole.snapshot(scope)),
        readMany: (targets, select) => whole.readMany(scope, targets, select),
      }),
    }),
  ],
  [
    "query/pages",
    "counts nothing for a page of none",
    paging(({ total, limit }) => (limit === 0 ? 0 : total)),
  ],
  [
    "event/positions",
    "tells events in the order of ids",
    telling((events) => events.toSorted((one, other) => (one.id < other.id ? -1 : 1))),
  ],
  [
    "event/body-and-collections",
    "tells members alone where both changed",
    telling((events) =>
      events.map((event) => (event.collections.length > 0 ? { ...event, before: null, after: null } : event)),
    ),
  ],
  [
    "event/body-and-collections",
    "tells the body alone where both changed",
    telling((events) =>
      events.map((event) => (event.after === null ? event : { ...event, collections: [] })),
    ),
  ],
  [
    "event/staged",
    "tells nothing of what came from a stage",
    telling((events) =>
      events.map((event) => ({
        ...event,
        collections: event.collections.filter(({ added }) => typeof added !== "number"),
      })),
    ),
  ],
  [
    "event/tenants",
    "tells events of another tenant where a tenant has none",
    (whole) => ({
      ...whole,
      events: {
        ...whole.events,
        read: async (tenant, page) => {
          const own = await whole.events.read(tenant, page);
          return own.length === 0 ? whole.events.read("north", page) : own;
        },
      },
    }),
  ],
  [
    "event/tenants",
    "removes the events of every tenant by the instant of one",
    (whole) => ({
      ...whole,
      events: {
        ...whole.events,
        purge: async (before, limit) =>
          whole.events.purge(typeof before === "string" ? before : await before("north"), limit),
      },
    }),
  ],
];

test.each(PLANTED)("%s finds out a store that %s", async (rule, _, plant) => {
  expect(await violations(rule, plant)).toContain("broken");
});
