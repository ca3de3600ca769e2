import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compareSchemas,
  createSchemaRegistry,
  toSchemaResource,
  type AttributeDefinition,
  type SchemaDefinition,
} from "@scim/schemas";
import { schemaDefinitions } from "./arbitrary-schemas.ts";

const ID = "urn:example:params:scim:schemas:acme:1.0:Device";

function schemaOf(...attributes: readonly AttributeDefinition[]): SchemaDefinition {
  return { id: ID, attributes };
}

const reference = (types: readonly string[]): AttributeDefinition => ({
  name: "a",
  type: "reference",
  referenceTypes: types,
});
const linked = (change: object, types: readonly string[] = ["User"]): AttributeDefinition => ({
  name: "a",
  type: "complex",
  multiValued: true,
  subAttributes: [
    { name: "value", type: "string" },
    { name: "$ref", type: "reference", referenceTypes: types },
  ],
  ...change,
});
const complex = (...subAttributes: readonly AttributeDefinition[]): AttributeDefinition => ({
  name: "a",
  type: "complex",
  subAttributes,
});
const text = (change: object = {}): AttributeDefinition => ({ name: "a", type: "string", ...change });
const other: AttributeDefinition = { name: "b", type: "string" };
const required: AttributeDefinition = { name: "b", type: "string", required: true };

type Row = readonly [
  what: string,
  before: readonly AttributeDefinition[],
  after: readonly AttributeDefinition[],
  found: string,
  words: string,
];

const BREAKING: readonly Row[] = [
  ["an attribute removed", [text(), other], [text()], "b removed", "stored values are lost"],
  ["a sub-attribute removed", [complex(text(), other)], [complex(text())], "a.b removed", "is removed"],
  ["a new required attribute", [text()], [text(), required], "b added", "stored resources lack it"],
  [
    "a new required sub-attribute",
    [complex(text())],
    [complex(text(), required)],
    "a.b added",
    "is new and required",
  ],
  ["another spelling", [text()], [text({ name: "A" })], "A name", 'is spelled "A", was "a"'],
  ["another type", [text()], [text({ type: "integer" })], "a type", "has type integer, was string"],
  ["a list of one value", [text({ multiValued: true })], [text()], "a multiValued", "holds one value"],
  ["one value made a list", [text()], [text({ multiValued: true })], "a multiValued", "holds a list"],
  ["newly required", [text()], [text({ required: true })], "a required", "clients that leave it out"],
  [
    "a canonical value gone",
    [text({ canonicalValues: ["x", "y"] })],
    [text({ canonicalValues: ["y", "z"] })],
    "a canonicalValues",
    "no longer has the canonical values x",
  ],
  [
    "first canonical values",
    [text()],
    [text({ canonicalValues: ["x"] })],
    "a canonicalValues",
    "has canonical values, had none",
  ],
  ["case told apart", [text()], [text({ caseExact: true })], "a caseExact", "tells letter case apart"],
  [
    "case no longer told apart",
    [text({ caseExact: true })],
    [text()],
    "a caseExact",
    "unique values may clash",
  ],
  ["readWrite made readOnly", [text()], [text({ mutability: "readOnly" })], "a mutability", "are refused"],
  ["readWrite made immutable", [text()], [text({ mutability: "immutable" })], "a mutability", "are refused"],
  [
    "immutable made readOnly",
    [text({ mutability: "immutable" })],
    [text({ mutability: "readOnly" })],
    "a mutability",
    "has mutability readOnly, was immutable",
  ],
  [
    "readWrite made writeOnly",
    [text()],
    [text({ mutability: "writeOnly" })],
    "a mutability",
    "clients can no longer read it",
  ],
  [
    "writeOnly made readWrite",
    [text({ mutability: "writeOnly" })],
    [text()],
    "a mutability",
    "given in confidence",
  ],
  ["no longer returned", [text()], [text({ returned: "never" })], "a returned", "no longer find it"],
  ["returned on request", [text()], [text({ returned: "request" })], "a returned", "no longer find it"],
  ["no longer always", [text({ returned: "always" })], [text()], "a returned", "no longer find it"],
  ["never made default", [text({ returned: "never" })], [text()], "a returned", "given in confidence"],
  ["unique", [text()], [text({ uniqueness: "server" })], "a uniqueness", "were not kept unique"],
  [
    "unique in another scope",
    [text({ uniqueness: "global" })],
    [text({ uniqueness: "server" })],
    "a uniqueness",
    "has uniqueness server, was global",
  ],
  [
    "a reference type gone",
    [reference(["User", "Group"])],
    [reference(["User"])],
    "a referenceTypes",
    "may no longer refer to Group",
  ],
  ["first reference types", [reference([])], [reference(["uri"])], "a referenceTypes", "refer to uri only"],
  [
    "a list that comes to hold references to resources",
    [linked({}, ["external"])],
    [linked({}, ["external", "User"])],
    "a references",
    "its values are kept in another way",
  ],
  [
    "references that clients come to write",
    [linked({ mutability: "readOnly" })],
    [linked({})],
    "a references",
    "its values are kept in another way",
  ],
];

