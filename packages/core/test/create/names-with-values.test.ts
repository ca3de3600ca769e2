import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { enterprise, user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

/** A path in the place of a name, as clients know it from PATCH. */
const NAME = 'emails[value eq "anna@example.com"].type';
const SHOWN = "emails[…].type";

/** Places of a User where such a name can stand, and the path that leads to it. */
const PLACES: readonly (readonly [string, (member: JsonObject) => JsonObject])[] = [
  [SHOWN, (member) => user(member)],
  [`name.${SHOWN}`, (member) => user({ name: { givenName: "a", ...member } })],
  [`emails[0].${SHOWN}`, (member) => user({ emails: [{ value: "a@x.example", ...member }] })],
  [
    `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:${SHOWN}`,
    (member) => user(enterprise({ department: "a", ...member })),
  ],
];

describe("R7644-7.5.2-01 what a name holds in brackets may be personal, and is in no message and no log", () => {
  test.each(PLACES)("POST: %s", async (path, put) => {
    const tested = testService();
    const refused = await refusal(tested.as("strict").post("User", put({ [NAME]: "work" })));
    expect(refused.detail).toContain(`'${path}'`);
    await tested.as("tolerant").post("User", put({ [NAME]: "work" }));
    expect(tested.fired).toContain(`unknown-attributes ${path}`);
  });

  test.each(PLACES)("POST twice: %s", async (path, put) => {
    const twice = { [NAME]: "work", [NAME.toUpperCase()]: "work" };
    const refused = await refusal(testService().as("tolerant").post("User", put(twice)));
    expect(refused.answer).toBe("400 invalidSyntax");
    expect(refused.detail.toLowerCase()).toContain(`'${path.toLowerCase()}'`);
    expect(refused.detail.toLowerCase()).not.toContain("anna");
  });

  test("PATCH of an extension", async () => {
    const tested = testService();
    await tested.as("tolerant").post("User", user());
    const operations = [{ op: "add", value: enterprise({ [NAME]: "work" }) }];
    const { detail } = await refusal(tested.as("strict").patch("User", "id-1", operations));
    expect(detail).toContain(SHOWN);
    expect(detail).not.toContain("anna");
  });
});
