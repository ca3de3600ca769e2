import { describe, expect, test } from "vitest";
import {
  COMMON_ATTRIBUTES,
  ENTERPRISE_USER_SCHEMA,
  GROUP_SCHEMA,
  RESOURCE_TYPE_SCHEMA,
  SCHEMA_SCHEMA,
  SERVICE_PROVIDER_CONFIG_SCHEMA,
  toSchemaResource,
  USER_SCHEMA,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import * as rfc from "./rfc7643-characteristics.ts";

/** Words that this package publishes in another way than the RFC, by attribute path: RFC word, own word. */
type Decisions = Readonly<Record<string, readonly (readonly [string, string])[]>>;

/** RFC 7643 §4.2 lets a service require sub-attributes of members, and calls all of them immutable. */
const GROUP_DECISIONS: Decisions = {
  "members.value": [["optional", "required"]],
  "members.display": [["readOnly", "immutable"]],
};

/** `meta` is part of every representation. */
const COMMON_DECISIONS: Decisions = Object.fromEntries(
  ["meta", "meta.resourceType", "meta.created", "meta.lastModified", "meta.location", "meta.version"].map(
    (path) => [path, [["default", "always"]]],
  ),
);

const CASES = [
  { name: "User", schema: USER_SCHEMA, table: rfc.USER, decisions: {} },
  { name: "EnterpriseUser", schema: ENTERPRISE_USER_SCHEMA, table: rfc.ENTERPRISE_USER, decisions: {} },
  { name: "Group", schema: GROUP_SCHEMA, table: rfc.GROUP, decisions: GROUP_DECISIONS },
  {
    name: "ServiceProviderConfig",
    schema: SERVICE_PROVIDER_CONFIG_SCHEMA,
    table: rfc.SERVICE_PROVIDER_CONFIG,
    decisions: {},
  },
  { name: "ResourceType", schema: RESOURCE_TYPE_SCHEMA, table: rfc.RESOURCE_TYPE, decisions: {} },
  { name: "Schema", schema: SCHEMA_SCHEMA, table: rfc.SCHEMA, decisions: {} },
  {
    name: "common attributes",
    schema: { id: "urn:example:Common", attributes: COMMON_ATTRIBUTES },
    table: rfc.COMMON,
    decisions: COMMON_DECISIONS,
  },
] as const;

/** The lines of an RFC table, single-spaced, with the decisions of this package applied. */
function expectedLines(table: string, decisions: Decisions): readonly string[] {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const [path = "", ...words] = line.split(/\s+/);
      const decided = new Map(decisions[path]);
      return [path, ...words.map((word) => decided.get(word) ?? word)].join(" ");
    });
}

/** What a served Schema resource says of its attributes, in the form of the tables. */
function servedLines(attributes: JsonValue | undefined, prefix = ""): readonly string[] {
  if (!Array.isArray(attributes)) return [];
  return attributes.flatMap((attribute: JsonObject) => {
    const path = `${prefix}${String(attribute["name"])}`;
    const words = [
      attribute["type"],
      attribute["multiValued"] === true ? "many" : "one",
      attribute["required"] === true ? "required" : "optional",
      letterCase(attribute["caseExact"]),
      attribute["mutability"],
      attribute["returned"],
      attribute["uniqueness"] ?? "-",
      list(attribute["canonicalValues"]),
      list(attribute["referenceTypes"]),
    ];
    return [[path, ...words].join(" "), ...servedLines(attribute["subAttributes"], `${path}.`)];
  });
}

function letterCase(caseExact: JsonValue | undefined): string {
  if (caseExact === undefined) return "-";
  return caseExact === true ? "exact" : "ignore";
}

function list(values: JsonValue | undefined): string {
  return Array.isArray(values) ? values.join(",") : "-";
}

/** Every attribute and sub-attribute of a served schema. */
function everyAttribute(attributes: JsonValue | undefined): readonly JsonObject[] {
  if (!Array.isArray(attributes)) return [];
  return attributes.flatMap((attribute: JsonObject) => [
    attribute,
    ...everyAttribute(attribute["subAttributes"]),
  ]);
}

describe.each(CASES)("$name", ({ schema, table, decisions }) => {
  const served = toSchemaResource(schema);

  test("has the attributes of RFC 7643 §8.7 with their characteristics, in order", () => {
    expect(servedLines(served["attributes"])).toEqual(expectedLines(table, decisions));
  });

  test("describes every attribute in one sentence", () => {
    for (const attribute of everyAttribute(served["attributes"])) {
      expect(attribute["description"], String(attribute["name"])).toMatch(/^[A-Z].{3,80}\.$/u);
    }
  });

  test("R7643-2.3.8-03 complex attributes show neither letter case nor uniqueness", () => {
    for (const attribute of everyAttribute(served["attributes"])) {
      if (attribute["type"] !== "complex") continue;
      expect(attribute).not.toHaveProperty("caseExact");
      expect(attribute).not.toHaveProperty("uniqueness");
    }
  });

  test("is served without nulls and without empty lists", () => {
    expect(JSON.stringify(served)).not.toMatch(/null|\[\]/u);
  });
});

test("R7643-3.1-01 no schema lists a common attribute", () => {
  const common = new Set<string>(COMMON_ATTRIBUTES.map((attribute) => attribute.name.toLowerCase()));
  const schemas = [USER_SCHEMA, GROUP_SCHEMA, ENTERPRISE_USER_SCHEMA, SCHEMA_SCHEMA, RESOURCE_TYPE_SCHEMA];
  const listed = schemas.flatMap((schema) =>
    schema.attributes.map((attribute) => attribute.name.toLowerCase()),
  );
  expect(listed.filter((name) => common.has(name))).toEqual([]);
});
