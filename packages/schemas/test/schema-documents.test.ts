import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createDefaultRegistry,
  createSchemaRegistry,
  SCHEMA_SCHEMA,
  SCHEMA_URN,
  toSchemaResource,
  USER_SCHEMA,
  USER_URN,
  type DocumentIssue,
  type SchemaDefinition,
} from "@scim/schemas";
import { schemaDefinitions } from "./arbitrary-schemas.ts";
import { refusalOf } from "./refusal.ts";

const URN = "urn:example:params:scim:schemas:acme:1.0:Device";

/** A document with one sound attribute, changed as a case asks. */
function documentWith(change: Record<string, unknown>): Record<string, unknown> {
  return { id: URN, attributes: [{ name: "serial", type: "string", multiValued: false }], ...change };
}

/** A document with one attribute. */
function documentOf(attribute: unknown): Record<string, unknown> {
  return documentWith({ attributes: [attribute] });
}

/** Attributes that are named and no more. */
function named(prefix: string, count: number): readonly { readonly name: string }[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}` }));
}

function issuesOf(document: unknown): readonly DocumentIssue[] {
  return refusalOf(() => createSchemaRegistry().addSchema(document)).issues;
}

function accepts(document: unknown): SchemaDefinition {
  return createSchemaRegistry().addSchema(document);
}

const value = { name: "value", type: "string" };

describe("a schema document is refused", () => {
  test.each<[rule: string, document: unknown, path: string, words: string]>([
    ["that is null", null, "", "must be a JSON object"],
    ["that is a list", [USER_SCHEMA], "", "must be a JSON object"],
    ["that is a string", "urn:x:y", "", "must be a JSON object"],
    ["without id", { attributes: [value] }, "id", "is missing"],
    ["with attributes that are no list", documentWith({ attributes: value }), "attributes", "must be a list"],
    ["with a null attribute", documentOf(null), "attributes[0]", "must be a JSON object"],
    ["with an attribute that is a text", documentOf("serial"), "attributes[0]", "must be a JSON object"],
    ["with an attribute without name", documentOf({ type: "string" }), "attributes[0].name", "is missing"],
    ["with a name that is a number", documentOf({ name: 1 }), "attributes[0].name", "must be a string"],
    [
      "R7643-2.3-01 with another data type",
      documentOf({ name: "a", type: "money" }),
      "attributes[0].type",
      'must be one of string, complex, boolean, decimal, integer, dateTime, reference, binary, not "money"',
    ],
    [
      "with an unknown mutability",
      documentOf({ name: "a", mutability: "readonly" }),
      "attributes[0].mutability",
      "must be one of readOnly, readWrite, immutable, writeOnly",
    ],
    [
      "with an unknown returned",
      documentOf({ name: "a", returned: "often" }),
      "attributes[0].returned",
      "must be one of",
    ],
    [
      "with an unknown uniqueness",
      documentOf({ name: "a", uniqueness: "x" }),
      "attributes[0].uniqueness",
      "must be one of",
    ],
    [
      "with a boolean as text",
      documentOf({ name: "a", required: "true" }),
      "attributes[0].required",
      "must be true or false",
    ],
    [
      "with a misspelt member",
      documentOf({ name: "a", requierd: true }),
      "attributes[0]",
      '"requierd" that is not known',
    ],
    [
      "with a member twice but for case",
      documentOf({ name: "a", Name: "b" }),
      "attributes[0]",
      "twice, but for letter case",
    ],
    [
      "with names equal but for case",
      documentWith({ attributes: [{ name: "serial" }, { name: "SERIAL" }] }),
      "attributes[1].name",
      "is taken by attributes[0]",
    ],
    [
      "with sub-attributes equal but for case",
      documentOf({ name: "a", type: "complex", subAttributes: [value, { name: "Value" }] }),
      "attributes[0].subAttributes[1].name",
      "is taken by attributes[0].subAttributes[0]",
    ],
    [
      "R7643-2.3.8-01 with a complex sub-attribute",
      documentOf({
        name: "a",
        type: "complex",
        subAttributes: [{ name: "b", type: "complex", subAttributes: [value] }],
      }),
      "attributes[0].subAttributes[0].type",
      "must be one of string, boolean",
    ],
    [
      "with a complex attribute that has no sub-attribute",
      documentOf({ name: "a", type: "complex" }),
      "attributes[0].subAttributes",
      "must name at least one",
    ],
    [
      "with sub-attributes of a simple attribute",
      documentOf({ name: "a", type: "string", subAttributes: [value] }),
      "attributes[0].subAttributes",
      "belongs to attributes of type complex",
    ],
    [
      "R7643-7-08 with referenceTypes of a string",
      documentOf({ name: "a", type: "string", referenceTypes: ["User"] }),
      "attributes[0].referenceTypes",
      "belongs to attributes of type reference",
    ],
    [
      "R7643-2.3.2-01 with a unique boolean",
      documentOf({ name: "a", type: "boolean", uniqueness: "server" }),
      "attributes[0].uniqueness",
      "must be none or left out",
    ],
    [
      "R7643-2.3.8-03 with a unique complex attribute",
      documentOf({ name: "a", type: "complex", uniqueness: "global", subAttributes: [value] }),
      "attributes[0].uniqueness",
      "must be none or left out",
    ],
    [
      "R7643-7-04 with a writeOnly attribute that is returned",
      documentOf({ name: "a", mutability: "writeOnly", returned: "default" }),
      "attributes[0].returned",
      "must be never or left out",
    ],
    [
      "whose schemas lack the schema of schemas",
      documentWith({ schemas: [USER_URN] }),
      "schemas",
      `must hold ${SCHEMA_URN}`,
    ],
    [
      "R7643-10-01 under the URN of a message",
      documentWith({ id: "urn:ietf:params:scim:api:messages:2.0:PatchOp" }),
      "id",
      "stands for a message",
    ],
    [
      "with a text past the bound",
      documentWith({ name: "x".repeat(8193) }),
      "name",
      "at most 8192 characters",
    ],
    [
      "with more attributes than the bound",
      documentWith({ attributes: named("a", 1001) }),
      "attributes",
      "at most 1000 values",
    ],
    [
      "with more sub-attributes than the bound",
      documentOf({ name: "a", type: "complex", subAttributes: named("s", 101) }),
      "attributes[0].subAttributes",
      "at most 100 values",
    ],
    [
      "with more attributes and sub-attributes than the bound of both",
      documentWith({
        attributes: named("a", 40).map((attribute) => ({
          ...attribute,
          type: "complex",
          subAttributes: named("s", 50),
        })),
      }),
      "attributes",
      "at most 2000 attributes and sub-attributes, not 2040",
    ],
    [
      "with 10,000 values in a list",
      documentOf({ name: "a", canonicalValues: named("v", 10_000).map(({ name }) => name) }),
      "attributes[0].canonicalValues",
      "at most 2000 values",
    ],
    [
      "with a name past the bound",
      documentOf({ name: "a".repeat(129) }),
      "attributes[0].name",
      "must have at most 128 characters",
    ],
  ])("%s", (_rule, document, path, words) => {
    expect(issuesOf(document)).toContainEqual({ path, message: expect.stringContaining(words) });
  });

  test.each(["1a", "-a", "_a", "a.b", "a b", "é", "", "$a", "$REF", "a:b", "a[0]", "__proto__"])(
    "R7643-2.1-02 with the attribute name %j",
    (name) => {
      expect(issuesOf(documentOf({ name }))).toContainEqual({
        path: "attributes[0].name",
        message: expect.stringContaining("must be a letter followed by"),
      });
    },
  );

  test.each([
    "Device",
    "urn:",
    "urn:x:",
    "urn:x y",
    'urn:x:"',
    "urn:x:a[0]",
    "urn:x:y#z",
    "/relative",
    "urn:é:x",
    "-urn:x:y",
  ])("with the id %j, which is no absolute URI", (id) => {
    expect(issuesOf(documentWith({ id }))).toContainEqual({
      path: "id",
      message: expect.stringContaining("must be an absolute URI"),
    });
  });

  test("with all its faults at once, in the order of the document", () => {
    const attributes = [{ name: "1" }, { name: "ok" }, { name: "b", type: "complex" }, { name: "OK" }];
    expect(issuesOf(documentWith({ attributes })).map((issue) => issue.path)).toEqual([
      "attributes[0].name",
      "attributes[2].subAttributes",
      "attributes[3].name",
    ]);
  });

  test("with a message that reads as it stands", () => {
    const document = { id: URN, attributes: [{ name: "1st", type: "string" }] };
    const error = refusalOf(() => createSchemaRegistry().addSchema(document));
    expect(error.code).toBe("invalidSchema");
    expect(error.message).toBe(
      `The schema "${URN}" cannot be used.\n` +
        '  attributes[0].name: must be a letter followed by letters, digits, "$", "-" or "_", not "1st"',
    );
  });

  test("with ten issues in the message and at most a hundred in the error", () => {
    const attributes = Array.from({ length: 1000 }, (_, index) => ({ name: `${index}` }));
    const error = refusalOf(() => createSchemaRegistry().addSchema(documentWith({ attributes })));
    expect(error.issues).toHaveLength(100);
    expect(error.message.split("\n")).toHaveLength(12);
    expect(error.message).toMatch(/and 90 more$/u);
  });
});

describe("a schema document is read", () => {
  test.each([
    ["an empty list of attributes", { id: URN, attributes: [] }],
    ["null for attributes", { id: URN, attributes: null }],
    ["no attributes", { id: URN }],
  ])("R7643-2.5-01 with %s: some extensions only say something by being named", (_name, document) => {
    expect(accepts(document)).toEqual({ id: URN, attributes: [] });
    expect(accepts(toSchemaResource(accepts(document)))).toEqual({ id: URN, attributes: [] });
  });

  test("R7643-2.2-01 with the defaults for all that it leaves out", () => {
    const [attribute] = accepts(documentOf({ name: "nickName" })).attributes;
    expect(attribute).toEqual({ name: "nickName", type: "string", multiValued: false });
  });

  test.each(["a", "a-b", "a_b", "a$1", "A9", "$ref"])("R7643-2.1-02 with the attribute name %j", (name) => {
    expect(accepts(documentOf({ name })).attributes[0]?.name).toBe(name);
  });

  test.each([
    "urn:ietf:params:scim:schemas:core:2.0:Thing",
    "urn:example:params:scim:schemas:extension:acme:1.0:User",
    "urn:example:params:scim:schemas:extension:acme:1.2.3:User",
    "urn:okta:scim:schemas:idp:1.0:user:custom",
    "https://id.example/schemas/Device",
  ])("under %s", (id) => {
    expect(accepts(documentWith({ id })).id).toBe(id);
  });

  test("R7643-2.1-01 whatever the letter case of its members, and of values that ignore it", () => {
    const document = { ID: URN, Attributes: [{ NAME: "a", Type: "DATETIME", MultiValued: true }] };
    expect(accepts(document)).toEqual({
      id: URN,
      attributes: [{ name: "a", type: "dateTime", multiValued: true }],
    });
  });

  test("R7643-2.5-01 with null and the empty list as if they were not there", () => {
    const attribute = {
      name: "a",
      type: "string",
      description: null,
      subAttributes: [],
      canonicalValues: [],
    };
    expect(accepts(documentOf(attribute)).attributes).toEqual([
      { name: "a", type: "string", multiValued: false },
    ]);
  });

  test("as a new object: later changes of the document change nothing", () => {
    const document = documentOf({ name: "a", canonicalValues: ["x"] });
    const schema = accepts(document);
    const [attribute] = document["attributes"] as { name: string; canonicalValues: string[] }[];
    attribute?.canonicalValues.push("y");
    expect(schema.attributes[0]?.canonicalValues).toEqual(["x"]);
  });

  test("in the form in which it is served, meta included", () => {
    const meta = {
      resourceType: "Schema",
      location: "https://id.example/scim/v2/Schemas/x",
      version: 'W/"1"',
    };
    for (const schema of createDefaultRegistry().schemas()) {
      const read = accepts({ ...toSchemaResource(schema), meta });
      expect(toSchemaResource(read)).toEqual(toSchemaResource(schema));
    }
  });

  test("served and read again, it says the same", () => {
    fc.assert(
      fc.property(schemaDefinitions(), (schema) => {
        const served = toSchemaResource(schema);
        expect(toSchemaResource(accepts(served))).toEqual(served);
      }),
    );
  });
});

describe("the registry", () => {
  test("finds schemas in any letter case of their URN", () => {
    const registry = createDefaultRegistry();
    expect(registry.schema(USER_URN.toUpperCase())?.id).toBe(USER_URN);
    expect(registry.schema("urn:example:nothing")).toBeUndefined();
    expect(registry.schema("__proto__")).toBeUndefined();
    expect(createSchemaRegistry().schema(USER_URN)).toBeUndefined();
  });

  test("keeps instances apart", () => {
    const [one, other] = [createSchemaRegistry(), createSchemaRegistry()];
    one.addSchema(documentWith({}));
    expect(other.schemas()).toEqual([]);
  });

  test("refuses another schema of schemas, also where none is registered", () => {
    const attributes = [...SCHEMA_SCHEMA.attributes, { name: "owner", type: "string" }];
    const error = refusalOf(() => createSchemaRegistry().addSchema({ id: SCHEMA_URN, attributes }));
    expect(error.code).toBe("schemaConflict");
    expect(error.issues).toEqual([{ path: "owner", message: "is new" }]);
  });
});
