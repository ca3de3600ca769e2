import { describe, expect, test } from "vitest";
import {
  createDefaultRegistry,
  GROUP_MEMBERSHIP_RESOURCE_TYPE,
  GROUP_MEMBERSHIP_SCHEMA,
  GROUP_MEMBERSHIP_URN,
  GROUP_URN,
  toResourceTypeResource,
  USER_URN,
  type SchemaRegistry,
} from "@scim/schemas";
import { refusalOf } from "./refusal.ts";

const LOAN_URN = "urn:example:params:scim:schemas:acme:1.0:Loan";
const SPONSORED_URN = "urn:example:params:scim:schemas:extension:acme:1.0:Group";

const reference = (name: string, types: readonly string[], more: Record<string, unknown> = {}) => ({
  name,
  type: "complex",
  required: true,
  subAttributes: [
    { name: "value", type: "string", required: true, caseExact: true },
    { name: "$ref", type: "reference", referenceTypes: types },
  ],
  ...more,
});

function registry(attributes: readonly unknown[] = LOAN): SchemaRegistry {
  const made = createDefaultRegistry();
  made.addSchema({ id: LOAN_URN, attributes });
  made.addSchema({
    id: SPONSORED_URN,
    attributes: [{ ...reference("sponsors", ["User"]), required: false, multiValued: true }],
  });
  made.addResourceType({
    name: "Group",
    endpoint: "/Groups",
    schema: GROUP_URN,
    schemaExtensions: [{ schema: SPONSORED_URN, required: false }],
  });
  return made;
}

const LOAN = [reference("group", ["Group"]), reference("who", ["User", "Group"])];
const ROWS_OF = { type: "Group", path: "members", owner: "group", value: "who" };
const TYPE = { name: "Loan", endpoint: "/Loans", schema: LOAN_URN, rowsOf: ROWS_OF };

describe("a resource type that shows the rows of a collection", () => {
  test("knows create, read, delete and query, where its document names no operations", () => {
    const type = registry().addResourceType(TYPE);
    expect(type.rowsOf).toEqual(ROWS_OF);
    expect(type.operations).toEqual(["create", "read", "delete", "query"]);
    expect(registry().addResourceType({ ...TYPE, operations: ["read"] }).operations).toEqual(["read"]);
  });

  test("takes letter case as the schemas have it, and collections of extensions by their URN", () => {
    const rowsOf = {
      type: "Group",
      path: `${SPONSORED_URN.toUpperCase()}:SPONSORS`,
      owner: "GROUP",
      value: "WHO",
    };
    expect(registry().addResourceType({ ...TYPE, rowsOf }).rowsOf).toEqual({
      type: "Group",
      path: `${SPONSORED_URN}:sponsors`,
      owner: "group",
      value: "who",
    });
  });

  test("is served at /ResourceTypes with its operations and without rowsOf", () => {
    const resource = toResourceTypeResource(registry().addResourceType(TYPE));
    expect(resource).not.toHaveProperty("rowsOf");
    expect(resource["operations"]).toEqual(["create", "read", "delete", "query"]);
  });

  test("memberships of groups are one, ready to be registered", () => {
    const made = createDefaultRegistry();
    made.addSchema(GROUP_MEMBERSHIP_SCHEMA);
    const type = made.addResourceType(GROUP_MEMBERSHIP_RESOURCE_TYPE);
    expect(type).toMatchObject({ name: "GroupMembership", endpoint: "/GroupMemberships" });
    expect(made.schema(GROUP_MEMBERSHIP_URN)).toBeDefined();
  });
});

