import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { AnswerStream, ResourceStore } from "../../src/index.ts";
import { recordingStore } from "../support/store-wrappers.ts";
import { testService, type TestService } from "../support/service.ts";

const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PRECONDITION = { ifMatch: null, ifNoneMatch: null };
const ALL = { attributes: null, excludedAttributes: null };
const QUERY = {
  filter: null,
  sortBy: null,
  sortOrder: null,
  startIndex: null,
  count: null,
  cursor: null,
} as const;

/** A service that holds three references, and notes which snapshots are open. */
function smallService(): TestService & { readonly open: Set<number> } {
  const open = new Set<number>();
  let opened = 0;
  const counting = (store: ResourceStore): ResourceStore => ({
    ...recordingStore(store, {}),
    snapshot: async (scope) => {
      const snapshot = await store.snapshot(scope);
      const number = (opened += 1);
      open.add(number);
      return {
        ...snapshot,
        close: async () => {
          open.delete(number);
          await snapshot.close();
        },
      };
    },
  });
  return { ...testService(undefined, { limits: { heldReferences: 3 }, wrap: counting }), open };
}

async function createGroup(
  { service, context }: TestService,
  members: readonly JsonObject[],
): Promise<string> {
  const body = { schemas: [GROUP], displayName: `of ${members.length}`, members };
  const { resource } = await service.create(context(), { type: "Group", body, ...ALL });
  return String(resource["id"]);
}

const members = (count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ value: `m${index}`, type: "User", display: `M ${index}` }));

type Held = Record<string, readonly JsonValue[]>;

/** Reads a stream to its end, and closes it: for each resource its long collections. */
async function taken(stream: AnswerStream | undefined): Promise<readonly Held[]> {
  const all: Held[] = [];
  for (const collections of stream?.collections ?? []) {
    const found: Held = {};
    for (const { keys, batches } of collections) {
      const values: JsonValue[] = [];
      for await (const batch of batches) values.push(...batch);
      found[keys.join(":")] = values;
    }
    all.push(found);
  }
  await stream?.close();
  return all;
}

describe("a collection that is longer than an answer may hold", () => {
  test("is streamed to who takes that, with the values that the whole answer would have", async () => {
    const scim = smallService();
    const id = await createGroup(scim, members(5));
    const request = { type: "Group", id, precondition: PRECONDITION, ...ALL };
    const whole = await scim.service.read(scim.context(), request);
    const long = await scim.service.read(scim.context(), { ...request, streams: true });
    if (whole.kind !== "resource" || long.kind !== "resource") throw new TypeError("no resource");
    expect(whole.stream).toBeUndefined();
    const { members: held, ...rest } = whole.resource;
    expect(long.resource).toEqual(rest);
    expect([long.version, long.location]).toEqual([whole.version, whole.location]);
    expect([...scim.open]).toEqual([1]);
    expect(await taken(long.stream)).toEqual([{ members: held }]);
    expect([...scim.open]).toEqual([]);
  });

  test.each([
    ["as many as may be held", 3, ALL],
    ["not shown", 5, { attributes: ["displayName"], excludedAttributes: null }],
    ["excluded", 5, { attributes: null, excludedAttributes: ["members"] }],
  ])("is no stream where it is %s", async (_, count, projection) => {
    const scim = smallService();
    const id = await createGroup(scim, members(count));
    const request = { type: "Group", id, precondition: PRECONDITION, ...projection, streams: true };
    const answer = await scim.service.read(scim.context(), request);
    expect(answer.kind === "resource" && answer.stream).toBe(undefined);
    expect([...scim.open]).toEqual([]);
  });

  test("shows of each value what was asked for", async () => {
    const scim = smallService();
    const id = await createGroup(scim, members(4));
    const request = { type: "Group", id, precondition: PRECONDITION, streams: true };
    const projection = { attributes: ["members.display"], excludedAttributes: null };
    const answer = await scim.service.read(scim.context(), { ...request, ...projection });
    if (answer.kind !== "resource") throw new TypeError("no resource");
    const displays = members(4).map(({ display }) => ({ display }));
    expect(await taken(answer.stream)).toEqual([{ members: displays }]);
  });

  test("opens nothing where the client's copy is current, and nothing stays open where the group is gone", async () => {
    const scim = smallService();
    const id = await createGroup(scim, members(4));
    const read = { type: "Group", id, precondition: PRECONDITION, ...ALL, streams: true };
    const first = await scim.service.read(scim.context(), read);
    if (first.kind !== "resource" || first.version === null) throw new TypeError("no resource");
    await first.stream?.close();
    const precondition = { ifMatch: null, ifNoneMatch: [first.version] };
    const again = await scim.service.read(scim.context(), { ...read, precondition });
    expect([again.kind, scim.open.size]).toEqual(["notModified", 0]);
    await scim.service.delete(scim.context(), { type: "Group", id, precondition: PRECONDITION });
    await expect(scim.service.read(scim.context(), read)).rejects.toMatchObject({ code: "notFound" });
    expect(scim.open.size).toBe(0);
  });
});

describe("a page whose collections are longer together than an answer may hold", () => {
  test.each([null, "Group"])("streams each of them, in the order of the page (type %s)", async (type) => {
    const scim = smallService();
    for (const count of [2, 0, 7, 1]) await createGroup(scim, members(count));
    const request = { type, source: "address", ...QUERY, ...ALL } as const;
    const whole = await scim.service.list(scim.context(), request);
    const long = await scim.service.list(scim.context(), { ...request, streams: true });
    expect(long).toMatchObject({ totalResults: 4, startIndex: 1 });
    const streamed = await taken(long.stream);
    expect(streamed).toHaveLength(4);
    const together = long.resources.map((resource, index) => {
      const values = streamed[index]?.["members"] ?? [];
      return values.length === 0 ? resource : { ...resource, members: values };
    });
    expect(together).toEqual(whole.resources);
    expect(whole.resources.some((resource) => isJsonObject(resource) && "members" in resource)).toBe(true);
    expect(scim.open.size).toBe(0);
  });
});
