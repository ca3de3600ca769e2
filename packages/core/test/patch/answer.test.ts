import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { group, user } from "../support/bodies.ts";
import type { RequestOptions, TestClient } from "../support/client.ts";
import { BASE_URL, testService } from "../support/service.ts";

const LIMIT = 3;

function members(count: number): readonly { readonly value: string }[] {
  return Array.from({ length: count }, (_, index) => ({ value: `u${String(index)}` }));
}

/** A Group of so many members, in a service that answers `LIMIT` of them. */
async function groupOf(count: number): Promise<TestClient> {
  const client = testService(undefined, { limits: { answerReferences: LIMIT } }).as("tolerant");
  await client.post("Group", group({ members: members(count) }));
  return client;
}

const rename = [{ op: "replace", path: "displayName", value: "x" }];
const addNext = (count: number): readonly JsonObject[] => [
  { op: "add", path: "members", value: [{ value: `u${String(count)}` }] },
];

describe("200 with the resource, 204 where it would lack members", () => {
  const ROWS: readonly (readonly [string, number, RequestOptions, "resource" | "noContent", number])[] = [
    ["as many members as the limit after the change", LIMIT - 1, {}, "resource", LIMIT],
    ["one more", LIMIT, {}, "noContent", 0],
    ["many more", 50, {}, "noContent", 0],
    ["R7644-3.5.2-29 attributes", 50, { attributes: ["members"] }, "resource", 51],
    ["attributes without members", 50, { attributes: ["displayName"] }, "resource", 0],
    ["R7644-3.5.2-29 excludedAttributes", 50, { excludedAttributes: ["displayName"] }, "resource", 51],
    ["excludedAttributes with members", 50, { excludedAttributes: ["members"] }, "resource", 0],
    ["Prefer: return=representation", 50, { prefer: "representation" }, "resource", 51],
    ["Prefer: return=minimal", 1, { prefer: "minimal" }, "noContent", 0],
    [
      "R7644-3.9-07 Prefer: return=minimal with attributes",
      1,
      { prefer: "minimal", attributes: ["members"] },
      "resource",
      2,
    ],
  ];

  test.each(ROWS)("%s", async (_name, count, options, kind, shown) => {
    const client = await groupOf(count);
    const answer = await client.patch("Group", "id-1", addNext(count), options);
    expect(answer.kind).toBe(kind);
    const listed = answer.kind === "resource" ? answer.resource["members"] : undefined;
    expect(Array.isArray(listed) ? listed.length : 0).toBe(shown);
    const { version } = await client.get("Group", "id-1", { attributes: ["displayName"] });
    expect(answer.version).toBe(version);
    expect(answer.location).toBe(`${BASE_URL}/Groups/id-1`);
  });

  test("it is the same where nothing changes, and where something else does", async () => {
    const client = await groupOf(LIMIT + 1);
    for (const operations of [rename, rename, [{ op: "add", path: "members", value: members(1) }]]) {
      expect((await client.patch("Group", "id-1", operations)).kind).toBe("noContent");
    }
    await client.patch("Group", "id-1", [{ op: "remove", path: "members", value: members(1) }]);
    expect((await client.patched("Group", "id-1", rename))["members"]).toHaveLength(LIMIT);
  });

  test("R7644-3.5.2-29 the answer is what a read then answers", async () => {
    const tested = testService();
    const client = tested.as("tolerant");
    await client.post("User", user());
    await client.post("Group", group({ members: [{ value: "id-1", type: "User" }] }));
    const patched = await client.patch("User", "id-1", [
      { op: "add", path: "emails", value: { value: "a" } },
    ]);
    expect(patched).toEqual(await client.get("User", "id-1"));
    expect(patched.kind === "resource" && patched.resource["groups"]).toHaveLength(1);
    const operations = [
      { op: "remove", path: "members" },
      { op: "add", path: "members", value: [{ value: "b" }, { value: "a" }] },
    ];
    expect(await client.patch("Group", "id-2", operations)).toEqual(await client.get("Group", "id-2"));
  });

  test("Prefer for a User", async () => {
    const client = testService().as();
    await client.post("User", user());
    const title = [{ op: "replace", path: "title", value: "x" }];
    expect((await client.patch("User", "id-1", title, { prefer: "minimal" })).kind).toBe("noContent");
    expect((await client.patch("User", "id-1", title, { prefer: "representation" })).kind).toBe("resource");
  });
});
