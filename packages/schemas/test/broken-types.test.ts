import { expect, test } from "vitest";
import {
  brokenTypes,
  createDefaultRegistry,
  createSchemaRegistry,
  definitionsOf,
  identifyDocument,
  rememberedDefinitions,
} from "../src/index.ts";

const DEVICE = "urn:example:params:scim:schemas:core:2.0:Device";
const SCHEMA = { id: DEVICE, name: "Device", attributes: [{ name: "serial", type: "string" }] } as const;
const TYPE = { name: "Device", endpoint: "/Devices", schema: DEVICE };

function registryWith(...documents: readonly object[]) {
  const registry = createSchemaRegistry(createDefaultRegistry());
  registry.addDocuments(
    documents.map((document, at) => ({ source: `${at}`, document })),
    { allowBreaking: true },
  );
  return registry;
}

const LONGER = { ...SCHEMA, attributes: [...SCHEMA.attributes, { name: "color", type: "string" }] } as const;
/** An attribute of parts. */
const COMPLEX = (...parts: readonly string[]) =>
  ({
    name: "parts",
    type: "complex",
    subAttributes: parts.map((name) => ({ name, type: "string" }) as const),
  }) as const;
const OTHER = { ...SCHEMA, attributes: [{ name: "serial", type: "integer" }] };

test.each([
  ["the same", [SCHEMA, TYPE], null],
  ["one more attribute", [LONGER, TYPE], null],
  ["another type of an attribute", [OTHER, TYPE], { reason: "serial", misreads: true }],
  [
    "another endpoint",
    [SCHEMA, { ...TYPE, endpoint: "/Things" }],
    { reason: "endpoint is /Things", misreads: false },
  ],
  ["no such type", [SCHEMA], { reason: "it is gone", misreads: false }],
] as const)("of two registries: %s", (_name, after, broken) => {
  const found = brokenTypes(registryWith(SCHEMA, TYPE), registryWith(...after));
  if (broken === null) return expect(found).toEqual([]);
  const reasons = [expect.stringContaining(broken.reason)];
  return expect(found).toEqual([{ name: "Device", reasons, misread: broken.misreads ? reasons : [] }]);
});

test("an extension whose URN is spelled otherwise", () => {
  const badge = { id: "urn:acme:Badge", name: "Badge", attributes: [{ name: "code", type: "string" }] };
  const extended = { ...TYPE, schemaExtensions: [{ schema: badge.id, required: false }] };
  const found = brokenTypes(
    registryWith(SCHEMA, badge, extended),
    registryWith(SCHEMA, { ...badge, id: "urn:acme:badge" }, extended),
  );
  const reasons = [expect.stringContaining('urn:acme:Badge is spelled "urn:acme:badge"')];
  expect(found).toEqual([{ name: "Device", reasons, misread: reasons }]);
  // What a schema is built on names no member.
  expect(
    brokenTypes(registryWith(SCHEMA, TYPE), registryWith({ ...SCHEMA, id: DEVICE.toLowerCase() }, TYPE)),
  ).toEqual([]);
});

test("definitions remember what they lack of former ones, where there are resources of it", () => {
  const before = {
    schemas: [{ ...LONGER, attributes: [...LONGER.attributes, COMPLEX("kind", "size")] }],
    resourceTypes: [{ ...TYPE, schemaExtensions: [{ schema: "urn:acme:Badge", required: true }] }],
  } as const;
  const now = { schemas: [{ ...SCHEMA, attributes: [COMPLEX("kind")] }], resourceTypes: [TYPE] } as const;
  const after = definitionsOf(now, createDefaultRegistry());
  const remembered = rememberedDefinitions(now, { before, after, types: new Set(["Device"]) });
  expect(remembered).toEqual({
    schemas: [{ ...SCHEMA, attributes: [COMPLEX("kind", "size"), ...LONGER.attributes] }],
    resourceTypes: before.resourceTypes,
  });
  expect(rememberedDefinitions(remembered, { before, after, types: new Set(["Device"]) })).toEqual(
    remembered,
  );
  expect(rememberedDefinitions(now, { before, after, types: new Set() })).toEqual(now);
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
