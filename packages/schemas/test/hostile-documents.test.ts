import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ATTRIBUTE_TYPES,
  createDefaultRegistry,
  createSchemaRegistry,
  MUTABILITIES,
  RETURNED,
  SchemaDocumentError,
  UNIQUENESSES,
  type DocumentIssue,
  type SchemaDefinition,
} from "@scim/schemas";
import { refusalOf } from "./refusal.ts";

const URN = "urn:example:params:scim:schemas:acme:1.0:Device";
const value = { name: "value", type: "string" };

function documentWith(change: Record<string, unknown>): Record<string, unknown> {
  return { id: URN, attributes: [{ name: "serial", type: "string", multiValued: false }], ...change };
}

function accepts(document: unknown): SchemaDefinition {
  return createSchemaRegistry().addSchema(document);
}

function issuesOf(document: unknown): readonly DocumentIssue[] {
  return refusalOf(() => accepts(document)).issues;
}

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

  test("whose sub-attributes hold themselves", () => {
    const loop: Record<string, unknown> = { name: "loop", type: "complex" };
    loop["subAttributes"] = [loop];
    expect(issuesOf(documentWith({ attributes: [loop] }))).toContainEqual({
      path: "attributes[0].subAttributes[0].type",
      message: expect.stringContaining("must be one of string, boolean"),
    });
    const list: unknown[] = [];
    list.push({ name: "a", type: "complex", subAttributes: list });
    expect(issuesOf(documentWith({ attributes: list })).length).toBeGreaterThan(0);
    const all: Record<string, unknown> = { id: URN };
    all["attributes"] = all;
    expect(issuesOf(all)).toContainEqual({ path: "attributes", message: "must be a list" });
  });

  test("resource types that refer to each other in a circle are none", () => {
    const registry = createDefaultRegistry();
    const linked = (name: string, to: string): unknown => ({
      id: `urn:example:${name}`,
      attributes: [
        {
          name: "links",
          type: "complex",
          multiValued: true,
          subAttributes: [value, { name: "$ref", type: "reference", referenceTypes: [to, name] }],
        },
      ],
    });
    const typed = (name: string): unknown => ({
      name,
      endpoint: `/${name}s`,
      schema: `urn:example:${name}`,
    });
    const documents = [typed("Left"), linked("Left", "Right"), linked("Right", "Left"), typed("Right")];
    const { resourceTypes } = registry.addDocuments(
      documents.map((document, index) => ({ source: String(index), document })),
    );
    expect(resourceTypes.map(({ name }) => name)).toEqual(["Left", "Right"]);
  });

  test("lists with holes, and values that are no JSON", () => {
    const holes: unknown[] = [];
    holes.length = 3;
    const huge: unknown[] = [];
    huge.length = 4_000_000_000;
    expect(issuesOf(documentWith({ attributes: holes })).map(({ path }) => path)).toEqual([
      "attributes[0]",
      "attributes[1]",
      "attributes[2]",
    ]);
    expect(issuesOf(documentWith({ attributes: huge }))).toEqual([
      { path: "attributes", message: "must hold at most 1000 values" },
    ]);
    for (const odd of [1n, Symbol("x"), () => value, new Date(0), new Map(), Number.NaN]) {
      expect(issuesOf(odd).length).toBeGreaterThan(0);
      expect(issuesOf(documentWith({ attributes: [odd] })).length).toBeGreaterThan(0);
      expect(issuesOf(documentWith({ id: odd })).length).toBeGreaterThan(0);
    }
  });
});

/** Words that documents hold, right and wrong, so that random documents come close to sound ones. */
const WORDS = fc.constantFrom<string>(
  ...ATTRIBUTE_TYPES,
  ...MUTABILITIES,
  ...RETURNED,
  ...UNIQUENESSES,
  "bool",
  "Manufacturer",
  "a",
  "A",
  "id",
  "meta",
  "schemas",
  "$ref",
  "value",
  "a.b",
  "__proto__",
  "constructor",
  "toString",
  "",
  "User",
  "/Users",
  "/Devices",
  "/Me",
  URN,
  "urn:",
);
const MEMBERS = fc.constantFrom(
  "name",
  "type",
  "multiValued",
  "multivalues",
  "required",
  "canonicalValues",
  "caseExact",
  "mutability",
  "returned",
  "uniqueness",
  "referenceTypes",
  "subAttributes",
  "pattern",
  "attributes",
  "endpoint",
  "schema",
  "schemaExtensions",
  "operations",
  "annotations",
  "rowsOf",
  "path",
  "owner",
  "default",
  "maxLength",
  "__proto__",
);

