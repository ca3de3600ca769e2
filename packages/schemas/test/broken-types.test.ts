import { expect, test } from "vitest";
import { brokenTypes, createDefaultRegistry, createSchemaRegistry, identifyDocument } from "../src/index.ts";

const DEVICE = "urn:example:params:scim:schemas:core:2.0:Device";
const SCHEMA = { id: DEVICE, name: "Device", attributes: [{ name: "serial", type: "string" }] };
const TYPE = { name: "Device", endpoint: "/Devices", schema: DEVICE };

function registryWith(...documents: readonly object[]) {
  const registry = createSchemaRegistry(createDefaultRegistry());
  registry.addDocuments(
    documents.map((document, at) => ({ source: `${at}`, document })),
    { allowBreaking: true },
  );
  return registry;
}

const LONGER = { ...SCHEMA, attributes: [...SCHEMA.attributes, { name: "color", type: "string" }] };
const OTHER = { ...SCHEMA, attributes: [{ name: "serial", type: "integer" }] };

test.each([
  ["the same", [SCHEMA, TYPE], []],
  ["one more attribute", [LONGER, TYPE], []],
  ["another type of an attribute", [OTHER, TYPE], [["Device", "serial"]]],
  ["another endpoint", [SCHEMA, { ...TYPE, endpoint: "/Things" }], [["Device", "endpoint is /Things"]]],
  ["no such type", [SCHEMA], [["Device", "it is gone"]]],
] as const)("of two registries: %s", (_name, after, broken) => {
  const found = brokenTypes(registryWith(SCHEMA, TYPE), registryWith(...after));
  expect(found).toEqual(
    broken.map(([name, reason]) => ({ name, reasons: [expect.stringContaining(reason)] })),
  );
});

test("a registry that holds what another one holds goes its own way from there", () => {
  const base = createDefaultRegistry();
  const copy = createSchemaRegistry(base);
  expect(copy.schemas()).toEqual(base.schemas());
  expect(copy.resourceType("User")).toBe(base.resourceType("User"));
  copy.addSchema(SCHEMA);
  expect([base.schema(DEVICE), copy.schema(DEVICE)?.name]).toEqual([undefined, "Device"]);
});

test.each([
  [SCHEMA, { kind: "Schema", name: DEVICE }],
  [
    { ...TYPE, Name: "Device" },
    { kind: "ResourceType", name: "Device" },
  ],
  [{ attributes: [] }, null],
  [{ name: "Device" }, null],
  ["Device", null],
  [null, null],
])("%j defines %j", (document, identity) => {
  expect(identifyDocument(document)).toEqual(identity);
});
