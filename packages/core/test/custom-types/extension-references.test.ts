import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ownValues } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { BASE_URL, testService } from "../support/service.ts";
import { addTeamsWithProjects, PROJECT_URN, team, TEAM_URN } from "../support/teams.ts";

describe("a reference collection of an extension", () => {
  const sponsors = [{ value: "id-1" }, { value: "u2", display: "Two" }];
  const shown = [
    { value: "id-1", $ref: `${BASE_URL}/Users/id-1` },
    { value: "u2", $ref: `${BASE_URL}/Users/u2`, display: "Two" },
  ];

  async function started(values: JsonObject): Promise<TestClient> {
    const projects = testService(addTeamsWithProjects).as("strict");
    const created = await projects.post("Team", team({ [PROJECT_URN]: values }));
    expect(idOf(created)).toBe("id-1");
    return projects;
  }

  test("stands in the extension, beside its other values or alone", async () => {
    for (const values of [{ code: "x", sponsors }, { sponsors }]) {
      const projects = await started(values);
      const resource = await projects.resource("Team", "id-1");
      expect(ownValues(resource)).toEqual({
        displayName: "Red",
        [PROJECT_URN]: { ...values, sponsors: shown },
      });
      expect(resource["schemas"]).toEqual([TEAM_URN, PROJECT_URN]);
    }
  });

  test("leaves no empty extension where it is not shown", async () => {
    const projects = await started({ sponsors });
    const without = { excludedAttributes: [`${PROJECT_URN}:sponsors`] };
    const resource = await projects.resource("Team", "id-1", without);
    expect(ownValues(resource)).toEqual({ displayName: "Red" });
    expect(resource["schemas"]).toEqual([TEAM_URN, PROJECT_URN]);
  });

  test("is selected, changed and filtered by its path", async () => {
    const projects = await started({ code: "x", sponsors });
    const path = `${PROJECT_URN}:sponsors`;
    const asked = { attributes: [`${path}.value`] };
    expect(ownValues(await projects.resource("Team", "id-1", asked))).toEqual({
      [PROJECT_URN]: { sponsors: [{ value: "id-1" }, { value: "u2" }] },
    });
    const without = { excludedAttributes: [path] };
    expect(ownValues(await projects.resource("Team", "id-1", without))).toEqual({
      displayName: "Red",
      [PROJECT_URN]: { code: "x" },
    });
    expect(await projects.matches("Team", `${path} eq "u2"`)).toEqual(["id-1"]);
    expect(await projects.matches("Team", `${path}[value eq "u2" and display eq "two"]`)).toEqual(["id-1"]);
    const removed = await projects.patched("Team", "id-1", [
      { op: "remove", path: `${path}[value eq "id-1"]` },
    ]);
    expect(removed[PROJECT_URN]).toEqual({ code: "x", sponsors: shown.slice(1) });
    const added = await projects.patched("Team", "id-1", [{ op: "add", path, value: [{ value: "id-1" }] }]);
    expect(added[PROJECT_URN]).toEqual({ code: "x", sponsors: shown.toReversed() });
    expect((await projects.put("Team", "id-1", added)).resource).toEqual(added);
    const put = await projects.put("Team", "id-1", team());
    expect(ownValues(put.resource)).toEqual({ displayName: "Red" });
    expect(put.resource["schemas"]).toEqual([TEAM_URN]);
  });

  test("makes the extension present, for filters, without a look at its rows", async () => {
    const projects = await started({ sponsors });
    await projects.post("Team", team({ displayName: "Blue" }));
    await projects.post("Team", team({ displayName: "Green", [PROJECT_URN]: { code: "x" } }));
    expect(await projects.matches("Team", `${PROJECT_URN} pr`)).toEqual(["id-1", "id-3"]);
    expect(await projects.matches("Team", `not (${PROJECT_URN.toUpperCase()} pr)`)).toEqual(["id-2"]);
    await projects.patched("Team", "id-1", [{ op: "remove", path: `${PROJECT_URN}:sponsors` }]);
    expect(await projects.matches("Team", `${PROJECT_URN} pr`)).toEqual(["id-3"]);
  });

  test("keeps its URN as long as it holds anything, though a PATCH reads only what it names", async () => {
    const path = `${PROJECT_URN}:sponsors`;
    const remove = (id: string): JsonObject => ({ op: "remove", path: `${path}[value eq "${id}"]` });
    const schemasAfter = async (client: TestClient, operation: JsonObject): Promise<unknown> => {
      await client.patch("Team", "id-1", [operation], { prefer: "minimal" });
      return (await client.resource("Team", "id-1", { attributes: ["displayName"] }))["schemas"];
    };
    const both = await started({ code: "x", sponsors });
    expect(await schemasAfter(both, { op: "remove", path: `${PROJECT_URN}:code` })).toHaveLength(2);
    expect(await schemasAfter(both, remove("id-1"))).toHaveLength(2);
    expect(await schemasAfter(both, remove("u2"))).toEqual([TEAM_URN]);
    expect(await schemasAfter(both, { op: "add", path, value: [{ value: "u3" }] })).toHaveLength(2);
    expect(await schemasAfter(both, { op: "remove", path })).toEqual([TEAM_URN]);
  });

  test("comes and goes with the extension as a whole", async () => {
    const projects = await started({ code: "x" });
    const value = { [PROJECT_URN]: { sponsors } };
    const added = await projects.patched("Team", "id-1", [{ op: "add", value }]);
    expect(added[PROJECT_URN]).toEqual({ code: "x", sponsors: shown });
    const one = { sponsors: [{ value: "u2" }] };
    const replaced = await projects.patched("Team", "id-1", [
      { op: "replace", path: PROJECT_URN, value: one },
    ]);
    expect(replaced[PROJECT_URN]).toEqual({ code: "x", sponsors: [{ ...shown[1], display: undefined }] });
    const removed = await projects.patched("Team", "id-1", [{ op: "remove", path: PROJECT_URN }]);
    expect(ownValues(removed)).toEqual({ displayName: "Red" });
    expect(removed["schemas"]).toEqual([TEAM_URN]);
  });
});