describe("rowsOf is refused", () => {
  test.each<[rule: string, change: Record<string, unknown>, path: string, words: string]>([
    ["that is no object", { rowsOf: "Group.members" }, "rowsOf", "must be a JSON object"],
    ["without type", { rowsOf: { ...ROWS_OF, type: null } }, "rowsOf.type", "is missing"],
    ["without owner", { rowsOf: { ...ROWS_OF, owner: undefined } }, "rowsOf.owner", "is missing"],
    ["with a member that is unknown", { rowsOf: { ...ROWS_OF, key: "x" } }, "rowsOf", 'has a member "key"'],
    ["of an unknown type", { rowsOf: { ...ROWS_OF, type: "Team" } }, "rowsOf.type", "is not registered"],
    ["of a prototype", { rowsOf: { ...ROWS_OF, type: "__proto__" } }, "rowsOf.type", "is not registered"],
    ["of itself", { rowsOf: { ...ROWS_OF, type: "Loan" } }, "rowsOf.type", "is not registered"],
    [
      "of an unknown path",
      { rowsOf: { ...ROWS_OF, path: "owners" } },
      "rowsOf.path",
      "must name a multi-valued",
    ],
    [
      "of a plain attribute",
      { rowsOf: { ...ROWS_OF, path: "displayName" } },
      "rowsOf.path",
      "must name a multi-valued",
    ],
    [
      "of an inverse, which has no rows of its own",
      { rowsOf: { ...ROWS_OF, type: "User", path: "groups" } },
      "rowsOf.path",
      "must name a multi-valued",
    ],
    [
      "with an unknown owner",
      { rowsOf: { ...ROWS_OF, owner: "team" } },
      "rowsOf.owner",
      "names no attribute",
    ],
    [
      "with an owner that refers elsewhere",
      { rowsOf: { ...ROWS_OF, type: "Group", owner: "who", value: "group" } },
      "rowsOf.value",
      "refers to User and Group",
    ],
    ["with one attribute for both", { rowsOf: { ...ROWS_OF, owner: "who" } }, "rowsOf.value", "of the owner"],
    ["with replace", { operations: ["read", "replace"] }, "operations[1]", "not replace"],
    ["with patch", { operations: ["patch"] }, "operations[0]", "not patch"],
    [
      "with extensions",
      { schemaExtensions: [{ schema: SPONSORED_URN }] },
      "schemaExtensions",
      "nowhere to keep more",
    ],
  ])("%s", (_rule, change, path, words) => {
    const { code, issues } = refusalOf(() => registry().addResourceType({ ...TYPE, ...change }));
    expect(code).toBe("invalidResourceType");
    expect(issues.map((issue) => issue.path)).toContain(path);
    expect(issues.find((issue) => issue.path === path)?.message).toContain(words);
  });

  test.each<[rule: string, attributes: readonly unknown[], path: string, words: string]>([
    [
      "another attribute",
      [...LOAN, { name: "since", type: "dateTime" }],
      "schema",
      '"since", which rows have nowhere to keep',
    ],
    [
      "a list of owners",
      [reference("group", ["Group"], { multiValued: true }), LOAN[1]],
      "rowsOf.owner",
      "one value",
    ],
    [
      "an owner that may be missing",
      [reference("group", ["Group"], { required: false }), LOAN[1]],
      "rowsOf.owner",
      "required",
    ],
    [
      "ids that are no text",
      [
        LOAN[0],
        reference("who", ["User", "Group"], {
          subAttributes: [
            { name: "value", type: "integer", required: true },
            { name: "$ref", type: "reference", referenceTypes: ["User", "Group"] },
          ],
        }),
      ],
      "rowsOf.value",
      "required string",
    ],
    [
      "a sub-attribute that the collection does not keep",
      [
        LOAN[0],
        reference("who", ["User", "Group"], {
          subAttributes: [
            { name: "value", type: "string", required: true, caseExact: true },
            { name: "$ref", type: "reference", referenceTypes: ["User", "Group"] },
            { name: "until", type: "dateTime" },
          ],
        }),
      ],
      "rowsOf.value",
      '"until", which rows have nowhere to keep',
    ],
  ])("over a schema with %s", (_rule, attributes, path, words) => {
    const { issues } = refusalOf(() => registry(attributes).addResourceType(TYPE));
    expect(issues.find((issue) => issue.path === path)?.message).toContain(words);
  });

  test("where the owner is replaced by one without the collection", () => {
    const made = registry();
    made.addResourceType(TYPE);
    const { issues } = refusalOf(() =>
      made.addResourceType({ name: "Group", endpoint: "/Groups", schema: USER_URN }),
    );
    expect(issues).toEqual([
      { path: "schema", message: 'has no collection "members", whose rows the resource type Loan shows' },
    ]);
  });
});
