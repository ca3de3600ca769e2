import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { ReadSelection, UpdatePlan, WritePlan } from "../src/index.ts";
import { group } from "./support/bodies.ts";
import { jobRunner } from "./support/bulk.ts";
import { testService } from "./support/service.ts";
import { recordingStore, type RecordedReferences } from "./support/store-wrappers.ts";

const SIZE = 1500;

const membersOf = (ids: readonly string[]): JsonObject => ({ members: ids.map((value) => ({ value })) });
const ALL = Array.from({ length: SIZE }, (_, index) => `u${String(index)}`);

/** A Group of members `u0` to `u1499`, in a service that compares 1000; what its making asked of the store is forgotten. */
async function largeGroup() {
  const reads: ReadSelection[] = [];
  const references: RecordedReferences[] = [];
  const plans: WritePlan[] = [];
  const tested = testService(undefined, {
    limits: { heldReferences: 100 },
    wrap: (store) => recordingStore(store, { reads, references, plans }),
  });
  const client = tested.as("tolerant");
  const { version } = await client.post("Group", group(membersOf(ALL)));
  reads.length = 0;
  const lastPlan = (): UpdatePlan => {
    const plan = plans.at(-1);
    if (plan?.kind !== "update") throw new TypeError("Expected an update");
    return plan;
  };
  return { tested, client, version, reads, references, lastPlan };
}

const MINIMAL = { prefer: "minimal" } as const;

describe("a PATCH that says all that a large group will hold", () => {
  test.each<readonly [string, JsonObject, readonly string[]]>([
    ["removing all", { op: "remove", path: "members" }, []],
    ["removing all by an empty list", { op: "replace", path: "members", value: [] }, []],
    [
      "naming others",
      { op: "replace", path: "members", value: [{ value: "u7" }, { value: "n" }] },
      ["u7", "n"],
    ],
    ["naming some without path", { op: "replace", value: membersOf(["u7"]) }, ["u7"]],
  ])("%s reads no more than tells that there are many", async (_name, operation, left) => {
    const { client, references, lastPlan } = await largeGroup();
    await client.patch("Group", "id-1", [operation], MINIMAL);
    expect(references).toEqual([{ path: "members", selection: { first: 1001 }, answered: 1001 }]);
    const { collections, event, staged } = lastPlan();
    const change = { path: "members", removed: SIZE - 1, added: left.length - 1 };
    expect([collections, staged?.changes]).toEqual(
      left.length === 0 ? [[{ path: "members", remove: "all", add: [] }], undefined] : [[], [change]],
    );
    expect(event).toMatchObject({ kind: "patched", changed: ["members"] });
    const { members = [] } = await client.resource("Group", "id-1", { attributes: ["members.value"] });
    expect(members).toEqual(left.map((value) => ({ value })));
  });

  test("as it holds them is no change", async () => {
    const { client, version, references } = await largeGroup();
    const operation = { op: "replace", value: membersOf(ALL.toReversed()) };
    expect((await client.patch("Group", "id-1", [operation], MINIMAL)).version).toBe(version);
    expect(references.map(({ answered }) => answered)).toEqual([1001]);
  });

  test("is tried out with each member that comes and goes", async () => {
    const { tested } = await largeGroup();
    const body = {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
      Operations: [{ op: "remove", path: "members" }],
    };
    const precondition = { ifMatch: null, ifNoneMatch: null };
    const request = {
      type: "Group",
      id: "id-1",
      body,
      precondition,
      prefer: null,
      attributes: null,
      excludedAttributes: null,
    };
    const { diff } = await tested.service.dryRun(tested.context(), { operation: "patch", request });
    expect(diff).toHaveLength(SIZE);
  });
});

test("a bulk job replaces a large group without reading the members that it has", async () => {
  const { tested, version, reads, references } = await largeGroup();
  const data = group(membersOf(["u7", "n"]));
  const job = jobRunner(tested.service, tested.context());
  const [answer] = await job([{ method: "PUT", path: "/Groups/id-1", version, data }]);
  expect(reads.filter(({ collections, most }) => collections.length > 0 && most !== 100)).toEqual([]);
  expect(references).toEqual([]);
  const after = await tested.as().get("Group", "id-1", { attributes: ["members.value"] });
  expect([answer?.status, answer?.version]).toEqual([200, after.version]);
  expect(after).toMatchObject({ resource: membersOf(["u7", "n"]) });
});
