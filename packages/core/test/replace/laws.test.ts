import { type JsonObject } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createProfile } from "../../src/index.ts";
import { members, userValues } from "../support/arbitraries.ts";
import { group, ownValues, user } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { testService } from "../support/service.ts";
import { bindTestExtension } from "../support/test-extension.ts";

const extended = testService(bindTestExtension()).as("strict");

/** One service serves every run, so that a userName that an earlier run took does not stand in the way. */
let runs = 0;
function fresh(values: JsonObject): JsonObject {
  return user({ ...values, userName: `${String(values["userName"])}-${String((runs += 1))}` });
}

describe("laws", () => {
  test("what is sent in normal form is what is stored", async () => {
    await fc.assert(
      fc.asyncProperty(userValues, async (values) => {
        const body = fresh(values);
        const { resource } = await extended.post("User", body);
        expect(resource).toMatchObject(ownValues(body));
      }),
    );
  });

  test("R7644-3.5.1-02 PUT of what GET gave changes nothing: User", async () => {
    await fc.assert(
      fc.asyncProperty(userValues, async (values) => {
        const created = await extended.post("User", fresh(values));
        const read = await extended.resource("User", idOf(created));
        expect(await extended.put("User", idOf(created), read)).toEqual(created);
        expect(await extended.get("User", idOf(created))).toEqual(created);
      }),
    );
  });

  test("R7644-3.5.1-02 PUT of what GET gave changes nothing: Group", async () => {
    const client = testService().as("strict");
    await fc.assert(
      fc.asyncProperty(members, async (list) => {
        const created = await client.post("Group", group({ members: list }));
        const read = await client.resource("Group", idOf(created));
        expect(await client.put("Group", idOf(created), read)).toEqual(created);
      }),
    );
  });

  test("R7643-4.2-02 PUT leads to the same resource as POST, but for details of members that stay", async () => {
    const client = testService().as(createProfile("keeping", ["ignore-read-only"]));
    await fc.assert(
      fc.asyncProperty(members, members, async (before, after) => {
        const put = idOf(await client.post("Group", group({ members: before })));
        await client.put("Group", put, group({ members: after }));
        const byValue = (resource: JsonObject): readonly JsonObject[] =>
          ((resource["members"] ?? []) as readonly JsonObject[]).toSorted((left, right) =>
            String(left["value"]) < String(right["value"]) ? -1 : 1,
          );
        const kept = new Map(before.map((member) => [member["value"], member]));
        const expected = after.map((member) => ({ ...member, ...kept.get(member["value"] ?? null) }));
        const posted = await client.post("Group", group({ members: expected }));
        expect(byValue(await client.resource("Group", put))).toEqual(byValue(posted.resource));
      }),
    );
  });
});