const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    WORDS,
    fc.constantFrom(true, false, null, 0, 1, -1.5, 1e300),
    fc.array(tie("anything"), { maxLength: 4 }),
    fc.dictionary(MEMBERS, tie("anything"), { maxKeys: 8 }),
  ),
}));
const attribute = fc
  .dictionary(MEMBERS, anything, { maxKeys: 6 })
  .map((members) => ({ name: "a", ...members }));

describe("whatever a document holds, it is read or refused, and nothing else happens", () => {
  test.each<[kind: string, documents: fc.Arbitrary<unknown>]>([
    ["any JSON", fc.jsonValue()],
    ["a schema of anything", anything.map((attributes) => ({ id: URN, attributes }))],
    ["a schema of attributes", fc.array(attribute).map((attributes) => ({ id: URN, attributes }))],
    [
      "a complex attribute of anything",
      fc.array(attribute).map((subAttributes) => ({
        id: URN,
        attributes: [{ name: "a", type: "complex", subAttributes }],
      })),
    ],
    [
      "a resource type of anything",
      fc
        .dictionary(MEMBERS, anything)
        .map((members) => ({ name: "Device", endpoint: "/Devices", schema: "urn:x:y", ...members })),
    ],
    [
      "annotations of anything",
      anything.map((annotations) => ({
        name: "User",
        endpoint: "/Users",
        schema: "urn:ietf:params:scim:schemas:core:2.0:User",
        annotations,
      })),
    ],
  ])("%s", (_kind, documents) => {
    fc.assert(
      fc.property(documents, (document) => {
        const registry = createDefaultRegistry();
        const before = [registry.revision, registry.schemas(), registry.resourceTypes()];
        for (const add of [
          () => registry.addSchema(document),
          () => registry.addResourceType(document),
          () => registry.addDocuments([{ source: "x", document }]),
        ]) {
          try {
            add();
          } catch (error) {
            expect(error).toBeInstanceOf(SchemaDocumentError);
            expect([registry.revision, registry.schemas(), registry.resourceTypes()]).toEqual(before);
            continue;
          }
          before.splice(0, 3, registry.revision, registry.schemas(), registry.resourceTypes());
        }
      }),
    );
  });
});

describe("an endpoint that is not free", () => {
  const TYPE = { name: "Device", schema: "urn:ietf:params:scim:schemas:core:2.0:User" };

  test.each([
    "/Me",
    "/ME",
    "/Bulk",
    "/bulk",
    "/Schemas",
    "/SCHEMAS",
    "/ResourceTypes",
    "/ServiceProviderConfig",
    "/Diagnostics",
    "/Me/",
    "/Schemas/x",
    "/.search",
    "/.dry-run",
    "/..",
    "/.",
    "//",
    "/",
    "",
    "/%4de",
    "/Sch%65mas",
    "/Users",
    "/users",
    "/GROUPS",
    "/a?b",
    "/a#b",
    "/a b",
    "/a\\b",
    "/é",
    "/1",
  ])("%j is refused by its path", (endpoint) => {
    const add = (): unknown => createDefaultRegistry().addResourceType({ ...TYPE, endpoint });
    expect(refusalOf(add).issues.map(({ path }) => path)).toContain("endpoint");
  });

  test.each([
    "uri",
    "external",
    "Schema",
    "schema",
    "ResourceType",
    "ServiceProviderConfig",
    "__proto__",
    "",
  ])("the name %j is refused by its path", (name) => {
    const add = (): unknown =>
      createDefaultRegistry().addResourceType({ ...TYPE, name, endpoint: "/Devices" });
    expect(refusalOf(add).issues.map(({ path }) => path)).toContain("name");
  });

  test("names of every object's members are names like others", () => {
    const registry = createDefaultRegistry();
    for (const name of ["constructor", "toString", "hasOwnProperty"]) {
      registry.addResourceType({ ...TYPE, name, endpoint: `/${name}` });
      expect(registry.resourceType(name)?.endpoint).toBe(`/${name}`);
    }
    expect(registry.resourceType("valueOf")).toBeUndefined();
  });
});
