import { expect, test } from "vitest";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

const urn = "urn:example:params:scim:schemas:core:2.0:Vault";

const client = testService((registry) => {
  registry.addSchema({
    id: urn,
    attributes: [
      {
        name: "lock",
        type: "complex",
        returned: "never",
        subAttributes: [{ name: "code", type: "string" }],
      },
      {
        name: "keys",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string", returned: "never" },
          { name: "type", type: "string" },
        ],
      },
    ],
  });
  registry.addResourceType({ name: "Vault", endpoint: "/Vaults", schema: urn });
}).as("strict");

test.each([
  'lock.code eq "4711"',
  'lock[code eq "4711"]',
  'keys eq "a"',
  'keys.value eq "a"',
  'keys[value eq "a"]',
])(
  "R7644-F-08 nobody finds out by a filter what is never returned, parts of it included: %s",
  async (filter) => {
    expect((await refusal(client.list("Vault", { filter }))).answer).toBe("400 invalidFilter");
  },
);

test.each(["lock.code", "keys", "keys.value"])(
  "R7644-3.4.2.3-07 nobody finds out by a sort either: %s",
  async (sortBy) => {
    expect((await refusal(client.list("Vault", { sortBy }))).answer).toBe("400 invalidValue");
  },
);

test("what is never returned is absent for pr", async () => {
  await client.post("Vault", { schemas: [urn], lock: { code: "4711" }, keys: [{ value: "a", type: "x" }] });
  expect(await client.matches("Vault", "lock.code pr or lock pr or keys.value pr")).toEqual([]);
  expect(await client.matches("Vault", "keys.type pr")).toHaveLength(1);
});
