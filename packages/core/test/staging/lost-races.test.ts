import type { JsonObject } from "@scim/schemas";
import { expect, test } from "vitest";
import type { ResourceStore } from "../../src/index.ts";
import { updatePlan } from "../../src/testing/index.ts";
import { group } from "../support/bodies.ts";
import { testService } from "../support/service.ts";
import { interceptingStore } from "../support/store-wrappers.ts";

const SCOPE = { tenant: "default", connection: "default" };
const GROUP = { type: "Group", id: "id-1" };

/** A store in which a member comes to the group, and one goes, before its first change is written. */
function overtaken(store: ResourceStore): ResourceStore {
  let isFirst = true;
  return interceptingStore(store, async ({ kind }) => {
    if (kind !== "update" || !isFirst) return null;
    isFirst = false;
    const stored = await store.read(SCOPE, GROUP, { collections: [], inverses: [] });
    if (stored === null) throw new TypeError("The group is there");
    const add = [{ value: "late", rest: { type: "User" } }];
    await store.write(SCOPE, updatePlan(stored, { collections: [{ path: "members", remove: ["a"], add }] }));
    return null;
  });
}

const FOUR = ["a", "b", "c", "d"].map((value) => ({ value, type: "User" }));

test.each<[string, JsonObject, readonly JsonObject[]]>([
  [
    "a list in the place of all",
    {
      op: "replace",
      path: "members",
      value: [{ value: "late", type: "Group" }, { value: "b" }, { value: "x" }],
    },
    [{ value: "b", type: "User" }, { value: "late", type: "User" }, { value: "x" }],
  ],
  [
    "what a filter selects",
    { op: "add", path: 'members[type eq "User"].display', value: "One" },
    [...FOUR.slice(1), { value: "late", type: "User" }].map((member) => ({ ...member, display: "One" })),
  ],
  ["what a filter selects removed", { op: "remove", path: 'members[type eq "User"]' }, []],
])(
  "a PATCH that is overtaken is planned again on what is held then: %s",
  async (_what, operation, members) => {
    const scim = testService(undefined, { limits: { heldReferences: 2 }, wrap: overtaken });
    const client = scim.as("tolerant");
    await client.post("Group", group({ members: FOUR }));
    await client.patch("Group", "id-1", [operation], { streams: true });
    const read = await scim.store.references(SCOPE, { ...GROUP, path: "members" }, "all");
    expect(read.map(({ value, rest }) => ({ value, ...rest }))).toEqual(members);
  },
);