const COMPATIBLE: readonly Row[] = [
  ["a new optional attribute", [text()], [text(), other], "b added", "is new"],
  ["a new optional sub-attribute", [complex(text())], [complex(text(), other)], "a.b added", "is new"],
  [
    "a new required attribute that clients never send",
    [text()],
    [text(), { ...required, mutability: "readOnly" }],
    "b added",
    "is new",
  ],
  ["another description", [text()], [text({ description: "A." })], "a description", "another description"],
  ["no longer required", [text({ required: true })], [text()], "a required", "is no longer required"],
  [
    "a new canonical value",
    [text({ canonicalValues: ["x"] })],
    [text({ canonicalValues: ["X", "y"] })],
    "a canonicalValues",
    "has the new canonical values y",
  ],
  [
    "no canonical values any more",
    [text({ canonicalValues: ["x"] })],
    [text()],
    "a canonicalValues",
    "no longer has canonical values",
  ],
  ["readOnly made readWrite", [text({ mutability: "readOnly" })], [text()], "a mutability", "was readOnly"],
  ["immutable made readWrite", [text({ mutability: "immutable" })], [text()], "a mutability", "readWrite"],
  ["returned always", [text()], [text({ returned: "always" })], "a returned", "has returned always"],
  ["returned by default", [text({ returned: "request" })], [text()], "a returned", "was request"],
  ["no longer unique", [text({ uniqueness: "server" })], [text()], "a uniqueness", "has uniqueness none"],
  [
    "a new reference type",
    [reference(["User"])],
    [reference(["Group", "User"])],
    "a referenceTypes",
    "may refer to Group too",
  ],
  ["no reference types", [reference(["User"])], [reference([])], "a referenceTypes", "refer to anything"],
  [
    "a new type of references",
    [linked({})],
    [linked({}, ["User", "Group"])],
    "a.$ref referenceTypes",
    "Group too",
  ],
];

describe.each([
  ["breaking", BREAKING],
  ["compatible", COMPATIBLE],
] as const)("%s", (verdict, rows) => {
  test.each(rows)("%s", (_what, before, after, found, words) => {
    const differences = compareSchemas(schemaOf(...before), schemaOf(...after));
    const named = differences.filter(({ path, kind }) => `${path} ${kind}` === found);
    expect(named.map(({ breaking }) => breaking)).toContain(verdict === "breaking");
    expect(named.map(({ message }) => message).join("; ")).toContain(words);
    expect(differences.some(({ breaking }) => breaking)).toBe(verdict === "breaking");
  });
});

describe("compareSchemas", () => {
  test("tells another URN, name and description of the schema, none of which breaks", () => {
    const before = { ...schemaOf(text()), name: "Device" };
    const after = { ...schemaOf(text()), id: ID.replace("1.0", "2.0"), description: "Machines." };
    expect(compareSchemas(before, after).map(({ path, kind, breaking }) => [path, kind, breaking])).toEqual([
      ["", "id", false],
      ["", "name", false],
      ["", "description", false],
    ]);
  });

  test("of an attribute of another type says nothing of what it holds", () => {
    const differences = compareSchemas(schemaOf(complex(other)), schemaOf(text()));
    expect(differences.map(({ path, kind }) => `${path} ${kind}`)).toEqual(["a type"]);
  });

  test("finds nothing between a schema and itself, as it is served, in another order", () => {
    fc.assert(
      fc.property(schemaDefinitions(), (schema) => {
        const { attributes } = createSchemaRegistry().addSchema(toSchemaResource(schema));
        expect(compareSchemas(schema, { id: schema.id, attributes: attributes.toReversed() })).toEqual([]);
      }),
    );
  });

  test("finds a difference one way exactly where it finds one the other way", () => {
    fc.assert(
      fc.property(schemaDefinitions(), schemaDefinitions(), (left, right) => {
        const there = compareSchemas(left, right);
        const back = compareSchemas(right, left);
        expect(there.length === 0).toBe(back.length === 0);
        const gone = there.filter(({ kind }) => kind === "removed").map(({ path }) => path);
        const come = back.filter(({ kind }) => kind === "added").map(({ path }) => path);
        expect(gone.toSorted()).toEqual(come.toSorted());
      }),
    );
  });
});
