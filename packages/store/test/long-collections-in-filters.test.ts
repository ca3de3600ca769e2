import type { ResourceStore, ScimService } from "@scim/core";
import { interposed } from "@scim/core/testing";
import { GROUP_URN, type JsonObject } from "@scim/schemas";
import { beforeAll, expect, test } from "vitest";
import { openEveryStore } from "./support/every-store.ts";
import { create, idsOf, list, serviceOver } from "./support/services.ts";
import { turnsDuring } from "./support/turns-during.ts";

/** More members than are held with candidates. */
const MANY = 10_050;

function members(of: (number: number) => JsonObject): readonly JsonObject[] {
  return Array.from({ length: MANY }, (_, number) => ({ value: `m${number}`, ...of(number) }));
}

/** In the order of their ids, `id-0001` and so on. */
const GROUPS: readonly JsonObject[] = [
  { displayName: "people", members: members((n) => ({ display: `Person ${n}`, type: "User" })) },
  { displayName: "half of one name", members: members((n) => (n < MANY / 2 ? { display: "Same" } : {})) },
  { displayName: "two", members: [{ value: "m1" }, { value: "m2", display: "Person 2" }] },
  { displayName: "none" },
];

let stores: readonly (readonly [string, ResourceStore])[] = [];
let services: readonly (readonly [string, ScimService])[] = [];

beforeAll(async () => {
  const { stores: opened, close } = await openEveryStore();
  stores = opened;
  services = stores.map(([name, store]) => [name, serviceOver(store)]);
  for (const [, service] of services)
    for (const group of GROUPS) await create(service, "Group", { schemas: [GROUP_URN], ...group });
  return close;
});

test.each([
  [`members.display eq "person ${MANY - 1}"`, "1"],
  [`members[value eq "m${MANY - 1}" and display pr]`, "1"],
  ['members[value eq "m1" and not (display pr)]', "3"],
  ['members.display ne "same"', "1 3 4"],
  ['members[display ne "same"]', "1 2 3"],
  ['not (members.display co "person")', "2 4"],
  ['members.display sw "person" and not (members.display eq "person 7")', "3"],
  ['members.display eq "same" or members.type eq "User"', "1 2"],
  ['members.$ref ew "/Users/m9999" and displayName eq "people"', "1"],
  ['displayName pr and members.type ne "User"', "2 3 4"],
])("R7644-F-10 a filter of values tells the same of long collections: %s", async (filter, expected) => {
  for (const [name, service] of services) {
    const answer = await list(service, "Group", { filter, ...NO_MEMBERS });
    const ids = idsOf(answer).map((id) => Number(String(id).slice(-4)));
    expect([name, answer.totalResults, ids.join(" ")]).toEqual([name, ids.length, expected]);
  }
});

const NO_MEMBERS = { excludedAttributes: ["members"] } as const;

test.each([
  ["looked through", 'members.display eq "nobody"'],
  ["found by index", 'members.value eq "m1" and members.display eq "nobody"'],
])("others have their turn while a long collection is %s", async (_, filter) => {
  for (const [name, service] of services.filter(([each]) => each.startsWith("SQLite"))) {
    const turns = await turnsDuring(list(service, "Group", { filter, ...NO_MEMBERS }));
    expect(turns, name).toBeGreaterThanOrEqual(Math.floor(MANY / 1000));
  }
});

test.each([
  ['members[value eq "m1" and display eq "nobody"]', ""],
  ['members[type eq "User" and value eq "m10049"]', "1"],
  ['members[(value eq "m1" or value eq "m10049") and not (type eq "User")]', "2 3"],
  ['not (members[value eq "m2" and display pr]) and members[value eq "m10049" and display pr]', ""],
])(
  "core idea: membership is rows, a search for %s reads the values that it names",
  async (filter, expected) => {
    for (const [name, store] of stores) {
      const refuse = (): never => expect.unreachable(`${name} reads all members`);
      const service = serviceOver(interposed(store, { referenceRows: refuse }));
      const answer = await list(service, "Group", { filter, ...NO_MEMBERS });
      const ids = idsOf(answer).map((id) => Number(String(id).slice(-4)));
      expect([name, ids.join(" ")]).toEqual([name, expected]);
    }
  },
);
