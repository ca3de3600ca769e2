import type { JsonObject } from "@scim/schemas";
import { expect, test } from "vitest";
import type { ReadSelection } from "../../src/index.ts";
import { group } from "../support/bodies.ts";
import { jobRunner } from "../support/bulk.ts";
import { patchBody, type TestClient } from "../support/client.ts";
import { PLAIN, testService, type TestService } from "../support/service.ts";
import { recordingStore, type RecordedReferences } from "../support/store-wrappers.ts";

const SIZE = 1500;

const membersOf = (ids: readonly string[]): JsonObject => ({ members: ids.map((value) => ({ value })) });

interface LargeGroup {
  readonly tested: TestService;
  readonly client: TestClient;
  readonly version: string | null;
  readonly reads: ReadSelection[];
  readonly references: RecordedReferences[];
}

/** A Group of members `u0` to `u1499`, in a service that holds 100; what its making asked of the store is forgotten. */
async function largeGroup(): Promise<LargeGroup> {
  const reads: ReadSelection[] = [];
  const references: RecordedReferences[] = [];
  const tested = testService(undefined, {
    limits: { heldReferences: 100 },
    wrap: (store) => recordingStore(store, { reads, references }),
  });
  const client = tested.as("tolerant");
  const all = Array.from({ length: SIZE }, (_, index) => `u${String(index)}`);
  const { version } = await client.post("Group", group(membersOf(all)));
  reads.length = 0;
  return { tested, client, version, reads, references };
}

test.each<readonly [string, JsonObject]>([
  ["PUT", group(membersOf(["u7", "n"]))],
  ["PATCH", patchBody([{ op: "replace", value: membersOf(["u7", "n"]) }])],
])("a bulk job renews a large group by %s without reading the members that it has", async (method, data) => {
  const { tested, version, reads, references } = await largeGroup();
  const job = jobRunner(tested.service, tested.context());
  const [answer] = await job([{ method, path: "/Groups/id-1", version, data }]);
  expect(reads.filter(({ collections, most }) => collections.length > 0 && most !== 100)).toEqual([]);
  expect(references.every(({ answered }) => answered <= 101)).toBe(true);
  const after = await tested.as().get("Group", "id-1", { attributes: ["members.value"] });
  expect([answer?.status, answer?.version]).toEqual([200, after.version]);
  expect(after).toMatchObject({ resource: membersOf(["u7", "n"]) });
});

test("a PATCH is tried out with each member that comes and goes", async () => {
  const { tested } = await largeGroup();
  const body = patchBody([{ op: "remove", path: "members" }]);
  const request = { ...PLAIN, type: "Group", id: "id-1", body, prefer: null };
  const { diff } = await tested.service.dryRun(tested.context(), { operation: "patch", request });
  expect(diff).toHaveLength(SIZE);
});
