import { describe, expect, test } from "vitest";
import type { Precondition, ResourceAnswer } from "../../src/index.ts";
import { entityTag } from "../../src/index.ts";
import { metaOf, user } from "../support/bodies.ts";
import type { TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService } from "../support/service.ts";

const NONE: Precondition = { ifMatch: null, ifNoneMatch: null };

interface Started {
  readonly client: TestClient;
  readonly created: ResourceAnswer;
}

async function started(): Promise<Started> {
  const client = testService().as();
  return { client, created: await client.post("User", user()) };
}

/** Every way of changing a resource. */
const CHANGES: readonly (readonly [
  string,
  (client: TestClient, precondition: Precondition) => Promise<unknown>,
])[] = [
  ["PUT", (client, precondition) => client.put("User", "id-1", user({ title: "x" }), { precondition })],
  [
    "PATCH",
    (client, precondition) =>
      client.patch("User", "id-1", [{ op: "replace", path: "title", value: "x" }], { precondition }),
  ],
  ["DELETE", (client, precondition) => client.delete("User", "id-1", { precondition })],
];

describe("versions", () => {
  test("R7643-3.1-09 meta.version is the entity tag: weak, of the raw version", async () => {
    const { client, created } = await started();
    expect(metaOf(created.resource, "version")).toBe(entityTag(created.version));
    const { resources } = await client.list("User");
    expect(metaOf(resources[0] ?? {}, "version")).toBe(entityTag(created.version));
  });

  test("R7644-3.14-07 it moves with every change, and only then", async () => {
    const { client, created } = await started();
    const put = await client.put("User", "id-1", user({ title: "x" }));
    const back = await client.put("User", "id-1", user());
    expect(new Set([created.version, put.version, back.version]).size).toBe(3);
    expect((await client.put("User", "id-1", user())).version).toBe(back.version);
  });

  test("a resource that is made anew never has a version of before", async () => {
    const { client, created } = await started();
    await client.delete("User", "id-1");
    expect((await client.post("User", user())).version).not.toBe(created.version);
  });
});

describe("R7644-3.14-04 If-Match", () => {
  test.each(CHANGES)("%s: the current version, one of a list, and * pass", async (_name, change) => {
    for (const conditionOf of [
      (version: string) => [version],
      (version: string) => ["stale", version, "other"],
      () => "*" as const,
      () => null,
    ]) {
      const { client, created } = await started();
      await change(client, { ...NONE, ifMatch: conditionOf(created.version) });
      const after = await client.list("User");
      expect(after.resources[0]?.["meta"]).not.toEqual(created.resource["meta"]);
    }
  });

  test.each(CHANGES)(
    "%s: R7644-3.14-05 another version is 412, and nothing changes",
    async (_name, change) => {
      const { client, created } = await started();
      const stale = await refusal(change(client, { ...NONE, ifMatch: ["stale"] }));
      expect(stale).toMatchObject({
        answer: "412",
        members: { expectedVersion: "stale", currentVersion: created.version },
        headers: { etag: entityTag(created.version) },
      });
      const several = await refusal(change(client, { ...NONE, ifMatch: ["stale", "older"] }));
      expect(several.members["expectedVersion"]).toEqual(["stale", "older"]);
      expect((await refusal(change(client, { ...NONE, ifMatch: [] }))).answer).toBe("412");
      expect(await client.get("User", "id-1")).toEqual(created);
    },
  );

  test.each(CHANGES)("%s: R7232-5-01 an unknown resource is 404, also with *", async (_name, change) => {
    const client = testService().as();
    for (const ifMatch of [["x"], "*" as const]) {
      expect((await refusal(change(client, { ...NONE, ifMatch }))).answer).toBe("404");
    }
  });

  test("R7232-5-01 a bad request is 400 before its version is looked at", async () => {
    const { client } = await started();
    const precondition = { ...NONE, ifMatch: ["stale"] };
    const refused = [
      client.put("User", "id-1", user({ active: 1 }), { precondition }),
      client.patch("User", "id-1", [{ op: "remove", path: "userName" }], { precondition }),
    ];
    for (const each of refused) expect((await refusal(each)).answer).toMatch(/^400 /);
  });

  test("a stale version is 412 before a userName that is taken is 409", async () => {
    const { client } = await started();
    await client.post("User", user({ userName: "taken" }));
    const precondition = { ...NONE, ifMatch: ["stale"] };
    const request = client.put("User", "id-1", user({ userName: "taken" }), { precondition });
    expect((await refusal(request)).answer).toBe("412");
  });

  test("it holds for a change that would change nothing", async () => {
    const { client } = await started();
    const precondition = { ...NONE, ifMatch: ["stale"] };
    expect((await refusal(client.put("User", "id-1", user(), { precondition }))).answer).toBe("412");
    expect(
      (await refusal(client.patch("User", "id-1", [{ op: "add", value: {} }], { precondition }))).answer,
    ).toBe("412");
  });
});

describe("If-None-Match", () => {
  test("R7644-3.14-03 GET of a version that the client has is notModified", async () => {
    const { client, created } = await started();
    for (const ifNoneMatch of [[created.version], ["x", created.version], "*" as const]) {
      expect(await client.get("User", "id-1", { precondition: { ...NONE, ifNoneMatch } })).toEqual({
        kind: "notModified",
        version: created.version,
        location: `${BASE_URL}/Users/id-1`,
      });
    }
    for (const ifNoneMatch of [["x"], [], null]) {
      expect(await client.get("User", "id-1", { precondition: { ...NONE, ifNoneMatch } })).toEqual(created);
    }
  });

  test("GET of what is not there is 404", async () => {
    const precondition: Precondition = { ...NONE, ifNoneMatch: "*" };
    expect((await refusal(testService().as().get("User", "id-9", { precondition }))).answer).toBe("404");
  });

  test.each(CHANGES)("%s: R7232-3.2-01 * on what exists is 412", async (_name, change) => {
    const { client, created } = await started();
    for (const ifNoneMatch of ["*" as const, [created.version], ["x", created.version]]) {
      const refused = await refusal(change(client, { ...NONE, ifNoneMatch }));
      expect(refused.answer).toBe("412");
      expect(refused.members["currentVersion"]).toBe(created.version);
    }
    expect(await client.get("User", "id-1")).toEqual(created);
  });
});
