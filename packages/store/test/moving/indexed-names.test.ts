/**
 * Imports of resources that are known by a name alone, which an index has and several may bear.
 */
import { createModelCatalog, indexSource, SeenKeys } from "@scim/core";
import { createDefaultRegistry, type JsonObject } from "@scim/schemas";
import { expect, test } from "vitest";
import { newFile, open } from "../support/folders.ts";
import { CALLER } from "../support/services.ts";
import { operatorOver } from "./filled.ts";

const TEAM = "urn:example:params:scim:schemas:core:2.0:Team";

test("an import finds all whom it means by an indexed name, however few resources an answer may hold", async () => {
  const registry = createDefaultRegistry();
  registry.addSchema({
    id: TEAM,
    name: "Team",
    attributes: [
      { name: "displayName", type: "string", required: true },
      { name: "note", type: "string" },
    ],
  });
  registry.addResourceType({
    name: "Team",
    endpoint: "/Teams",
    schema: TEAM,
    annotations: { displayName: { indexed: true } },
  });
  const store = await open(newFile(), { indexes: { grace: 0, interval: 1_000_000_000 } });
  const service = operatorOver(store, registry).adapted({ limits: { maxResults: 2 } });
  const names = ["a", "b", "c", "d", "e"];
  const imported = async (note: string): Promise<readonly string[]> => {
    const bodies = names.map((displayName): JsonObject => ({ schemas: [TEAM], displayName, note }));
    const items = bodies.map((body, index) => ({ record: index + 1, type: "Team", body }));
    const rules = { seen: new SeenKeys(), keepIds: false, mode: "upsert" } as const;
    const prepared = await service.prepareImport(CALLER, { items, ...rules });
    const outcomes = await prepared.apply({ run: null, onRejected: async () => undefined });
    return outcomes.map(({ kind }) => kind);
  };
  expect(await imported("first")).toEqual(names.map(() => "created"));
  await store.indexes.work(indexSource(createModelCatalog(registry)));
  expect(await store.indexes.list(CALLER.tenant)).toMatchObject([{ path: "displayName", state: "ready" }]);
  expect(await imported("second")).toEqual(names.map(() => "replaced"));
});
