import type { JsonValue } from "@scim/schemas";
import { expect, test } from "vitest";
import { createBodyReader, type HookedChange, type StagedBody } from "../../src/index.ts";
import { group } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { PLAIN, testService, type TestService } from "../support/service.ts";

/** More members than are told one by one. */
const MANY = 1200;

const names = (prefix: string): readonly { readonly value: string }[] =>
  Array.from({ length: MANY }, (_, index) => ({ value: `${prefix}${String(index)}` }));

/** Brings members in by a stage, as the reader of a long body does. */
async function staged(
  { service, context }: TestService,
  members: readonly { readonly value: string }[],
): Promise<{
  readonly list: readonly JsonValue[];
  readonly staged: StagedBody;
  readonly close: () => Promise<void>;
}> {
  const long = await service.longBody(context(), "Group")?.();
  if (long === undefined) throw new TypeError("Groups are staged");
  const collection = createBodyReader(long.reading).collection(["members"]);
  const batch = collection?.read([...members]) ?? null;
  if (collection === null || batch === null) throw new TypeError("Members are staged");
  await long.stage(collection.path, batch);
  const list: readonly JsonValue[] = [];
  const lists = new Map([[list, collection.found()]]);
  return { list, staged: { stage: long.target, lists }, close: () => long.close() };
}

test("a long body passes the hook: it amends the group, and is told of members in numbers", async () => {
  const changes: HookedChange[] = [];
  const tested = testService(undefined, {
    hooks: {
      Group: {
        plan: (_, change) => {
          changes.push(change);
          return { ...change.after, displayName: `${String(change.after?.["displayName"])}!` };
        },
      },
    },
  });
  const first = await staged(tested, names("a"));
  const made = await tested.service.create(tested.context(), {
    ...PLAIN,
    type: "Group",
    body: group({ displayName: "one", members: first.list }),
    staged: first.staged,
  });
  await first.close();
  const second = await staged(tested, names("b"));
  await tested.service.replace(tested.context(), {
    ...PLAIN,
    type: "Group",
    id: idOf(made),
    body: group({ displayName: "two", members: second.list }),
    staged: second.staged,
  });
  await second.close();
  expect(changes.map((change) => change.changes.longCollections)).toEqual([
    [{ path: "members", removed: 0, added: MANY }],
    [{ path: "members", removed: MANY, added: MANY }],
  ]);
  expect(changes.map((change) => change.changes.attributes)).toEqual([
    ["displayName", "members"],
    ["displayName", "members"],
  ]);
  const { displayName, members } = await tested.as().resource("Group", idOf(made));
  expect(displayName).toBe("two!");
  expect(members).toHaveLength(MANY);
  expect(members).toContainEqual(expect.objectContaining({ value: "b7" }));
});
