import { createDefaultRegistry, type SchemaRegistry } from "@scim/schemas";
import { beforeEach, expect, test } from "vitest";
import {
  changeTenant,
  createTenant,
  type DocumentPorts,
  type DocumentStore,
  findTenant,
  ownRegistry,
  putDocuments,
  readDocuments,
  removeDocument,
} from "../../src/index.ts";
import { testPorts, type TestPorts } from "./ports.ts";

const DEVICE = "urn:example:params:scim:schemas:core:2.0:Device";
const SCHEMA = { id: DEVICE, name: "Device", attributes: [{ name: "serial", type: "string" }] };
const TYPE = { name: "Device", endpoint: "/Devices", schema: DEVICE };

/** A schema with more than a fifth of what all documents may have. */
const LONG = {
  attributes: Array.from({ length: 28 }, (_, at) => ({
    name: `a${at}`,
    type: "string",
    description: "x".repeat(8000),
  })),
};

/** As many attributes as a schema may have. */
const MANY = Array.from({ length: 1000 }, (_, at) => ({ name: `a${at}`, type: "string" }));

let stores: TestPorts;
let used: Set<string>;
let base: SchemaRegistry;
let ports: DocumentPorts;
beforeEach(async () => {
  stores = testPorts();
  used = new Set();
  base = createDefaultRegistry();
  const change: DocumentStore["change"] = async (wanted) => {
    const type = wanted.broken.find((name) => used.has(name));
    return type === undefined ? stores.documents.change(wanted) : { kind: "filled", type };
  };
  ports = { ...stores, documents: { ...stores.documents, change }, base: () => base };
  await createTenant(stores, { tenant: "acme" });
});

const ACME = { tenant: "acme", expected: null };
const put = (...documents: readonly unknown[]) =>
  putDocuments(
    ports,
    ACME,
    documents.map((document, at) => ({ source: `${at}.json`, document })),
  );

test("documents are kept together, told, and change the tenant", async () => {
  const own = await put(TYPE, SCHEMA);
  expect([own.revision, own.documents.map(({ name }) => name)]).toEqual([
    1,
    ["Device", DEVICE.toLowerCase()],
  ]);
  expect(await stores.tenants.find("acme")).toMatchObject({ documents: 1, revision: 2 });
  expect(stores.acts.slice(-2).map(({ kind, type, id }) => [kind, type, id])).toEqual([
    ["created", "ResourceType", "acme/Device"],
    ["created", "Schema", `acme/${DEVICE.toLowerCase()}`],
  ]);
  expect(ownRegistry(base, own.documents).resourceType("Device")?.endpoint).toBe("/Devices");
  expect(base.resourceType("Device")).toBeUndefined();
  // What the tenant has beside its documents leaves them alone.
  await changeTenant(stores, ACME, { displayName: "Acme" });
  expect((await readDocuments(ports, "acme")).revision).toBe(1);
});

test.each([
  ["a document that is none", [{ name: "Device" }], "0.json is neither a Schema"],
  ["a type whose schema is missing", [TYPE], DEVICE],
  ["two of one name", [SCHEMA, { ...SCHEMA, id: DEVICE.toUpperCase() }], "one name"],
  [
    "a breaking version of a built-in schema",
    [
      {
        id: "urn:ietf:params:scim:schemas:core:2.0:Group",
        name: "G",
        attributes: [{ name: "displayName", type: "integer" }],
      },
    ],
    "displayName",
  ],
  ["one that is too long", [{ ...SCHEMA, description: "x".repeat(262_144) }], "262144 characters"],
  [
    "more than all may have together",
    Array.from({ length: 5 }, (_, at) => ({ ...SCHEMA, id: `${DEVICE}${at}`, ...LONG })),
    "1048576 characters together",
  ],
  [
    "a type with too many attributes",
    [
      ...["urn:acme:1", "urn:acme:2"].map((id) => ({ id, attributes: MANY })),
      SCHEMA,
      { ...TYPE, schemaExtensions: [{ schema: "urn:acme:1" }, { schema: "urn:acme:2" }] },
    ],
    "at most 2000 attributes and sub-attributes",
  ],
  ["too many", Array.from({ length: 201 }, (_, at) => ({ ...SCHEMA, id: `${DEVICE}${at}` })), "at most 200"],
])("refused is %s", async (_name, documents, detail) => {
  const refusal = { code: "invalid", message: expect.stringContaining(detail) };
  await expect(put(...documents)).rejects.toMatchObject(refusal);
  expect((await readDocuments(ports, "acme")).documents).toEqual([]);
});

