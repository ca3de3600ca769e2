import { describe, expect, test } from "vitest";
import {
  createDefaultRegistry,
  createSchemaRegistry,
  ENTERPRISE_USER_URN,
  GROUP_SCHEMA,
  GROUP_URN,
  USER_URN,
  type DocumentIssue,
  type JsonObject,
  type SchemaDocumentError,
  type SchemaRegistry,
} from "@scim/schemas";
import { refusalOf } from "./refusal.ts";

const DEVICE_URN = "urn:example:params:scim:schemas:acme:1.0:Device";
const BADGE_URN = "urn:example:params:scim:schemas:extension:acme:1.0:Device";
const serial = { name: "serial", type: "string" };
const DEVICE_SCHEMA = { id: DEVICE_URN, attributes: [serial] };
const BADGE_SCHEMA = { id: BADGE_URN, attributes: [{ name: "colour", type: "string" }] };
const DEVICE_TYPE = {
  name: "Device",
  endpoint: "/Devices",
  schema: DEVICE_URN,
  schemaExtensions: [{ schema: BADGE_URN, required: false }],
};

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
    one.addSchema(DEVICE_SCHEMA);
    expect(other.schemas()).toEqual([]);
  });
});

describe("a schema under a registered URN", () => {
  function registered(): SchemaRegistry {
    const registry = createSchemaRegistry();
    registry.addSchema({ ...DEVICE_SCHEMA, description: "One." });
    return registry;
  }

  test("that says the same changes nothing", () => {
    const registry = registered();
    const [first] = registry.schemas();
    const { revision } = registry;
    expect(registry.addSchema({ ...DEVICE_SCHEMA, id: DEVICE_URN.toUpperCase(), description: "One." })).toBe(
      first,
    );
    expect(registry.schemas()).toEqual([first]);
    expect(registry.revision).toBe(revision);
  });

  test.each<[what: string, document: object]>([
    ["other words for people", { ...DEVICE_SCHEMA, description: "Other." }],
    ["a new optional attribute", { id: DEVICE_URN.toUpperCase(), attributes: [serial, { name: "model" }] }],
    [
      "more reference types",
      { id: DEVICE_URN, attributes: [{ ...serial, canonicalValues: [] }, { name: "b" }] },
    ],
  ])("that breaks nothing takes its place: %s", (_what, document) => {
    const registry = registered();
    const { revision } = registry;
    const added = registry.addSchema(document);
    expect(registry.schemas()).toEqual([added]);
    expect(registry.schema(DEVICE_URN)).toBe(added);
    expect(added.id).toBe(DEVICE_URN);
    expect(registry.revision).toBeGreaterThan(revision);
  });

  const [displayName, members] = GROUP_SCHEMA.attributes;
  test.each<[difference: string, attributes: readonly unknown[], issue: DocumentIssue]>([
    [
      "an attribute less",
      [members],
      {
        path: "displayName",
        message: "is removed: clients that read or write it fail, and its stored values are lost",
      },
    ],
    [
      "another characteristic",
      [{ ...displayName, uniqueness: "server" }, members],
      {
        path: "displayName",
        message: "has uniqueness server, was none: stored values were not kept unique in this way",
      },
    ],
    [
      "another characteristic of a sub-attribute, beside a change that breaks nothing",
      [
        { ...displayName, description: "Its name." },
        {
          ...members,
          subAttributes: [
            { ...members.subAttributes[0], uniqueness: "server" },
            ...members.subAttributes.slice(1),
          ],
        },
      ],
      {
        path: "members.value",
        message: "has uniqueness server, was none: stored values were not kept unique in this way",
      },
    ],
  ])(
    "that breaks something is refused with the attribute and the reason: %s",
    (_difference, attributes, issue) => {
      const registry = createDefaultRegistry();
      const { revision } = registry;
      const error = refusalOf(() => registry.addSchema({ id: GROUP_URN, attributes }));
      expect(error.code).toBe("schemaConflict");
      expect(error.issues).toEqual([issue]);
      expect(error.message).toContain("give it a URN of its own");
      expect(registry.schema(GROUP_URN)?.attributes).toHaveLength(2);
      expect(registry.revision).toBe(revision);
    },
  );

  test("R7643-3.1-01 gets no common attribute while a resource type is built on it", () => {
    const registry = registered();
    const changed = { id: DEVICE_URN, attributes: [serial, { name: "Meta" }] };
    registry.addResourceType({ name: "Device", endpoint: "/Devices", schema: DEVICE_URN });
    expect(refusalOf(() => registry.addSchema(changed)).issues).toEqual([
      {
        path: "attributes[1].name",
        message: '"Meta" is a common attribute (RFC 7643 §3.1), and Device is built on this schema',
      },
    ]);
  });
});

