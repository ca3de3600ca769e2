import { createDefaultRegistry, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { createHandlerStore, SeenKeys, type ExportedResource } from "../src/index.ts";
import { createMemoryHandler } from "../src/testing/index.ts";
import { group, user } from "./support/bodies.ts";
import { testService, type TestService } from "./support/service.ts";
import { recordingStore } from "./support/store-wrappers.ts";
import { testSources } from "./support/sources.ts";

/** One more than are read with a page. */
const MANY = 20_001;

interface Exported {
  readonly name: unknown;
  readonly members: readonly unknown[];
}

async function whole({ resource, collections }: ExportedResource): Promise<Exported> {
  const members: unknown[] = [];
  for (const { batches } of collections)
    for await (const batch of batches) for (const { value } of batch) members.push(value);
  return { name: resource["displayName"], members };
}

async function exported({ service, context }: TestService, type: string): Promise<readonly Exported[]> {
  const found: Exported[] = [];
  for await (const each of service.exportResources(context(), type)) found.push(await whole(each));
  return found;
}

/** Groups, the first of them long, of which something changes once their page is read. */
async function changedMeanwhile(change: (tested: TestService) => Promise<unknown>): Promise<TestService> {
  const tested = testService(undefined, {
    wrap: (store) => ({
      ...recordingStore(store, {}),
      snapshot: async (scope) => {
        await change(tested);
        return store.snapshot(scope);
      },
    }),
  });
  const members = Array.from({ length: MANY }, (_, index) => ({ value: `u${String(index)}` }));
  await tested.as().post("Group", group({ displayName: "long", members }));
  return tested;
}

describe("a resource with a long collection is exported as it is at one moment", () => {
  test("where it changes while its page is read", async () => {
    const tested = await changedMeanwhile(({ as }) =>
      as().patch("Group", "id-1", [
        { op: "replace", path: "displayName", value: "other" },
        { op: "remove", path: 'members[value eq "u0"]' },
      ]),
    );
    const [only, ...others] = await exported(tested, "Group");
    expect(only?.name).toBe("other");
    expect(only?.members.slice(0, 2)).toEqual(["u1", "u2"]);
    expect([only?.members.length, others]).toEqual([MANY - 1, []]);
  });

  test("and not at all where it is deleted by then", async () => {
    const tested = await changedMeanwhile(({ as }) => as().delete("Group", "id-1"));
    expect(await exported(tested, "Group")).toEqual([]);
  });
});

test("a resource of which nobody knows when it was created is exported so that an import takes it", async () => {
  const registry = createDefaultRegistry();
  const handlers = { User: createMemoryHandler({ dates: false }) };
  const store = createHandlerStore({ registry, sources: testSources(), handlers });
  const { service, context, as } = testService(undefined, { wrap: () => store });
  await as().post("User", user());
  const items: { record: number; type: string; body: JsonObject }[] = [];
  for await (const { resource } of service.exportResources(context(), "User"))
    items.push({ record: items.length + 1, type: "User", body: resource });
  expect(items.map(({ body }) => body["meta"])).toEqual([{ resourceType: "User" }]);
  const rules = { seen: new SeenKeys(), keepIds: true, mode: "create" } as const;
  const { outcomes } = await service.prepareImport(context(), { items, ...rules });
  expect(outcomes).toMatchObject([{ kind: "unchanged", error: null }]);
});

test("the schemas of a resource that is exported are those of which the export has something", async () => {
  const [base, urn] = ["urn:acme:Deed", "urn:acme:more:Seal"];
  const tested = testService((registry) => {
    registry.addSchema({ id: base, attributes: [{ name: "title", type: "string" }] });
    registry.addSchema({
      id: urn,
      attributes: [
        { name: "stamp", type: "string", returned: "never" },
        { name: "by", type: "string" },
        {
          name: "owners",
          type: "complex",
          multiValued: true,
          subAttributes: [
            { name: "value", type: "string" },
            { name: "$ref", type: "reference", referenceTypes: ["User"] },
          ],
        },
      ],
    });
    registry.addResourceType({
      name: "Deed",
      endpoint: "/Deeds",
      schema: base,
      schemaExtensions: [{ schema: urn, required: false }],
    });
  });
  const owners = [{ value: "o1" }];
  for (const seal of [{ stamp: "s" }, { stamp: "s", by: "me" }, { stamp: "s", owners }, { owners }])
    await tested.as().post("Deed", { schemas: [base], [urn]: seal });
  const found: unknown[] = [];
  for await (const { resource, collections } of tested.service.exportResources(tested.context(), "Deed")) {
    const members: unknown[] = [];
    for (const { batches } of collections) for await (const batch of batches) members.push(...batch);
    found.push([resource["schemas"], resource[urn], members]);
  }
  const both = [base, urn];
  expect(found).toEqual([
    [[base], undefined, []],
    [both, { by: "me" }, []],
    [both, {}, owners],
    [both, {}, owners],
  ]);
});
