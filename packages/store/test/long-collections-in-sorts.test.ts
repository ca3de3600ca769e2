import type { ResourceStore, ScimService, StoredResource } from "@scim/core";
import { interposed } from "@scim/core/testing";
import { GROUP_URN, type JsonObject, type SchemaRegistry } from "@scim/schemas";
import { beforeAll, expect, test } from "vitest";
import { openEveryStore } from "./support/every-store.ts";
import { create, idsOf, list, projects, serviceOver } from "./support/services.ts";
import { turnsDuring } from "./support/turns-during.ts";

/** More values than are held with candidates. */
const MANY = 10_050;

/** A type whose values say which of them is the primary one. */
const BOARD = "urn:example:params:scim:schemas:core:2.0:Board";

function boards(): SchemaRegistry {
  const registry = projects();
  registry.addSchema({
    id: BOARD,
    name: "Board",
    attributes: [
      { name: "title", type: "string" },
      {
        name: "seats",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string", caseExact: true },
          { name: "$ref", type: "reference", referenceTypes: ["User"], caseExact: true },
          { name: "type", type: "string" },
          { name: "display", type: "string" },
          { name: "primary", type: "boolean" },
        ],
      },
    ],
  });
  registry.addResourceType({ name: "Board", endpoint: "/Boards", schema: BOARD });
  return registry;
}

function values(first: JsonObject, last: JsonObject = {}): readonly JsonObject[] {
  return Array.from({ length: MANY }, (_, number) => ({
    value: `x${number}`,
    display: `Person ${number}`,
    ...(number === 0 ? first : {}),
    ...(number === MANY - 1 ? last : {}),
  }));
}

/** In the order of their ids, `id-0001` and so on. */
const GROUPS: readonly JsonObject[] = [
  { displayName: "late", members: values({ value: "m7", display: "Zoe", type: "User" }) },
  { displayName: "early", members: values({ value: "m9", display: "abe" }, { display: "Aaron" }) },
  { displayName: "two", members: [{ value: "m8", display: "Mia" }, { value: "m1" }] },
  { displayName: "none" },
  { displayName: "nameless", members: values({ value: "m6", display: null }, { type: "User" }) },
];

const BOARDS: readonly JsonObject[] = [
  { title: "led by the last", seats: values({ display: "Zoe" }, { display: "Kim", primary: true }) },
  { title: "led by nobody", seats: values({ display: "Lea" }) },
  {
    title: "short",
    seats: [
      { value: "m1", display: "Zoe" },
      { value: "m2", display: "Ann", primary: true },
    ],
  },
];

let services: readonly (readonly [string, ScimService])[] = [];

/** Most values of a resource that a store has given with candidates since it was last looked at. */
let mostGiven = 0;

/** The same store, which counts what it gives. */
function counted(store: ResourceStore): ResourceStore {
  async function* counting(
    batches: AsyncIterable<readonly StoredResource[]>,
  ): AsyncGenerator<readonly StoredResource[], void, undefined> {
    for await (const batch of batches) {
      for (const { collections } of batch)
        mostGiven = Math.max(mostGiven, ...[...collections.values()].map(({ length }) => length));
      yield batch;
    }
  }
  return interposed(store, {
    query: async (scope, query) => {
      const answer = await store.query(scope, query);
      return answer.kind === "page" ? answer : { ...answer, batches: counting(answer.batches) };
    },
  });
}

beforeAll(async () => {
  const { stores, close } = await openEveryStore();
  services = stores.map(([name, store]) => [name, serviceOver(counted(store), { registry: boards() })]);
  for (const [, service] of services) {
    for (const group of GROUPS) await create(service, "Group", { schemas: [GROUP_URN], ...group });
    for (const board of BOARDS) await create(service, "Board", { schemas: [BOARD], ...board });
  }
  return close;
});

const NO_MEMBERS = { excludedAttributes: ["members"] } as const;

test.each([
  ["members.display", "2 3 1 4 5"],
  ["members.value", "5 1 3 2 4"],
  ["members", "5 1 3 2 4"],
  ["members.type", "1 2 3 4 5"],
])(
  "R7644-3.4.2.3-01 of a long collection the first value sorts, and no other is read: %s",
  async (sortBy, order) => {
    for (const [name, service] of services) {
      mostGiven = 0;
      const pages = await Promise.all([
        list(service, "Group", { sortBy, ...NO_MEMBERS }),
        list(service, "Group", { sortBy, ...NO_MEMBERS, cursor: "" }),
      ]);
      expect([name, mostGiven, ...pages.map(numbersOf)]).toEqual([name, 1, order, order]);
    }
  },
);

test("R7644-3.4.2.3-01 a filter that looks through the same collection changes nothing in what sorts", async () => {
  const query = { filter: 'members.display sw "person"', sortBy: "members.display", ...NO_MEMBERS };
  for (const [name, service] of services)
    expect([name, numbersOf(await list(service, "Group", query))]).toEqual([name, "2 1 5"]);
});

test("R7644-3.4.2.3-01 the primary value sorts, wherever it stands in a long collection", async () => {
  const query = { sortBy: "seats.display", excludedAttributes: ["seats"] };
  for (const [name, service] of services)
    expect([name, numbersOf(await list(service, "Board", query))]).toEqual([name, "8 6 7"]);
});

test("others have their turn while a primary value is looked for", async () => {
  for (const [name, service] of services.filter(([each]) => each.startsWith("SQLite"))) {
    const turns = await turnsDuring(
      list(service, "Board", { sortBy: "seats.display", excludedAttributes: ["seats"] }),
    );
    expect(turns, name).toBeGreaterThanOrEqual(2 * Math.floor(MANY / 1000));
  }
});

function numbersOf(answer: Awaited<ReturnType<typeof list>>): string {
  return idsOf(answer)
    .map((id) => Number(String(id).slice(-4)))
    .join(" ");
}
