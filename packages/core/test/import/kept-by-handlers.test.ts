/**
 * What an import brings for resources that a handler keeps, which gives ids of its own or has a form of its own for them.
 */
import { createDefaultRegistry, USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import {
  SeenKeys,
  type HandlerCreate,
  type IdForm,
  type ImportOutcome,
  type ResourceHandler,
} from "../../src/index.ts";
import { createMemoryHandler } from "../../src/testing/index.ts";
import { handledStore } from "../support/handled-store.ts";
import { testService } from "../support/service.ts";

const NUMBERS: IdForm = { pattern: /^[1-9][0-9]{0,14}$/, words: "a number" };
const ADDRESSES: IdForm = { pattern: /^[^@\s]+@[^@\s]+$/, words: "an address" };

/** A table that counts its rows, whatever id it is given. */
function counting(): ResourceHandler {
  const memory = createMemoryHandler({ ids: NUMBERS });
  let rows = 0;
  return {
    ...memory,
    create: (context, resource: HandlerCreate) =>
      memory.create(context, { ...resource, id: String((rows += 1)) }),
  };
}

async function imported(
  User: ResourceHandler,
  ids: readonly string[],
): Promise<readonly (ImportOutcome & { readonly listed: readonly unknown[] })[]> {
  const store = handledStore(createDefaultRegistry(), { handlers: { User } });
  const { service, context, as } = testService(undefined, { wrap: () => store });
  const items = ids.map((id, index) => ({
    record: index + 1,
    type: "User",
    body: { schemas: [USER_URN], userName: `u${index}`, ...(id === "" ? {} : { id }) },
  }));
  const request = { items, seen: new SeenKeys(), keepIds: true, mode: "upsert" as const };
  const prepared = await service.prepareImport(context(), request);
  const outcomes = await prepared.apply({ run: null, onRejected: async () => undefined });
  const { resources } = await as().list("User");
  return outcomes.map((outcome) => ({ ...outcome, listed: resources.map(({ id }) => id) }));
}

describe("an import into a handler", () => {
  test("tells the ids that the handler gave", async () => {
    expect(await imported(counting(), ["", ""])).toMatchObject([
      { kind: "created", id: "1", listed: ["1", "2"] },
      { kind: "created", id: "2" },
    ]);
  });

  test("keeps ids of the handler's form, and refuses others by its words", async () => {
    const [kept, refused] = await imported(createMemoryHandler({ ids: ADDRESSES }), ["a@b.c", "a"]);
    expect(kept).toMatchObject({ kind: "created", id: "a@b.c", listed: ["a@b.c"] });
    expect(refused?.error?.message).toBe("Attribute 'id' cannot be kept: it must be an address.");
  });
});