describe("documents added together", () => {
  function sourced(documents: Readonly<Record<string, unknown>>): { source: string; document: unknown }[] {
    return Object.entries(documents).map(([source, document]) => ({ source, document }));
  }

  function refused(
    registry: SchemaRegistry,
    documents: Readonly<Record<string, unknown>>,
  ): SchemaDocumentError {
    const before = [registry.revision, registry.schemas(), registry.resourceTypes()];
    const error = refusalOf(() => registry.addDocuments(sourced(documents)));
    expect([registry.revision, registry.schemas(), registry.resourceTypes()]).toEqual(before);
    return error;
  }

  test("come in any order", () => {
    const documents = sourced({ type: DEVICE_TYPE, badge: BADGE_SCHEMA, device: DEVICE_SCHEMA });
    for (const order of [documents, documents.toReversed()]) {
      const registry = createDefaultRegistry();
      const added = registry.addDocuments(order);
      expect(added.resourceTypes).toEqual([registry.resourceType("Device")]);
      expect(added.schemas.map(({ id }) => id).toSorted()).toEqual([DEVICE_URN, BADGE_URN].toSorted());
      expect(added.notices.filter(({ message }) => !message.includes("§7"))).toEqual([]);
    }
  });

  test("are told apart by schemas, or by the member that only one kind has", () => {
    const registry = createDefaultRegistry();
    const added = registry.addDocuments(
      sourced({
        type: { SCHEMAS: ["urn:ietf:params:scim:schemas:core:2.0:resourcetype"], ...DEVICE_TYPE },
        device: { Id: DEVICE_URN, Attributes: [serial] },
        badge: { schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"], ...BADGE_SCHEMA },
      }),
    );
    expect([added.schemas.length, added.resourceTypes.length]).toEqual([2, 1]);
  });

  test("none is added where one is refused, and each fault names document and path", () => {
    const error = refused(createDefaultRegistry(), {
      "device.json": { id: DEVICE_URN, attributes: [{ name: "1st" }, { name: "a.b" }] },
      "badge.json": BADGE_SCHEMA,
      "stray.json": { hello: 1 },
    });
    expect(error.code).toBe("invalidDocument");
    expect(error.issues.map(({ source, path }) => [source, path])).toEqual([
      ["stray.json", ""],
      ["device.json", "attributes[0].name"],
      ["device.json", "attributes[1].name"],
    ]);
    expect(error.message.split("\n")[0]).toBe("2 of 3 documents cannot be used; nothing was changed.");
    expect(error.message).toContain("  device.json: attributes[0].name: must be a letter");
  });

  test.each<[what: string, documents: Readonly<Record<string, unknown>>, source: string, path: string]>([
    ["a type without its schema", { "t.json": DEVICE_TYPE }, "t.json", "schema"],
    [
      "a type twice",
      { "s.json": DEVICE_SCHEMA, "b.json": BADGE_SCHEMA, "t.json": DEVICE_TYPE, "u.json": DEVICE_TYPE },
      "u.json",
      "name",
    ],
    [
      "a schema twice, each saying something else",
      { "s.json": DEVICE_SCHEMA, "t.json": { id: DEVICE_URN, attributes: [serial, { name: "b" }] } },
      "t.json",
      "id",
    ],
    [
      "two types with one endpoint",
      {
        "s.json": DEVICE_SCHEMA,
        "t.json": { name: "Device", endpoint: "/Things", schema: DEVICE_URN },
        "u.json": { name: "Thing", endpoint: "/things", schema: DEVICE_URN },
      },
      "u.json",
      "endpoint",
    ],
    ["a breaking change", { "g.json": { id: GROUP_URN, attributes: [serial] } }, "g.json", "displayName"],
  ])("%s is refused by document and path", (_what, documents, source, path) => {
    expect(refused(createDefaultRegistry(), documents).issues).toContainEqual({
      source,
      path,
      message: expect.any(String),
    });
  });

  test("types may exchange their endpoints", () => {
    const registry = createDefaultRegistry();
    registry.addDocuments(
      sourced({
        user: { name: "User", endpoint: "/Groups", schema: USER_URN },
        group: { name: "Group", endpoint: "/Users", schema: GROUP_URN },
      }),
      { allowBreaking: true },
    );
    expect(registry.resourceTypes().map(({ name, endpoint }) => [name, endpoint])).toEqual([
      ["User", "/Groups"],
      ["Group", "/Users"],
    ]);
  });

  test("the same schema may be there twice", () => {
    const added = createDefaultRegistry().addDocuments(sourced({ a: DEVICE_SCHEMA, b: DEVICE_SCHEMA }));
    expect(added.schemas).toHaveLength(1);
  });
});

describe("notices tell what a document would better say", () => {
  function noticesOf(...documents: readonly unknown[]): readonly (readonly [string, string])[] {
    const registry = createDefaultRegistry();
    const { notices } = registry.addDocuments(documents.map((document) => ({ source: "x.json", document })));
    expect(notices.every(({ source }) => source === "x.json")).toBe(true);
    return notices.map(({ path, message }) => [path, message]);
  }
  const described = { name: "Badge", description: "What opens doors." };
  const extension = (id: string, name = "colour"): unknown => ({
    ...described,
    id,
    attributes: [{ name, description: "As it is called." }],
  });
  const binding = (schema: string): unknown => ({
    name: "User",
    endpoint: "/Users",
    schema: USER_URN,
    schemaExtensions: [{ schema: ENTERPRISE_USER_URN }, { schema }],
  });

  test.each([
    "urn:example:params:scim:schemas:extension:acme:User",
    "urn:example:params:scim:schemas:extension:acme:1:User",
    "urn:example:params:scim:schemas:extension:acme:v1.0:User",
    "urn:example:params:scim:schemas:extension:acme:1.0.0.0:User",
    "URN:Example:params:scim:schemas:extension:acme:1.0:User:more",
  ])("R7643-10-01 %s lacks the form of the specification", (urn) => {
    expect(noticesOf(extension(urn))).toEqual([
      [
        "id",
        "should be urn:example:params:scim:schemas:extension:<company>:<version>:<Type> with a version such as 1.0 or 1.0.0",
      ],
    ]);
  });

  test.each([
    "urn:example:params:scim:schemas:extension:acme:1.0:User",
    "urn:example:params:scim:schemas:extension:acme-corp:10.2.33:User",
    "urn:ietf:params:scim:schemas:extension:ble:2.0:Device",
  ])("%s needs none, bound or not", (urn) => {
    expect(noticesOf(extension(urn), binding(urn))).toEqual([]);
  });

  test.each(["urn:okta:acme:1.0:user:custom", "https://id.example/schemas/User"])(
    "an extension may be named %s, with a notice that says what to write",
    (urn) => {
      expect(noticesOf(extension(urn))).toEqual([]);
      expect(noticesOf(extension(urn), binding(urn))).toEqual([
        [
          "schemaExtensions[1].schema",
          expect.stringContaining("urn:example:params:scim:schemas:extension:acme:1.0:User"),
        ],
      ]);
    },
  );

  test("a document in the place of a type leaves out an extension that this has", () => {
    const urn = "urn:example:params:scim:schemas:extension:acme:1.0:User";
    const registry = createDefaultRegistry();
    const user = { name: "User", endpoint: "/Users", schema: USER_URN, schemaExtensions: [{ schema: urn }] };
    const documents = [extension(urn), user].map((document) => ({ source: "x.json", document }));
    expect(registry.addDocuments(documents, { allowBreaking: true }).notices).toEqual([
      {
        source: "x.json",
        path: "schemaExtensions",
        message: `does not name ${ENTERPRISE_USER_URN}, which User has: name it too, unless clients are to lose it`,
      },
    ]);
    expect(noticesOf(extension(urn), binding(urn))).toEqual([]);
  });

  test("R7643-3.3-02 an extension that defines again what the resource has", () => {
    const urn = "urn:example:params:scim:schemas:extension:acme:1.0:User";
    for (const name of ["USERNAME", "externalId"]) {
      expect(noticesOf(extension(urn, name), binding(urn))).toEqual([
        ["schemaExtensions[1].schema", `defines ${name}, which User has: name it otherwise (RFC 7643 §3.3)`],
      ]);
    }
  });

  test("an extension that would hold what refers to the resource", () => {
    const urn = "urn:example:params:scim:schemas:extension:acme:1.0:User";
    const part = { mutability: "readOnly", description: "d" };
    const subAttributes = [
      { ...part, name: "value", type: "string" },
      { ...part, name: "$ref", type: "reference", referenceTypes: ["Project"] },
    ];
    const projects = { ...part, name: "projects", type: "complex", multiValued: true, subAttributes };
    expect(noticesOf({ ...described, id: urn, attributes: [projects] }, binding(urn))).toEqual([
      ["schemaExtensions[1].schema", expect.stringMatching(/^defines projects, which stays empty: /)],
    ]);
  });

  test.each(["urn:example:(x):User", "urn::example"])("%s stands in front of no attribute", (urn) => {
    expect(noticesOf(extension(urn))).toEqual([["id", expect.stringContaining("no filter and no path")]]);
  });

  test("published documents are read as what they mean", () => {
    const registry = createDefaultRegistry();
    const { schemas, notices } = registry.addDocuments([
      {
        source: "ble.json",
        document: {
          ...described,
          id: "urn:ietf:params:scim:schemas:extension:ble:2.0:Device",
          attributes: [
            { name: "mac", type: "string", pattern: "^..$", multivalues: true, uniqueness: "Manufacturer" },
            { name: "mobility", type: "bool", uniqueness: "none" },
            { name: "endpoint", type: "reference", uniqueness: "Enterprise" },
            {
              name: "applications",
              type: "complex",
              subAttributes: [{ name: "$ref", type: "reference", referenceTypes: "EndpointApps" }],
            },
          ],
        },
      },
    ]);
    expect(schemas[0]?.attributes).toEqual([
      { name: "mac", type: "string", multiValued: true, uniqueness: "none" },
      { name: "mobility", type: "boolean", multiValued: false, uniqueness: "none" },
      { name: "endpoint", type: "reference", multiValued: false, uniqueness: "none" },
      {
        name: "applications",
        type: "complex",
        multiValued: false,
        subAttributes: [
          { name: "$ref", type: "reference", multiValued: false, referenceTypes: ["EndpointApps"] },
        ],
      },
    ]);
    expect(notices.map(({ path, message }) => `${path} ${message}`)).toEqual([
      "attributes[0].pattern is no characteristic of SCIM and not enforced: leave it out, or annotate a length",
      "attributes[0].multivalues is read as multiValued: spell it so",
      'attributes[0].uniqueness "Manufacturer" is read as none: write none',
      'attributes[1].type "bool" is read as boolean: write boolean',
      'attributes[2].uniqueness "Enterprise" is read as none: write none',
      "attributes[3].subAttributes[0].referenceTypes is read as a list of one value: make it a list",
      "attributes have no description: mac, mobility, endpoint, applications, applications.$ref. Give each one: some clients refuse to read a schema without (RFC 7643 §7)",
      'attributes have no referenceTypes: endpoint. Name resource types, "external" or "uri" (RFC 7643 §7)',
    ]);
  });

  test("R7643-2.4-02 sub-attributes that the RFC gives a meaning are spelled as it spells them", () => {
    const registry = createDefaultRegistry();
    const text = (name: string): JsonObject => ({ name, type: "string", description: "x" });
    const reference = { ...text("$ref"), type: "reference", referenceTypes: ["User"] };
    const complex = (name: string, subAttributes: JsonObject[], multiValued = false): JsonObject => ({
      ...text(name),
      type: "complex",
      multiValued,
      subAttributes,
    });
    const id = "urn:example:params:scim:schemas:extension:acme:1.0:User";
    const usual = ["Value", "TYPE", "display", "Primary", "Kind"].map(text);
    const attributes = [
      complex("Mails", usual, true),
      complex("Boss", [text("VALUE"), reference]),
      complex("Card", [text("Value")]),
    ];
    const document = { ...described, id, attributes };
    const { schemas, notices } = registry.addDocuments([{ source: "acme.json", document }]);
    expect(
      schemas[0]?.attributes.map(
        (each) => each.type === "complex" && each.subAttributes.map(({ name }) => name),
      ),
    ).toEqual([["value", "type", "display", "primary", "Kind"], ["value", "$ref"], ["Value"]]);
    expect(notices.map(({ path, message }) => `${path} ${message}`)).toEqual([
      "attributes[0].subAttributes[0].name is read as value: spell it so",
      "attributes[0].subAttributes[1].name is read as type: spell it so",
      "attributes[0].subAttributes[3].name is read as primary: spell it so",
      "attributes[1].subAttributes[0].name is read as value: spell it so",
    ]);
  });

  test("R7643-7-08 what a schema ought to say of itself and of each attribute", () => {
    const attributes = Array.from({ length: 12 }, (_, n) => ({ name: `a${n}`, description: " " }));
    const id = "urn:example:params:scim:schemas:extension:acme:1.0:User";
    expect(noticesOf({ id, attributes })).toEqual([
      ["name", 'is missing: give one for people, such as "Department" (RFC 7643 §7)'],
      ["description", "is missing: say what the schema describes (RFC 7643 §7)"],
      ["attributes", expect.stringMatching(/^have no description: a0, a1, .*a7 and 4 more\. Give/)],
    ]);
    const photo = { name: "photo", type: "reference", referenceTypes: ["external"], description: "A photo." };
    expect(noticesOf({ ...described, id, attributes: [photo] })).toEqual([]);
  });

  test("a uniqueness that no store keeps", () => {
    const unique = { description: "d", uniqueness: "server" };
    const value = { ...unique, name: "value", type: "string" };
    const $ref = { name: "$ref", type: "reference", referenceTypes: ["User"], description: "d" };
    const complex = { type: "complex", description: "d", subAttributes: [value, $ref] };
    const attributes = [
      { ...unique, name: "pin", type: "string", mutability: "writeOnly" },
      { ...unique, name: "code", type: "string" },
      { ...complex, name: "owners", multiValued: true },
      { ...complex, name: "boss" },
    ];
    expect(noticesOf({ id: "urn:example:unkept", name: "Unkept", description: "d", attributes })).toEqual([
      ["attributes", expect.stringMatching(/^have a uniqueness that is not kept: pin, owners\.value\./)],
    ]);
  });

  test.each<[what: string, document: object, path: string]>([
    ["a misspelt member on top", { pattern: "x", attributes: [serial] }, ""],
    [
      "both spellings at once",
      { attributes: [{ name: "a", multivalues: true, multiValued: true }] },
      "attributes[0]",
    ],
    ["another unknown type", { attributes: [{ name: "a", type: "int" }] }, "attributes[0].type"],
    [
      "a list of another member as a text",
      { attributes: [{ name: "a", canonicalValues: "x" }] },
      "attributes[0].canonicalValues",
    ],
  ])("and still refused for %s", (_what, document, path) => {
    const error = refusalOf(() => createSchemaRegistry().addSchema({ id: DEVICE_URN, ...document }));
    expect(error.issues.map((issue) => issue.path)).toContain(path);
  });
});
