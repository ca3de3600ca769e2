import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { user } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { addGear, gear } from "../support/gear.ts";
import { testService } from "../support/service.ts";

const MINIMAL = { prefer: "minimal" } as const;

describe("no PATCH keeps all others waiting", () => {
  const emails = (count: number): JsonObject[] =>
    Array.from({ length: count }, (_, index) => ({ value: `${String(index)}@example.com` }));
  const manyAdds = emails(4000).map((email) => ({ op: "add", path: "emails", value: [email] }));
  const ROWS: readonly (readonly [string, number, readonly JsonObject[]])[] = [
    ["values that are added one by one", 0, manyAdds],
    ["one value that is changed again and again", 900, Array.from({ length: 5000 }, renameFirst)],
    ["values that long filters select", 900, Array.from({ length: 20 }, renameByTerms)],
    ["a list of values that is added to many", 900, [{ op: "add", path: "emails", value: emails(5000) }]],
    ["a list of shapes that is removed from many", 900, [{ op: "remove", path: "emails", value: shapes() }]],
    [
      "such a list under the name of its attribute",
      900,
      [{ op: "remove", path: "emails", value: { emails: shapes() } }],
    ],
  ];

  test.each(ROWS)("%s: 413, and nothing is changed", async (_name, count, operations) => {
    const client = testService().as("tolerant");
    await client.post("User", user({ emails: emails(count) }));
    const before = await client.resource("User", "id-1");
    await expect(client.patch("User", "id-1", [...operations], MINIMAL)).rejects.toMatchObject({
      code: "payloadTooLarge",
      detail: expect.stringMatching(/^Operations\[\d+\]: .* send them in several requests\.$/) as string,
    });
    expect(await client.resource("User", "id-1")).toEqual(before);
  });

  const addresses = (count: number, text: string): JsonObject[] =>
    Array.from({ length: count }, (_, index) => ({ streetAddress: `${String(index)} ${text}` }));
  const long = "x".repeat(2100);
  const again = (times: number, operation: JsonObject): JsonObject[] =>
    Array.from({ length: times }, () => operation);
  const byTerms = {
    op: "remove",
    path: `addresses[${Array.from({ length: 300 }, () => 'region eq "y"').join(" or ")}]`,
  };
  const TEXTS: readonly (readonly [string, readonly JsonObject[], readonly JsonObject[]])[] = [
    [
      "all values of a list, again and again",
      addresses(900, long),
      again(100, { op: "add", path: "addresses.region", value: "x" }),
    ],
    ["values of much text", addresses(900, long), [byTerms]],
    ["values of text that has to be composed", addresses(900, "e\u0301".repeat(70)), [byTerms]],
  ];

  test.each(TEXTS)("%s: 413, and nothing is changed", async (_name, values, operations) => {
    const client = testService().as("tolerant");
    await client.post("User", user({ addresses: values }));
    const before = await client.resource("User", "id-1");
    await expect(client.patch("User", "id-1", [...operations], MINIMAL)).rejects.toMatchObject({
      code: "payloadTooLarge",
    });
    expect(await client.resource("User", "id-1")).toEqual(before);
  });

  test("the list of a sub-attribute that is added to again and again: 413, and nothing is changed", async () => {
    const client = testService(addGear()).as("tolerant");
    const strings = Array.from({ length: 900 }, (_, index) => `${String(index)} ${long}`);
    const id = idOf(await client.post("Gear", gear({ part: { strings } })));
    const before = await client.resource("Gear", id);
    const operations = again(300, { op: "add", path: "part.strings", value: ["s"] });
    await expect(client.patch("Gear", id, operations, MINIMAL)).rejects.toMatchObject({
      code: "payloadTooLarge",
    });
    expect(await client.resource("Gear", id)).toEqual(before);
  });

  test("as many values as an attribute may have are added, changed and removed one by one", async () => {
    const client = testService().as("tolerant");
    await client.post("User", user({}));
    const each = emails(1000).map(({ value }) => `emails[value eq "${String(value)}"]`);
    await client.patch("User", "id-1", manyAdds.slice(0, 1000), MINIMAL);
    const typing = each.map((path) => ({ op: "replace", path: `${path}.type`, value: "work" }));
    await client.patch("User", "id-1", typing, MINIMAL);
    const { emails: held } = await client.resource("User", "id-1");
    expect(held).toEqual(emails(1000).map((email) => ({ ...email, type: "work" })));
    const removing = each.map((path) => ({ op: "remove", path }));
    expect((await client.patched("User", "id-1", removing))["emails"]).toBeUndefined();
  });

  function renameFirst(_: unknown, index: number): JsonObject {
    return { op: "replace", path: 'emails[value eq "0@example.com"].display', value: `x${String(index)}` };
  }

  function renameByTerms(_: unknown, index: number): JsonObject {
    const terms = Array.from({ length: 300 }, (__, term) => `value eq "${String(index)}-${String(term)}"`);
    return { op: "remove", path: `emails[${terms.join(" or ")}]` };
  }

  function shapes(): JsonObject[] {
    return Array.from({ length: 5000 }, (_, index) => ({ display: `x${String(index)}` }));
  }
});
