import { describe, expect, test } from "vitest";
import { createProfile, entityTag, PROFILES, type Precondition } from "../../src/index.ts";
import { group, user } from "../support/bodies.ts";
import { jobRunner, outcomes } from "../support/bulk.ts";
import type { TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

const NONE: Precondition = { ifMatch: null, ifNoneMatch: null };
const CAREFUL = createProfile("careful", [...PROFILES.strict.switches, "require-version"]);
const BAD_USER = user({ active: 1 });

type Change = (
  client: TestClient,
  id: string,
  precondition: Precondition,
  isBad: boolean,
) => Promise<unknown>;
const CHANGES: readonly (readonly [string, Change])[] = [
  [
    "PUT",
    (client, id, precondition, isBad) =>
      client.put("User", id, isBad ? BAD_USER : user({ userName: "taken" }), { precondition }),
  ],
  [
    "PATCH",
    (client, id, precondition, isBad) =>
      client.patch("User", id, [{ op: "replace", path: isBad ? "nosuch" : "userName", value: "taken" }], {
        precondition,
      }),
  ],
];

async function started(): Promise<{ readonly client: TestClient; readonly version: string }> {
  const client = testService().as(CAREFUL);
  const { version } = await client.post("User", user());
  await client.post("User", user({ userName: "taken" }));
  return { client, version };
}

describe("the switch require-version", () => {
  test.each(CHANGES)("%s: 404 and 400 before 428, 428 before 412 and 409", async (_name, change) => {
    const { client, version } = await started();
    const answers: string[] = [];
    for (const [id, precondition, isBad] of [
      ["id-9", NONE, false],
      ["id-1", NONE, true],
      ["id-1", NONE, false],
      ["id-1", { ...NONE, ifNoneMatch: "*" }, false],
      ["id-1", { ...NONE, ifMatch: ["stale"] }, false],
      ["id-1", { ...NONE, ifMatch: [version] }, false],
      ["id-1", { ...NONE, ifMatch: "*" }, false],
    ] as const) {
      answers.push((await refusal(change(client, id, precondition, isBad))).answer);
    }
    const bad = _name === "PUT" ? "400 invalidValue" : "400 invalidPath";
    expect(answers).toEqual(["404", bad, "428", "428", "412", "409 uniqueness", "409 uniqueness"]);
  });

  test("the error carries the current version, and with it the change is made", async () => {
    const { client, version } = await started();
    const refused = await refusal(client.delete("User", "id-1"));
    expect(refused).toMatchObject({
      answer: "428",
      members: { currentVersion: version },
      headers: { etag: entityTag(version) },
    });
    expect((await client.get("User", "id-1")).version).toBe(version);
    await client.delete("User", "id-1", { precondition: { ...NONE, ifMatch: [version] } });
    expect((await refusal(client.get("User", "id-1"))).answer).toBe("404");
  });

  test("what creates or reads needs no version", async () => {
    const { client } = await started();
    await client.post("Group", group());
    expect((await client.list("Group")).totalResults).toBe(1);
  });

  test("an operation of a bulk job names it as version, raw or as an entity tag", async () => {
    const tested = testService();
    const { version } = await tested.as().post("User", user());
    const job = jobRunner(tested.service, tested.context(CAREFUL));
    const put = { method: "PUT", path: "/Users/id-1", data: user({ title: "x" }) };
    const [first, second] = await job([put, { ...put, version }]);
    expect(first?.error?.members).toEqual({ currentVersion: version });
    expect(first?.error?.detail).toContain("in a bulk job as 'version'");
    expect(outcomes([first, second].filter((each) => each !== undefined))).toEqual(["428", "200"]);
    const third = await job([
      { method: "DELETE", path: "/Users/id-1", version: entityTag(second?.version ?? "") },
    ]);
    expect(outcomes(third)).toEqual(["204"]);
  });

  test("without it a change needs none", async () => {
    const client = testService().as(PROFILES.tolerant);
    await client.post("User", user());
    await client.delete("User", "id-1");
    expect((await client.list("User")).totalResults).toBe(0);
  });
});
