import { isScimError, ScimError, type JsonObject } from "@scim/schemas";
import { expect, test } from "vitest";
import { group } from "./support/bodies.ts";
import { idOf, patchBody } from "./support/client.ts";
import { PLAIN, testService, type TestService } from "./support/service.ts";
import { recordingStore } from "./support/store-wrappers.ts";

const GROUPS = 10;

/** A service of which two references are held, with groups of more, and how many of its stages were open at once. */
async function started(refused = 0) {
  const stages = { open: 0, most: 0, refused };
  const tested = testService(undefined, {
    limits: { heldReferences: 0 },
    wrap: (store) => ({
      ...recordingStore(store, {}),
      stage: async (scope, type) => {
        if (stages.refused-- > 0) throw new ScimError("unavailable", "No room.");
        stages.open += 1;
        stages.most = Math.max(stages.most, stages.open);
        const stage = await store.stage(scope, type);
        return {
          id: stage.id,
          add: (path, batch) => stage.add(path, batch),
          amend: (path, batch) => stage.amend(path, batch),
          compare: (target, settle) => stage.compare(target, settle),
          leave: (target) => stage.leave(target),
          close: async () => {
            await stage.close();
            stages.open -= 1;
          },
        };
      },
    }),
  });
  const ids: string[] = [];
  for (let made = 0; made < GROUPS; made += 1)
    ids.push(idOf(await tested.as().post("Group", named(`g${String(made)}`, ["a", "b"]))));
  return { tested, stages, ids };
}

function named(displayName: string, ids: readonly string[]): JsonObject {
  return group({ displayName, members: ids.map((value) => ({ value })) });
}

const exchange = {
  PUT: async ({ service, context }: TestService, id: string, index: number): Promise<void> => {
    const body = named(`g${String(index)}`, ["b", "c"]);
    const answer = await service.replace(context(), { ...PLAIN, type: "Group", id, body, streams: true });
    await answer.stream?.close();
  },
  PATCH: async ({ service, context }: TestService, id: string): Promise<void> => {
    const body = patchBody([{ op: "replace", path: "members", value: [{ value: "b" }, { value: "c" }] }]);
    const request = { ...PLAIN, type: "Group", id, body, prefer: "minimal", streams: true } as const;
    await service.patch(context(), request);
  },
} as const;

test.each(["PUT", "PATCH"] as const)(
  "however many long collections a tenant exchanges by %s at once, few stages are open",
  async (method) => {
    const { tested, stages, ids } = await started();
    await Promise.all(ids.map(async (id, index) => exchange[method](tested, id, index)));
    expect(stages).toMatchObject({ open: 0, most: 3 });
    for (const id of ids)
      expect((await tested.as().resource("Group", id))["members"]).toMatchObject([
        { value: "b" },
        { value: "c" },
      ]);
  },
);

test("a stage that could not be opened holds nobody up", async () => {
  const { tested, ids } = await started(5);
  const outcomes: string[] = [];
  for (const [index, id] of ids.entries())
    outcomes.push(
      await exchange.PUT(tested, id, index).then(
        () => "done",
        (error: unknown) => (isScimError(error) ? error.code : String(error)),
      ),
    );
  expect(outcomes).toEqual([...Array(5).fill("unavailable"), ...Array(5).fill("done")]);
});
