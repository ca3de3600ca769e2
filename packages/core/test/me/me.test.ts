import { createSchemaRegistry } from "@scim/schemas";
import { expect, test } from "vitest";
import { createScimService } from "../../src/index.ts";
import { createMemoryStore } from "../../src/testing/index.ts";
import { user } from "../support/bodies.ts";
import { jobRunner, outcomes, post } from "../support/bulk.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService } from "../support/service.ts";
import { testSources } from "../support/sources.ts";
import { addTeams } from "../support/teams.ts";

async function answer(ask: () => unknown): Promise<string> {
  return (await refusal(Promise.resolve().then(ask))).answer;
}

test("R7644-3.11-03 /Me is the resource of the caller's subject: a User, or of the type that is set", () => {
  const users = testService();
  expect(users.service.me(users.context("strict", { subject: "id-7" }))).toEqual({
    type: "User",
    id: "id-7",
  });
  const teams = testService(addTeams, { limits: { me: "Team" } });
  expect(teams.service.me(teams.context("strict", { subject: "t" }))).toEqual({ type: "Team", id: "t" });
});

test("R7644-3.11-05 credentials without subject: 404", async () => {
  const { service, context } = testService();
  expect(await answer(() => service.me(context()))).toBe("404");
});

test("R7644-3.11-01 501 where it is switched off, or the type is not served; also for a caller with a subject", async () => {
  const off = testService(undefined, { limits: { me: null } });
  const context = off.context("strict", { subject: "id-1" });
  expect(await answer(() => off.service.me(context))).toBe("501");
  expect(await answer(() => off.service.me(off.context()))).toBe("501");
  const empty = createScimService({
    registry: createSchemaRegistry(),
    store: createMemoryStore(),
    sources: testSources(),
  });
  expect(await answer(() => empty.me(context))).toBe("501");
});

test("R7644-3.7-06 R7644-3.11-06 inside a bulk job, with the permanent location; R7644-3.11-04 POST /Me is 501", async () => {
  const tested = testService();
  await tested.as().post("User", user());
  const job = jobRunner(tested.service, tested.context("strict", { subject: "id-1" }));
  const patch = { Operations: [{ op: "add", path: "title", value: "x" }] };
  const answers = await job([
    { method: "PUT", path: "/Me", data: user({ nickName: "b" }) },
    {
      method: "PATCH",
      path: "Me",
      data: { ...patch, schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"] },
    },
    post("/Me", "q", user()),
    { method: "DELETE", path: `${BASE_URL}/Me` },
  ]);
  expect(outcomes(answers)).toEqual(["200", "200", "501", "204"]);
  const location = `${BASE_URL}/Users/id-1`;
  expect(answers.map((each) => each.location)).toEqual([location, location, null, location]);
  expect((await tested.as().list("User")).totalResults).toBe(0);
});

test("R7644-3.11-01 inside a bulk job, where it is switched off or its type is not served: 501 for the operation", async () => {
  for (const me of [null, "Team"]) {
    const tested = testService(undefined, { limits: { me } });
    await tested.as().post("User", user());
    const job = jobRunner(tested.service, tested.context("strict", { subject: "id-1" }));
    const answers = await job([
      { method: "DELETE", path: "/Me" },
      { method: "DELETE", path: "/Users/id-1" },
    ]);
    expect(outcomes(answers)).toEqual(["501", "204"]);
  }
});

test("R7644-3.11-05 inside a bulk job of a caller without subject: 404 for the operation", async () => {
  const tested = testService();
  const answers = await jobRunner(tested.service, tested.context())([{ method: "DELETE", path: "/Me" }]);
  expect(outcomes(answers)).toEqual(["404"]);
});
