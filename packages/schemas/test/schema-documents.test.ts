import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createDefaultRegistry,
  createSchemaRegistry,
  GROUP_SCHEMA,
  GROUP_URN,
  SCHEMA_SCHEMA,
  SCHEMA_URN,
  SchemaDocumentError,
  toSchemaResource,
  USER_SCHEMA,
  USER_URN,
  type AttributeDefinition,
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
    ["without attributes", { id: URN }, "attributes", "is missing"],
    ["with no attribute", documentWith({ attributes: [] }), "attributes", "is missing"],
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
      "under the extension prefix without a version",
      documentWith({ id: "urn:example:params:scim:schemas:extension:acme:User" }),
      "id",
      "<company>:<version>:<Type>",
    ],
    [
      "under the extension prefix with a version of one number",
      documentWith({ id: "urn:example:params:scim:schemas:extension:acme:1:User" }),
      "id",
      "<company>:<version>:<Type>",
    ],
    [
      "with a text past the bound",
      documentWith({ name: "x".repeat(8193) }),
      "name",
      "at most 8192 characters",
    ],
    [
      "with more attributes than the bound",
      documentWith({ attributes: Array.from({ length: 2001 }, (_, index) => ({ name: `a${index}` })) }),
      "attributes",
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

describe("a hostile document does no harm", () => {
  test.each([
    [
      "__proto__ on top",
      '{"__proto__": {"attributes": []}, "id": "urn:x:y", "attributes": [{"name": "a"}]}',
      "",
    ],
    [
      "__proto__ in an attribute",
      '{"id": "urn:x:y", "attributes": [{"name": "a", "__proto__": {"type": "complex"}}]}',
      "attributes[0]",
    ],
    ["constructor on top", '{"id": "urn:x:y", "constructor": 1, "attributes": [{"name": "a"}]}', ""],
  ])("%s", (_name, text, path) => {
    expect(issuesOf(JSON.parse(text))).toContainEqual({
      path,
      message: expect.stringContaining("is not known here"),
    });
    expect({}).not.toHaveProperty("attributes");
    expect({}).not.toHaveProperty("type");
  });

  test("nested very deep", () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(1000)}1${"}".repeat(1000)}`);
    let subAttributes: unknown = [value];
    for (let depth = 0; depth < 100_000; depth += 1)
      subAttributes = [{ name: "a", type: "complex", subAttributes }];
    expect(issuesOf(deep).length).toBeGreaterThan(0);
    expect(issuesOf(documentWith({ attributes: subAttributes })).length).toBeGreaterThan(0);
  });

  test("attributes named like members of every object are attributes like others", () => {
    const names = ["constructor", "toString", "hasOwnProperty", "valueOf"];
    const schema = accepts(documentWith({ attributes: names.map((name) => ({ name })) }));
    expect(schema.attributes.map((attribute) => attribute.name)).toEqual(names);
  });

  test("any JSON value is read or refused, and nothing else happens", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.record({ id: fc.constant(URN), attributes: fc.jsonValue() })),
        (document) => {
          try {
            expect(accepts(document).attributes.length).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toBeInstanceOf(SchemaDocumentError);
          }
        },
      ),
    );
  });
});

describe("a schema document is read", () => {
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

  test("takes the same schema twice and keeps the first, whatever it says for people", () => {
    const registry = createSchemaRegistry();
    const first = registry.addSchema(documentWith({ description: "One." }));
    expect(registry.addSchema(documentWith({ id: URN.toUpperCase(), description: "Other." }))).toBe(first);
    expect(registry.schemas()).toEqual([first]);
  });

  const [displayName, members] = GROUP_SCHEMA.attributes;
  test.each<[difference: string, attributes: readonly AttributeDefinition[], issue: DocumentIssue]>([
    ["an attribute less", [members], { path: "displayName", message: "is missing, but registered" }],
    [
      "an attribute more",
      [displayName, members, { name: "owner", type: "string" }],
      { path: "owner", message: "is not part of the registered schema" },
    ],
    [
      "another characteristic",
      [{ ...displayName, uniqueness: "server" }, members],
      { path: "displayName", message: 'has uniqueness "server", registered is "none"' },
    ],
    [
      "another characteristic of a sub-attribute",
      [
        displayName,
        {
          ...members,
          subAttributes: [
            { ...members.subAttributes[0], caseExact: false },
            ...members.subAttributes.slice(1),
          ],
        },
      ],
      { path: "members.value", message: "has caseExact false, registered is true" },
    ],
  ])("refuses a schema with %s under the same URN, with the reason", (_difference, attributes, issue) => {
    const registry = createDefaultRegistry();
    const error = refusalOf(() => registry.addSchema({ id: GROUP_URN, attributes }));
    expect(error.code).toBe("schemaConflict");
    expect(error.issues).toEqual([issue]);
    expect(registry.schema(GROUP_URN)?.attributes).toHaveLength(2);
  });

  test("refuses another schema of schemas, also where none is registered", () => {
    const attributes = [...SCHEMA_SCHEMA.attributes, { name: "owner", type: "string" }];
    const error = refusalOf(() => createSchemaRegistry().addSchema({ id: SCHEMA_URN, attributes }));
    expect(error.code).toBe("schemaConflict");
    expect(error.issues).toEqual([{ path: "owner", message: "is not part of the registered schema" }]);
  });
});
