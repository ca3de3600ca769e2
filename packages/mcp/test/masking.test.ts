import { createDefaultRegistry, type SchemaRegistry, type Sensitivity } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { aService, aToolbox, refusal, versionOf } from "./support/service.ts";

/** A registry with a type that has complex attributes of its own, and a collection of references. */
function contracts(): SchemaRegistry {
  const registry = createDefaultRegistry();
  const urn = "urn:example:params:scim:schemas:acme:1.0:Contract";
  registry.addSchema({
    id: urn,
    attributes: [
      {
        name: "salary",
        type: "complex",
        subAttributes: [
          { name: "amount", type: "decimal" },
          { name: "currency", type: "string", canonicalValues: ["EUR", "USD"] },
          { name: "bonus", type: "boolean" },
        ],
      },
      { name: "pin", type: "complex", subAttributes: [{ name: "code", type: "integer" }] },
      {
        name: "grade",
        type: "complex",
        subAttributes: [
          { name: "level", type: "string" },
          { name: "reason", type: "string" },
        ],
      },
      {
        name: "signers",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string", mutability: "immutable", required: true },
          { name: "$ref", type: "reference", referenceTypes: ["User"], mutability: "immutable" },
          { name: "type", type: "string", canonicalValues: ["User"], mutability: "immutable" },
        ],
      },
    ],
  });
  registry.addResourceType({ name: "Contract", endpoint: "/Contracts", schema: urn });
  return registry;
}

describe("masking", () => {
  const USER = {
    userName: "bjensen",
    active: true,
    externalId: "e-1",
    emails: [{ value: "b@example.com", type: "work", primary: true }],
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
      department: "R&D",
      manager: { value: "m-1" },
    },
  };
  const HIDDEN = "[hidden]";

  test("hides texts, keeps ids, references, flags and kinds", async () => {
    const made = await aToolbox({ mask: {} }).call("scim_create_user", { user_data: USER });
    expect(made).toMatchObject({
      userName: HIDDEN,
      active: true,
      externalId: "e-1",
      emails: [{ value: HIDDEN, type: "work", primary: true }],
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
        department: HIDDEN,
        manager: { value: "m-1" },
      },
    });
    expect(JSON.stringify(made)).not.toMatch(/bjensen|example\.com|R&D/);
    expect(versionOf(made)).not.toBe(HIDDEN);
  });

  test("shows names of groups, also those of the groups of a user", async () => {
    const tools = aToolbox({ mask: {} });
    const { id } = await tools.call("scim_create_user", { user_data: USER });
    const members = [{ value: String(id), display: "Barbara Jensen" }];
    const group = await tools.call("scim_create_group", { group_data: { displayName: "Sales", members } });
    expect(group).toMatchObject({ displayName: "Sales", members: [{ value: id, display: HIDDEN }] });
    expect(await tools.call("scim_get_user", { user_id: String(id) })).toMatchObject({
      groups: [{ value: group["id"], display: "Sales" }],
    });
  });

  test("shows what the policy or the service says is harmless, and hides what it says is personal", async () => {
    const tools = aToolbox({
      mask: {
        show: ["urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department"],
        sensitivityOf: (_type, path) =>
          path === "active" ? "personal" : path === "userName" ? "none" : undefined,
      },
    });
    const made = await tools.call("scim_create_user", { user_data: USER });
    expect(made).toMatchObject({ userName: "bjensen", active: HIDDEN });
    expect(made["urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"]).toMatchObject({
      department: "R&D",
    });
  });

  const CONTRACT = {
    salary: { amount: 5000.5, currency: "EUR", bonus: true },
    pin: { code: 1234 },
    grade: { level: "senior", reason: "long" },
    signers: [{ value: "u-1", type: "User" }],
  };
  test.each([
    [
      "of a complex attribute covers its parts",
      { salary: "personal", pin: "secret" },
      [],
      {
        ...CONTRACT,
        salary: { amount: HIDDEN, currency: HIDDEN, bonus: HIDDEN },
        pin: { code: HIDDEN },
        grade: { level: HIDDEN, reason: HIDDEN },
      },
    ],
    [
      "of a part stands before that of the whole",
      { grade: "none", "grade.reason": "secret" },
      [],
      {
        ...CONTRACT,
        grade: { level: "senior", reason: HIDDEN },
      },
    ],
    [
      "of a part shows it in a whole that is hidden",
      { salary: "secret", "salary.currency": "none" },
      [],
      {
        ...CONTRACT,
        salary: { amount: HIDDEN, currency: "EUR", bonus: HIDDEN },
        grade: { level: HIDDEN, reason: HIDDEN },
      },
    ],
    [
      "of a collection of references covers whom it names",
      { signers: "personal" },
      [],
      {
        ...CONTRACT,
        grade: { level: HIDDEN, reason: HIDDEN },
        signers: [{ value: HIDDEN, type: HIDDEN }],
      },
    ],
    [
      "gives way to what is shown",
      { salary: "personal", pin: "secret" },
      ["salary", "Contract:pin.code"],
      {
        ...CONTRACT,
        grade: { level: HIDDEN, reason: HIDDEN },
      },
    ],
  ] as const)("the sensitivity %s", async (_what, annotated, show, shown) => {
    const said = new Map<string, Sensitivity>(Object.entries(annotated));
    const sensitivityOf = (_type: string, path: string): Sensitivity | undefined => said.get(path);
    const tools = aToolbox({ mask: { sensitivityOf, show } }, aService({ registry: contracts() }));
    expect(await tools.call("scim_create_contract", { contract_data: CONTRACT })).toMatchObject(shown);
  });

  test("never lets a mask be written back", async () => {
    const tools = aToolbox({ mask: {} });
    const made = await tools.call("scim_create_user", { user_data: USER });
    const error = await refusal(tools.call("scim_update_user", { user_data: made }));
    expect(error.message).toMatch(/would be lost/);
    const operations = [{ op: "replace", path: "title", value: "Dr" }];
    const patch = { user_id: String(made["id"]), operations, expected_version: versionOf(made) };
    expect(await tools.call("scim_patch_user", { ...patch, dry_run: true })).not.toHaveProperty("diff");
    expect(await tools.call("scim_patch_user", patch)).toMatchObject({ title: HIDDEN });
  });

  test.each([
    ["a value", { op: "replace", path: "title", value: HIDDEN }],
    ["a part of a value", { op: "replace", path: "name.formatted", value: `${HIDDEN} Jensen` }],
    [
      "a filter, of which a value is made",
      { op: "replace", path: `emails[value eq "${HIDDEN}"].type`, value: "home" },
    ],
    ["a filter in single quotes", { op: "add", path: `emails[value eq '${HIDDEN}'].type`, value: "home" }],
  ])("takes no mask for %s of a patch", async (_place, operation) => {
    const service = aService();
    const made = await aToolbox({}, service).call("scim_create_user", { user_data: USER });
    const target = { user_id: String(made["id"]), expected_version: versionOf(made) };
    const call = aToolbox({ mask: {} }, service).call("scim_patch_user", {
      ...target,
      operations: [operation],
    });
    expect((await refusal(call)).message).toMatch(/would be lost/);
    expect(await aToolbox({}, service).call("scim_get_user", { user_id: target.user_id })).toEqual(made);
  });
});
