import type { JsonObject, JsonValue } from "@scim/schemas";
import { beforeEach, describe, expect, test } from "vitest";
import type { UpdatePlan, WritePlan } from "../../src/index.ts";
import { ownValues, user } from "../support/bodies.ts";
import type { TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService } from "../support/service.ts";
import { recordingStore, type RecordedReferences } from "../support/store-wrappers.ts";
import { addTeams, TEAM_URN, team } from "../support/teams.ts";

let client: TestClient;
let plans: WritePlan[] = [];
let references: RecordedReferences[] = [];

beforeEach(async () => {
  plans = [];
  references = [];
  client = testService(addTeams, {
    wrap: (store) => recordingStore(store, { plans, references }),
  }).as("strict");
  await client.post("User", user());
});

/** The User `id-1` and the Teams that follow as references are answered. */
function owner(id: string, type: "User" | "Team"): JsonObject {
  return { value: id, $ref: `${BASE_URL}/${type}s/${id}`, type };
}

describe("core idea: schemas decide. A resource type of documents alone", () => {
  test("its references are kept, checked and addressed like members", async () => {
    const owners = [{ value: "id-1", type: "user" }, { value: "nobody" }, { $ref: "../Teams/t9" }];
    const { resource } = await client.post("Team", team({ owners }));
    expect(ownValues(resource)).toEqual({
      displayName: "Red",
      owners: [owner("id-1", "User"), { value: "nobody" }, owner("t9", "Team")],
    });
    const [plan] = plans.slice(-1);
    expect(plan).toMatchObject({
      body: { displayName: "Red" },
      collections: [
        { path: "owners", remove: [], add: [{ value: "id-1" }, { value: "nobody" }, { value: "t9" }] },
      ],
    });
  });

  test.each<readonly [string, JsonValue, string]>([
    ["a type that its references do not name", [{ value: "a", type: "Group" }], "owners[0].type"],
    ["no value", [{ value: "a" }, { display: "x" }], "owners[1].value"],
    ["a malformed id", [{ value: "a b" }], "owners[0].value"],
  ])("it refuses %s", async (_name, owners, path) => {
    const refused = await refusal(client.post("Team", team({ owners })));
    expect(refused).toMatchObject({
      answer: "400 invalidValue",
      detail: expect.stringContaining(`'${path}'`),
    });
  });

  test.each<readonly [JsonValue, JsonValue]>([
    ["owners.value", "a b"],
    ['owners[value eq "id-1"].value', "a b"],
    ['owners[type eq "Team"].value', "a b"],
    ['owners[type eq "Team"]', { value: "a b" }],
    ['owners[value eq "id-1"].value', "x".repeat(129)],
  ])("it refuses a malformed id at the path %s", async (path, value) => {
    const created = await client.post("Team", team({ owners: [{ value: "id-1" }] }));
    const refused = await refusal(client.patch("Team", "id-2", [{ op: "add", path, value }]));
    expect(refused).toMatchObject({
      answer: "400 invalidValue",
      detail: expect.stringContaining("'owners.value'"),
    });
    expect(await client.get("Team", "id-2")).toEqual(created);
  });

  test.each<readonly [string, JsonValue]>([
    ['owners[type eq "Team"].value', "id-9"],
    ['owners[type eq "Team"]', { VALUE: "id-9" }],
  ])("the id that is added at %s makes a reference of that type", async (path, value) => {
    await client.post("Team", team({ owners: [{ value: "id-1", type: "User" }] }));
    const patched = await client.patched("Team", "id-2", [{ op: "add", path, value }]);
    expect(patched["owners"]).toEqual([owner("id-1", "User"), owner("id-9", "Team")]);
  });

  test.each(["add", "replace"])(
    "%s that makes one of another keeps what stands beside that one",
    async (op) => {
      const owners = [{ value: "id-1" }, { value: "t9", type: "Team", display: "Nine" }];
      await client.post("Team", team({ owners }));
      const operation = { op, path: 'owners[value eq "id-1"]', value: { value: "t9" } };
      const patched = await client.patched("Team", "id-2", [operation]);
      expect(patched["owners"]).toEqual([{ ...owner("t9", "Team"), display: "Nine" }]);
    },
  );

  test("two collections do not mix", async () => {
    const { resource } = await client.post(
      "Team",
      team({ owners: [{ value: "a" }], guests: [{ value: "b" }] }),
    );
    expect(resource).toMatchObject({
      owners: [{ value: "a" }],
      guests: [{ value: "b", $ref: `${BASE_URL}/Users/b` }],
    });
    const removed = await client.patched("Team", "id-2", [{ op: "remove", path: "owners" }]);
    expect(removed).not.toHaveProperty("owners");
    expect(removed["guests"]).toHaveLength(1);
  });

  test("adding one reference reads that one alone", async () => {
    const owners = Array.from({ length: 500 }, (_, index) => ({ value: `o${String(index)}` }));
    await client.post("Team", team({ owners }));
    const add = [{ op: "add", path: "owners", value: [{ value: "new", type: "User" }] }];
    await client.patch("Team", "id-2", add, { prefer: "minimal" });
    expect(references).toEqual([{ path: "owners", selection: ["new"], answered: 0 }]);
    expect((plans.at(-1) as UpdatePlan).collections).toEqual([
      { path: "owners", remove: [], add: [{ value: "new", rest: { type: "User" } }] },
    ]);
    expect((await client.patch("Team", "id-2", add)).kind).toBe("noContent");
  });

  test("ids are case exact, also where the schema does not say so", async () => {
    const owners = [{ value: "a" }, { value: "A" }];
    await client.post("Team", team({ owners }));
    const operations = [
      { op: "add", path: "owners", value: [{ value: "B" }, { value: "b" }] },
      { op: "remove", path: "owners", value: [{ value: "A" }] },
    ];
    const patched = await client.patched("Team", "id-2", operations);
    expect(patched["owners"]).toEqual([{ value: "a" }, { value: "B" }, { value: "b" }]);
    expect(await client.resource("Team", "id-2")).toEqual(patched);
  });

  test("R7643-2.4-03 the answer to a change of them alone is what is stored: a primary of false is as good as none", async () => {
    const urn = "urn:example:Crew";
    const crews = testService((registry) => {
      addTeams(registry);
      const { attributes = [] } = registry.schema(TEAM_URN) ?? {};
      registry.addSchema({
        id: urn,
        attributes: [
          ...attributes.filter(({ name }) => name === "owners"),
          { name: "badge", type: "complex", subAttributes: [{ name: "primary", type: "boolean" }] },
        ],
      });
      registry.addResourceType({ name: "Crew", endpoint: "/Crews", schema: urn });
    }).as("strict");
    const badge = { primary: false };
    await crews.post("Crew", { schemas: [urn], owners: [{ value: "a" }], badge });
    const operations = [
      { op: "add", path: "owners", value: [{ value: "b" }] },
      { op: "remove", path: "badge.primary" },
    ];
    const patched = await crews.patched("Crew", "id-1", operations);
    expect(patched["owners"]).toHaveLength(2);
    expect(await crews.resource("Crew", "id-1")).toEqual(patched);
    const replaced = await crews.put("Crew", "id-1", { schemas: [urn], owners: [{ value: "c" }] });
    expect(await crews.resource("Crew", "id-1")).toEqual(replaced.resource);
  });

  test("PUT that only reorders them changes nothing", async () => {
    const owners = [{ value: "a" }, { value: "b" }];
    const created = await client.post("Team", team({ owners }));
    expect(await client.put("Team", "id-2", team({ owners: owners.toReversed() }))).toEqual(created);
  });

  test("its readOnly attribute shows who refers to it, and is no one's to write", async () => {
    await client.post("Team", team());
    const red = "id-2";
    await client.post("Team", team({ displayName: "Blue", owners: [{ value: red, type: "Team" }] }));
    expect((await client.resource("Team", red))["ownedBy"]).toEqual([
      { value: "id-3", $ref: `${BASE_URL}/Teams/id-3`, display: "Blue", type: "direct" },
    ]);
    expect(await client.matches("Team", 'ownedBy.value eq "id-3"')).toEqual([red]);
    const path = { op: "add", path: "ownedBy", value: [{ value: "x" }] };
    expect((await refusal(client.patch("Team", red, [path]))).answer).toBe("400 mutability");
    expect((await refusal(client.post("Team", team({ ownedBy: [{ value: "x" }] })))).answer).toBe(
      "400 mutability",
    );
    await client.delete("Team", "id-3");
    expect(await client.resource("Team", red)).not.toHaveProperty("ownedBy");
  });

  test("its version holds what is derived, its write does not", async () => {
    const { version } = await client.post("Team", team());
    await client.post("Team", team({ displayName: "Blue", owners: [{ value: "id-2" }] }));
    const whole = (await client.get("Team", "id-2")).version;
    expect(whole.startsWith(`${version}~`)).toBe(true);
    const precondition = { ifMatch: [whole], ifNoneMatch: null };
    await client.patch("Team", "id-2", [{ op: "add", path: "budget", value: 5 }], { precondition });
  });

  test("groups of a User are of Groups alone", async () => {
    await client.post("Team", team({ owners: [{ value: "id-1", type: "User" }] }));
    expect(await client.resource("User", "id-1")).not.toHaveProperty("groups");
  });

  test("filters find its references, uniqueness and types hold", async () => {
    await client.post("Team", team({ owners: [{ value: "id-1", type: "User" }], budget: 5 }));
    expect(await client.matches("Team", 'owners eq "id-1" and budget gt 4')).toEqual(["id-2"]);
    expect(await client.matches("Team", 'owners[type eq "Team"]')).toEqual([]);
    expect((await refusal(client.post("Team", team({ displayName: "RED" })))).answer).toBe("409 uniqueness");
    expect((await refusal(client.post("Team", team({ budget: "5" })))).answer).toBe("400 invalidValue");
  });

  test("a singular reference of it loses what describes the old one", async () => {
    const lead = { value: "id-1", display: "Babs" };
    await client.post("Team", team({ lead }));
    expect((await client.resource("Team", "id-2"))["lead"]).toEqual({
      ...lead,
      $ref: `${BASE_URL}/Users/id-1`,
    });
    const next = await client.patched("Team", "id-2", [{ op: "replace", path: "lead.value", value: "u2" }]);
    expect(next["lead"]).toEqual({ value: "u2", $ref: `${BASE_URL}/Users/u2` });
    const strict = client.patch("Team", "id-2", [{ op: "replace", path: "lead", value: "u3" }]);
    expect((await refusal(strict)).answer).toBe("400 invalidValue");
  });

  test("tolerances are not for names: lead as a string, flags as strings", async () => {
    const tolerant = testService(addTeams).as("tolerant");
    const { resource } = await tolerant.post("Team", team({ lead: "u1" }));
    expect(resource["lead"]).toMatchObject({ value: "u1" });
    const nested = { op: "remove", path: "owners", value: { owners: [{ value: "a" }] } };
    await tolerant.patch("Team", "id-1", [{ op: "add", path: "owners", value: [{ value: "a" }] }, nested]);
    expect(await tolerant.resource("Team", "id-1")).not.toHaveProperty("owners");
  });
});