test("what stored resources need stays; where there are none, every change is possible", async () => {
  await put(TYPE, SCHEMA);
  used.add("Device");
  const other = { ...SCHEMA, attributes: [{ name: "serial", type: "integer" }] };
  await expect(put(other)).rejects.toMatchObject({
    code: "refused",
    message: expect.stringContaining("serial"),
  });
  await expect(removeDocument(ports, ACME, "Device")).rejects.toMatchObject({ code: "refused" });
  await expect(removeDocument(ports, ACME, DEVICE)).rejects.toMatchObject({ code: "invalid" });
  used.clear();
  await put(other);
  await removeDocument(ports, ACME, "Device");
  const left = await removeDocument(ports, { tenant: "acme", expected: 3 }, DEVICE.toUpperCase());
  expect(left).toMatchObject({ documents: [], revision: 4 });
  await expect(removeDocument(ports, { tenant: "acme", expected: 3 }, DEVICE)).rejects.toMatchObject({
    code: "changed",
    revision: 4,
  });
});

test("an extension that stored resources have keeps the spelling of its URN", async () => {
  const badge = { ...SCHEMA, id: "urn:acme:Badge" };
  await put(SCHEMA, badge, { ...TYPE, schemaExtensions: [{ schema: badge.id, required: false }] });
  used.add("Device");
  await expect(put({ ...badge, id: "urn:acme:badge" })).rejects.toMatchObject({
    code: "refused",
    message: expect.stringContaining("under the old spelling"),
  });
  await put({ ...badge, description: "d" });
});

test("documents of an earlier release that are more than may be together stay, and may become fewer", async () => {
  const documents = Array.from({ length: 6 }, (_, at) => {
    const id = `${DEVICE.toLowerCase()}${at}`;
    return {
      kind: "Schema",
      name: id,
      document: { ...LONG, id },
      changed: "2026-01-01T00:00:00.000Z",
    } as const;
  });
  const tenant = await findTenant(stores, "acme");
  await stores.documents.change({
    tenant: { ...tenant, documents: 1, revision: 9 },
    before: tenant.revision,
    put: documents,
    remove: [],
    broken: [],
    acts: [],
  });
  await expect(put(SCHEMA)).rejects.toMatchObject({ code: "invalid" });
  const [first, second] = documents;
  await removeDocument(ports, ACME, first?.name ?? "");
  const left = await put({ ...second?.document, name: undefined, attributes: LONG.attributes.slice(1) });
  expect(left.documents).toHaveLength(5);
});

test("documents that the service has outgrown are told of, and can be put right", async () => {
  const { documents } = await put(TYPE, SCHEMA);
  base.addSchema({ ...SCHEMA, attributes: [{ name: "serial", type: "integer" }] });
  expect(() => ownRegistry(base, documents)).toThrow("do not fit the service any more");
  await put({ ...SCHEMA, attributes: [{ name: "serial", type: "integer" }] });
  expect(
    ownRegistry(base, (await readDocuments(ports, "acme")).documents).resourceType("Device"),
  ).toBeDefined();
});

const COUNTED = { ...SCHEMA, attributes: [{ name: "serial", type: "integer" }] };

test.each([
  { by: "another type of an attribute", own: [COUNTED], next: [COUNTED, TYPE] },
  {
    by: "another resource type at its endpoint",
    own: [SCHEMA, { ...TYPE, name: "Machine" }],
    next: [{ ...TYPE, endpoint: "/Parts" }],
  },
])(
  "documents that the service has outgrown by $by are compared with stored resources",
  async ({ own, next }) => {
    await put(TYPE, SCHEMA);
    base.addDocuments(own.map((document) => ({ source: "own.json", document })));
    used.add("Device");
    await expect(put(...next)).rejects.toMatchObject({ code: "refused" });
    used.clear();
    await put(...next);
  },
);
