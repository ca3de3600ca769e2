import { describe, expect, test } from "vitest";
import type { ReadSelection, ServiceLimits, StoreQuery } from "../../src/index.ts";
import { group, user } from "../support/bodies.ts";
import type { RequestOptions, TestClient } from "../support/client.ts";
import { testService } from "../support/service.ts";
import { recordingStore, type RecordedReferences } from "../support/store-wrappers.ts";

/** What a read asked of the store: paths of collections and inverses, and how far inverses look. */
interface Asked {
  readonly collections: readonly string[];
  readonly inverses: readonly (readonly [path: string, depth: number])[];
}

const NOTHING: Asked = { collections: [], inverses: [] };
const MEMBERS: Asked = { collections: ["members"], inverses: [] };
const GROUPS: Asked = { collections: [], inverses: [["groups", 1]] };

function asked(select: ReadSelection): Asked {
  return {
    collections: select.collections,
    inverses: select.inverses.map(({ inverse, depth }) => [inverse.node.path, depth]),
  };
}

interface Recorded {
  readonly client: TestClient;
  readonly reads: ReadSelection[];
  readonly queries: StoreQuery[];
  readonly references: RecordedReferences[];
}

async function recorded(limits: Partial<ServiceLimits> = {}): Promise<Recorded> {
  const record = { reads: [], queries: [], references: [] };
  const tested = testService(undefined, { limits, wrap: (store) => recordingStore(store, record) });
  const client = tested.as();
  await client.post("User", user());
  await client.post("Group", group({ members: [{ value: "id-1", type: "User" }] }));
  return { client, ...record };
}

describe("the store reads no row for what is not shown", () => {
  const ROWS: readonly (readonly [string, "User" | "Group", RequestOptions, Asked])[] = [
    ["a Group", "Group", {}, MEMBERS],
    ["a Group without members", "Group", { excludedAttributes: ["members"] }, NOTHING],
    ["a Group's name", "Group", { attributes: ["displayName"] }, NOTHING],
    ["a Group's members.value", "Group", { attributes: ["members.value"] }, MEMBERS],
    ["all but members.display", "Group", { excludedAttributes: ["members.display"] }, MEMBERS],
    ["a User", "User", {}, GROUPS],
    ["a User without groups", "User", { excludedAttributes: ["groups"] }, NOTHING],
    ["a User's name", "User", { attributes: ["userName"] }, NOTHING],
  ];

  test.each(ROWS)("GET: %s", async (_name, type, options, expected) => {
    const { client, reads } = await recorded();
    await client.get(type, type === "User" ? "id-1" : "id-2", options);
    expect(reads.map(asked)).toEqual([expected]);
  });

  test.each(ROWS)(
    "list: %s",
    async (_name, type, { attributes = null, excludedAttributes = null }, expected) => {
      const { client, queries } = await recorded();
      await client.list(type, { attributes, excludedAttributes });
      expect(queries.map(({ select }) => asked(select))).toEqual([expected]);
    },
  );

  test.each<readonly [ServiceLimits["groups"], Asked]>([
    ["direct", GROUPS],
    ["transitive", { collections: [], inverses: [["groups", 16]] }],
    ["off", NOTHING],
  ])("groups: %s", async (groups, expected) => {
    const { client, reads } = await recorded({ groups });
    await client.get("User", "id-1");
    expect(reads.map(asked)).toEqual([expected]);
  });

  test("PATCH of a Group that answers without members touches no member", async () => {
    const { client, reads, references } = await recorded();
    const rename = [{ op: "replace", path: "displayName", value: "Guides" }];
    await client.patch("Group", "id-2", rename, { excludedAttributes: ["members"] });
    await client.patch("Group", "id-2", rename, { prefer: "minimal" });
    expect(reads.map(asked)).toEqual([NOTHING, NOTHING]);
    expect(references).toEqual([]);
  });

  test("DELETE reads no collection", async () => {
    const { client, reads } = await recorded();
    await client.delete("Group", "id-2");
    expect(reads.map(asked)).toEqual([NOTHING]);
  });
});
