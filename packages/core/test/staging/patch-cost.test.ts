import type { JsonObject } from "@scim/schemas";
import { expect, onTestFinished, test } from "vitest";
import { largeGroup, manyOf, SIZE } from "../support/large-group.ts";

/** What is done, how many turns others have at least, and what changes. */
const STAGED: readonly (readonly [string, number, readonly JsonObject[], JsonObject])[] = [
  [
    "a list in the place of all",
    0,
    [{ op: "replace", value: { members: [{ value: "u7" }, { value: "new" }] } }],
    { removed: SIZE - 1, added: 1, addedValues: ["new"] },
  ],
  [
    "another list as long",
    3,
    [{ op: "replace", path: "members", value: manyOf("n", SIZE) }],
    { removed: SIZE, added: SIZE },
  ],
  [
    "all removed, and a list added",
    3,
    [
      { op: "remove", path: "members" },
      { op: "add", path: "members", value: manyOf("u", 5000) },
    ],
    { removed: SIZE - 5000, added: 0 },
  ],
  ["an empty list", 0, [{ op: "replace", path: "members", value: [] }], { removed: SIZE, added: 0 }],
  [
    "a sub-attribute of those that a filter selects",
    3,
    [{ op: "add", path: 'members[value sw "u1"].display', value: "x" }],
    { removed: 0, added: 1111 },
  ],
  [
    "a sub-attribute of all",
    3,
    [{ op: "replace", path: "members.display", value: "x" }],
    { removed: 0, added: SIZE },
  ],
  [
    "those that a filter selects removed",
    3,
    [{ op: "remove", path: 'members[not (value eq "u7")]' }],
    { removed: SIZE - 1, added: 0 },
  ],
];

test.each(STAGED)(
  "%s: others have their turn, and no more is held than of a PUT",
  async (_name, least, operations, change) => {
    const { client, references, lastPlan } = await largeGroup();
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    onTestFinished(() => clearInterval(timer));
    await client.patch("Group", "id-1", [...operations], { prefer: "minimal", streams: true });
    expect(lastPlan()).toMatchObject({ body: null, collections: [], event: { changed: ["members"] } });
    expect(lastPlan().staged?.changes).toEqual([{ path: "members", ...change }]);
    expect(references.every(({ answered }) => answered <= SIZE / 5)).toBe(true);
    expect(turns).toBeGreaterThanOrEqual(least);
  },
);

test.each([
  ["few of many", 'members[value sw "u1"]', 1111, 1111],
  ["most of many", 'members[not (value eq "u7")]', SIZE - 1, 1],
])(
  "where %s go, the fewer of those that go and those that stay are staged",
  async (_name, path, removed, most) => {
    const { client, lastPlan, staged } = await largeGroup();
    await client.patch("Group", "id-1", [{ op: "remove", path }], { prefer: "minimal", streams: true });
    expect(lastPlan().staged?.changes).toEqual([{ path: "members", removed, added: 0 }]);
    expect(staged()).toBe(most);
  },
);
