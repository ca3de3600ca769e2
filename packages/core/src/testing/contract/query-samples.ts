/**
 * Resources that the rules of queries search.
 * @module
 */
import type { ReadSelection, ResourceStore } from "../../store/port.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import type { SampleType } from "./models.ts";
import { MEMBERS, NOTHING, SCOPE, seed, withGroups, type NewResource } from "./sample.ts";

/** URN of the extension that a user has. */
export const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

function at(second: number): string {
  return new Date(Date.UTC(2026, 2, 1, 8, 0, second, 5)).toISOString();
}

/** Users with missing, empty and repeated values. */
export const USERS: readonly NewResource[] = [
  {
    type: "User",
    id: "u1",
    at: at(1),
    body: { userName: "Anna", displayName: "Anna", externalId: "X1", active: true },
  },
  {
    type: "User",
    id: "u2",
    at: at(9),
    body: {
      userName: "bert",
      displayName: "anna",
      emails: [
        { value: "B@x.org", type: "work" },
        { value: "b@home.org", type: "home", primary: true },
      ],
    },
  },
  {
    type: "User",
    id: "u3",
    at: at(3),
    body: {
      userName: "carla",
      displayName: "Ångström",
      externalId: "x1",
      emails: [{ value: "b@x.org" }, { type: "work" }],
    },
  },
  {
    type: "User",
    id: "u4",
    at: at(3),
    body: { userName: "u4", displayName: "", title: "Dr", emails: [{ value: "zoe@x.org", type: "work" }] },
  },
  {
    type: "User",
    id: "u5",
    at: at(2),
    body: { userName: "u5", displayName: "Straße", name: { familyName: "Öz" } },
  },
  {
    type: "User",
    id: "u6",
    at: at(7),
    body: { userName: "u6", displayName: "ANNABEL", externalId: "", [ENTERPRISE]: { employeeNumber: "7" } },
  },
  { type: "User", id: "u7", at: at(4), body: { userName: "ＵＳＥＲ7", title: "Dr" } },
  { type: "User", id: "u8", at: at(5), body: { userName: "u8", displayName: "a😀", externalId: "\u0000x" } },
];

/** Groups with nested groups. */
export const GROUPS: readonly NewResource[] = [
  {
    type: "Group",
    id: "g1",
    at: at(1),
    body: { displayName: "All" },
    members: ["u1", "u2", { value: "g2", rest: { type: "Group" } }],
  },
  {
    type: "Group",
    id: "g2",
    at: at(2),
    body: { displayName: "Inner", externalId: "e" },
    members: [{ value: "u3", rest: { type: "User", display: "Carla" } }, "u1"],
  },
  { type: "Group", id: "g3", at: at(3), body: { displayName: "Outer" }, members: ["g1"] },
  { type: "Group", id: "g4", at: at(4), body: { displayName: "Empty" } },
];

/** Resources with a value of every type. */
export const BADGES: readonly NewResource[] = [
  {
    type: "Badge",
    id: "b1",
    at: at(1),
    body: {
      label: "One",
      code: "Aa",
      level: 1,
      weight: 0.5,
      valid: true,
      issued: "2026-01-01T00:00:00Z",
      tags: ["red", "Blue"],
    },
  },
  {
    type: "Badge",
    id: "b2",
    at: at(2),
    body: {
      label: "one",
      code: "aa",
      level: -3,
      weight: 10,
      valid: false,
      issued: "2026-01-01T01:00:00.0000000009+01:00",
      tags: ["red"],
    },
  },
  {
    type: "Badge",
    id: "b3",
    at: at(3),
    body: {
      label: "",
      level: 0,
      issued: "2025-12-31T23:59:59.999999999Z",
      doors: [
        { value: "North", type: "main" },
        { value: "south", primary: true },
      ],
    },
  },
  {
    type: "Badge",
    id: "b4",
    at: at(4),
    body: {
      label: "two",
      level: 10,
      weight: 1e21,
      doors: [{ value: "south", type: "main" }],
      owner: { name: "Zed" },
    },
  },
  {
    type: "Badge",
    id: "b5",
    at: at(5),
    body: { tags: [""], doors: [{ type: "side" }], owner: { name: "anna" } },
  },
  { type: "Badge", id: "b6", at: at(6), body: { label: "\uffff", code: "😀", valid: true } },
  { type: "Badge", id: "b7", at: at(7), body: { label: "😀", code: "\uffff" } },
];

const ALL: Readonly<Record<SampleType, readonly { readonly id: string }[]>> = {
  User: USERS,
  Group: GROUPS,
  Badge: BADGES,
};

/** Stores that a rule before has put them all in. */
const seeded = new WeakSet<ResourceStore>();

/** A store that holds them all. Rules that only read may be given one that does already. */
export async function openSeeded(open: () => Promise<ResourceStore>): Promise<ResourceStore> {
  const store = await open();
  if (seeded.has(store)) return store;
  await seed(store, [...USERS, ...GROUPS, ...BADGES]);
  seeded.add(store);
  return store;
}

/** Every resource of a type with all that a filter may read, found without a query. */
export async function everyOne(
  store: ResourceStore,
  type: SampleType,
  depth = 1,
): Promise<readonly StoredResource[]> {
  const select: Readonly<Record<SampleType, ReadSelection>> = {
    User: withGroups(depth),
    Group: MEMBERS,
    Badge: NOTHING,
  };
  return store.readMany(SCOPE, { type, ids: ALL[type].map(({ id }) => id) }, select[type]);
}
