import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createDefaultRegistry,
  ENTERPRISE_USER_URN,
  GROUP_URN,
  RESOURCE_TYPE_URN,
  SchemaDocumentError,
  toResourceTypeResource,
  USER_URN,
  type AttributeAnnotation,
  type DocumentIssue,
  type SchemaRegistry,
} from "@scim/schemas";
import { refusalOf } from "./refusal.ts";

const DEVICE_URN = "urn:example:params:scim:schemas:acme:1.0:Device";
const BADGE_URN = "urn:example:params:scim:schemas:extension:acme:1.0:User";

/** A registry with a schema that has an attribute of every type, and an extension. */
function registry(): SchemaRegistry {
  const made = createDefaultRegistry();
  made.addSchema({
    id: DEVICE_URN,
    attributes: [
      { name: "serial", type: "string", required: true },
      { name: "weight", type: "decimal" },
      { name: "ports", type: "integer" },
      { name: "rented", type: "boolean" },
      { name: "seen", type: "dateTime" },
      { name: "key", type: "binary" },
      { name: "manual", type: "reference", referenceTypes: ["external"] },
      { name: "size", type: "string", canonicalValues: ["s", "m"] },
      { name: "pin", type: "string", mutability: "writeOnly" },
      { name: "tags", type: "string", multiValued: true },
      { name: "constructor", type: "string" },
      {
        name: "owners",
        type: "complex",
        multiValued: true,
        subAttributes: [{ name: "value", type: "string" }],
      },
    ],
  });
  made.addSchema({ id: BADGE_URN, attributes: [{ name: "colour", type: "string" }] });
  return made;
}

const DEVICE = { name: "Device", endpoint: "/Devices", schema: DEVICE_URN };

function issuesOf(change: Record<string, unknown>): readonly DocumentIssue[] {
  return refusalOf(() => registry().addResourceType({ ...DEVICE, ...change })).issues;
}

function annotationIssues(annotations: unknown): readonly DocumentIssue[] {
  return issuesOf({ annotations });
}

describe("a resource type document is refused", () => {
  test.each<[rule: string, change: Record<string, unknown>, path: string, words: string]>([
    ["R7643-6-01 without name", { name: undefined }, "name", "is missing"],
    ["R7643-6-01 without endpoint", { endpoint: null }, "endpoint", "is missing"],
    ["R7643-6-01 without schema", { schema: "urn:x:y" }, "schema", "is not registered"],
    [
      "with a name that cannot stand in an address",
      { name: "My Device" },
      "name",
      "must be a letter followed by",
    ],
    [
      "R7643-6-01 with a name like another but for case",
      { name: "user" },
      "name",
      "differs from the resource type User in letter case only",
    ],
    ["with an id that is not the name", { id: "4711" }, "id", "must be the name of the resource type"],
    [
      "R7643-6-03 with an endpoint without slash",
      { endpoint: "Devices" },
      "endpoint",
      "must be one path segment",
    ],
    ["with an endpoint of two segments", { endpoint: "/v2/Devices" }, "endpoint", "must be one path segment"],
    [
      "with an endpoint that begins with a dot",
      { endpoint: "/.search" },
      "endpoint",
      "must be one path segment",
    ],
    [
      "with a whole address as endpoint",
      { endpoint: "https://id.example/Devices" },
      "endpoint",
      "must be one path segment",
    ],
    [
      "with an endpoint of the protocol",
      { endpoint: "/schemas" },
      "endpoint",
      "is an address of the protocol itself",
    ],
    [
      "R7643-6-01 with the endpoint of another type",
      { endpoint: "/users" },
      "endpoint",
      "is the endpoint of the resource type User",
    ],
    [
      "with an extension that is not registered",
      { schemaExtensions: [{ schema: "urn:x:y", required: false }] },
      "schemaExtensions[0].schema",
      "is not registered",
    ],
    [
      "with an extension bound twice",
      { schemaExtensions: [{ schema: BADGE_URN }, { schema: BADGE_URN.toUpperCase(), required: true }] },
      "schemaExtensions[1].schema",
      "a second time",
    ],
    [
      "with its base schema as extension",
      { schemaExtensions: [{ schema: DEVICE_URN }] },
      "schemaExtensions[0].schema",
      "a second time",
    ],
    [
      "with an extension that names no schema",
      { schemaExtensions: [{ required: true }] },
      "schemaExtensions[0].schema",
      "is missing",
    ],
    [
      "with an unknown operation",
      { operations: ["read", "list"] },
      "operations[1]",
      "must be one of create, read",
    ],
    ["with an operation twice", { operations: ["read", "read"] }, "operations[1]", "is there twice"],
    [
      "whose schemas lack that of resource types",
      { schemas: [USER_URN] },
      "schemas",
      `must hold ${RESOURCE_TYPE_URN}`,
    ],
    ["with a misspelt member", { extensions: [] }, "", '"extensions" that is not known'],
    ["with annotations that are a list", { annotations: [] }, "annotations", "must be a JSON object"],
  ])("%s", (_rule, change, path, words) => {
    expect(issuesOf(change)).toContainEqual({ path, message: expect.stringContaining(words) });
  });

  test("R7643-3.1-01 when its schema lists a common attribute", () => {
    const made = createDefaultRegistry();
    made.addSchema({ id: DEVICE_URN, attributes: [{ name: "Meta" }] });
    expect(refusalOf(() => made.addResourceType(DEVICE)).issues).toEqual([
      { path: "schema", message: "names a schema with Meta, a common attribute (RFC 7643 §3.1)" },
    ]);
  });

  test("with a message that reads as it stands", () => {
    const error = refusalOf(() => registry().addResourceType({ ...DEVICE, endpoint: "/Users" }));
    expect(error.code).toBe("invalidResourceType");
    expect(error.message).toBe(
      'The resource type "Device" cannot be used.\n  endpoint: "/Users" is the endpoint of the resource type User',
    );
  });

  test("and then leaves the registry as it was", () => {
    const made = registry();
    refusalOf(() => made.addResourceType({ ...DEVICE, endpoint: "/Users" }));
    expect(made.resourceType("Device")).toBeUndefined();
    expect(made.resourceTypes().map((type) => type.name)).toEqual(["User", "Group"]);
  });

  test("any JSON value is read or refused, and nothing else happens", () => {
    const made = registry();
    const documents = fc.oneof(
      fc.jsonValue(),
      fc.jsonValue().map((annotations) => ({ ...DEVICE, annotations })),
      fc.jsonValue().map((annotation) => ({ ...DEVICE, annotations: { serial: annotation } })),
    );
    fc.assert(
      fc.property(documents, (document) => {
        try {
          expect(made.addResourceType(document).name).toBe("Device");
        } catch (error) {
          expect(error).toBeInstanceOf(SchemaDocumentError);
        }
      }),
    );
  });
});

describe("annotations are refused", () => {
  test.each<[rule: string, annotations: unknown, path: string, words: string]>([
    ["of no attribute", { sizes: {} }, 'annotations["sizes"]', "names no attribute"],
    ["of no sub-attribute", { "owners.id": {} }, 'annotations["owners.id"]', "names no attribute"],
    [
      "of an extension that is not bound",
      { [`${BADGE_URN}:colour`]: {} },
      `annotations["${BADGE_URN}:colour"]`,
      "names no attribute",
    ],
    [
      "of one attribute twice",
      { serial: {}, SERIAL: {} },
      'annotations["SERIAL"]',
      "names serial a second time",
    ],
    ["that are no object", { serial: true }, 'annotations["serial"]', "must be a JSON object"],
    [
      "of an unknown kind",
      { serial: { length: 3 } },
      'annotations["serial"]',
      'has a member "length"; known are minLength',
    ],
    [
      "named __proto__",
      JSON.parse('{"serial": {"__proto__": 1}}'),
      'annotations["serial"]',
      'has a member "__proto__"',
    ],
    [
      "with a negative length",
      { serial: { minLength: -1 } },
      'annotations["serial"].minLength',
      "a whole number of at least 0",
    ],
    [
      "with half a length",
      { serial: { maxLength: 1.5 } },
      'annotations["serial"].maxLength',
      "a whole number of at least 0",
    ],
    [
      "with a length of a number",
      { ports: { maxLength: 1 } },
      'annotations["ports"].maxLength',
      "says nothing about",
    ],
    [
      "with a bound of a text",
      { serial: { minimum: 1 } },
      'annotations["serial"].minimum',
      "says nothing about",
    ],
    [
      "with a bound that is a text",
      { ports: { maximum: "9" } },
      'annotations["ports"].maximum',
      "must be a number",
    ],
    [
      "with a precision of 0",
      { weight: { precision: 0 } },
      'annotations["weight"].precision',
      "a whole number of at least 1",
    ],
    [
      "with a scale of an integer",
      { ports: { scale: 1 } },
      'annotations["ports"].scale',
      "says nothing about",
    ],
    [
      "with bounds the wrong way round",
      { ports: { minimum: 2, maximum: 1 } },
      'annotations["ports"].minimum',
      "must not be greater than maximum",
    ],
    [
      "with lengths the wrong way round",
      { serial: { minLength: 2, maxLength: 1 } },
      'annotations["serial"].minLength',
      "must not be greater",
    ],
    [
      "with a scale above the precision",
      { weight: { precision: 1, scale: 2 } },
      'annotations["weight"].scale',
      "must not be greater",
    ],
    [
      "with a default of another type",
      { ports: { default: "1" } },
      'annotations["ports"].default',
      "one value of the attribute's type",
    ],
    [
      "with half a default for an integer",
      { ports: { default: 1.5 } },
      'annotations["ports"].default',
      "one value of the attribute's type",
    ],
    [
      "with a default for a list",
      { tags: { default: "x" } },
      'annotations["tags"].default',
      "one value of the attribute's type",
    ],
    [
      "with a default for a complex attribute",
      { owners: { default: "x" } },
      'annotations["owners"].default',
      "says nothing about",
    ],
    [
      "with a default past its own bounds",
      { ports: { default: 3, maximum: 2 } },
      'annotations["ports"].default',
      "between minimum and maximum",
    ],
    [
      "with a default of the wrong length",
      { serial: { default: "😀😀", minLength: 3 } },
      'annotations["serial"].default',
      "as long as minLength",
    ],
    [
      "with an empty default that is required",
      { serial: { default: "" } },
      'annotations["serial"].default',
      "empty",
    ],
    [
      "with a default that is no date",
      { seen: { default: "today" } },
      'annotations["seen"].default',
      "date and time",
    ],
    [
      "with a default that does not exist as a date",
      { seen: { default: "2026-13-01T00:00:00Z" } },
      'annotations["seen"].default',
      "date and time",
    ],
    [
      "with a default of a day that its month does not have",
      { seen: { default: "2026-02-30T08:00:00Z" } },
      'annotations["seen"].default',
      "must be a date and time",
    ],
    [
      "with a default of an offset that nobody lives by",
      { seen: { default: "2026-01-31T08:00:00+15:00" } },
      'annotations["seen"].default',
      "must be a date and time",
    ],
    [
      "with a default beyond the years of dates",
      { seen: { default: "0000-01-01T00:00:00+01:00" } },
      'annotations["seen"].default',
      "must be a date and time",
    ],
    [
      "with a default of more digits than its precision",
      { weight: { default: 123.5, precision: 3 } },
      'annotations["weight"].default',
      "no more digits than precision and scale allow",
    ],
    [
      "with a default of more digits behind the point than its scale",
      { weight: { default: 0.125, scale: 2 } },
      'annotations["weight"].default',
      "no more digits than precision and scale allow",
    ],
    [
      "with a default that no address can hold",
      { manual: { default: "https://acme.example/\nmanual" } },
      'annotations["manual"].default',
      "must not hold control characters",
    ],
    ...["id", "schemas", "meta.created", "META.resourceType"].map(
      (path): [string, unknown, string, string] => [
        `with a default of ${path}`,
        { [path]: { default: "2026-01-31T08:00:00Z" } },
        `annotations["${path}"].default`,
        path === "schemas" ? "one value of the attribute's type" : "the service sets it",
      ],
    ),
    [
      "with a default that is no Base64",
      { key: { default: "a-_b" } },
      'annotations["key"].default',
      "Base64",
    ],
    [
      "with a default beside the canonical values",
      { size: { default: "x" } },
      'annotations["size"].default',
      "one of s, m",
    ],
    [
      "with a default of a secret",
      { pin: { default: "1" } },
      'annotations["pin"].default',
      "a writeOnly value has none",
    ],
    [
      "with an index on a complex attribute",
      { owners: { indexed: true } },
      'annotations["owners"].indexed',
      "says nothing about",
    ],
    [
      "with a text as flag",
      { serial: { indexed: "yes" } },
      'annotations["serial"].indexed',
      "must be true or false",
    ],
    [
      "with an unknown sensitivity",
      { serial: { sensitivity: "high" } },
      'annotations["serial"].sensitivity',
      "one of none, personal, secret",
    ],
  ])("%s", (_rule, annotations, path, words) => {
    expect(annotationIssues(annotations)).toContainEqual({ path, message: expect.stringContaining(words) });
  });
});

describe("a resource type document is read", () => {
  test.each<[path: string, annotation: AttributeAnnotation]>([
    ["seen", { default: "2028-02-29T23:59:59.5-14:00" }],
    ["seen", { default: "2026-01-31T24:00:00Z" }],
    ["seen", { default: "2026-01-31T08:00:00" }],
    ["weight", { default: 12.25, precision: 4, scale: 2 }],
    ["weight", { default: 1e-7, precision: 1 }],
    ["manual", { default: "https://acme.example/manual" }],
    ["externalId", { default: "none" }],
  ])("with a default of %s: %j", (path, annotation) => {
    const document = { ...DEVICE, annotations: { [path]: annotation } };
    expect(registry().addResourceType(document).annotations).toEqual({ [path]: annotation });
  });

  test("with all that it may say", () => {
    const document = {
      ...DEVICE,
      description: "Machines.",
      schemaExtensions: [{ schema: BADGE_URN, required: true }, { schema: ENTERPRISE_USER_URN }],
      operations: ["read", "create"],
      annotations: {
        SERIAL: { minLength: 1, maxLength: 64, indexed: true, sensitivity: "none" },
        [`${DEVICE_URN}:weight`]: { precision: 6, scale: 2, minimum: 0, maximum: 9999.5 },
        "owners.VALUE": { indexed: true },
        rented: { default: false },
        size: { default: "M" },
        seen: { default: null },
        externalId: { indexed: true },
        [`${BADGE_URN.toUpperCase()}:Colour`]: { default: "blue" },
        [`${ENTERPRISE_USER_URN}:manager.value`]: { indexed: true },
      },
    };
    expect(registry().addResourceType(document)).toEqual({
      ...document,
      schemaExtensions: [
        { schema: BADGE_URN, required: true },
        { schema: ENTERPRISE_USER_URN, required: false },
      ],
      annotations: {
        serial: { minLength: 1, maxLength: 64, indexed: true, sensitivity: "none" },
        weight: { precision: 6, scale: 2, minimum: 0, maximum: 9999.5 },
        "owners.value": { indexed: true },
        rented: { default: false },
        size: { default: "M" },
        seen: {},
        externalId: { indexed: true },
        [`${BADGE_URN}:colour`]: { default: "blue" },
        [`${ENTERPRISE_USER_URN}:manager.value`]: { indexed: true },
      },
    });
  });

  test("with annotations that have no members but their own", () => {
    const type = registry().addResourceType({ ...DEVICE, annotations: { serial: {} } });
    expect(type.annotations?.["constructor"]).toBeUndefined();
    const named = registry().addResourceType({ ...DEVICE, annotations: { constructor: { maxLength: 3 } } });
    expect(named.annotations?.["constructor"]).toEqual({ maxLength: 3 });
  });

  test("in the form in which it is served, meta included", () => {
    const made = createDefaultRegistry();
    for (const type of made.resourceTypes()) {
      const served = toResourceTypeResource(type);
      const read = made.addResourceType({
        ...served,
        meta: { resourceType: "ResourceType", location: "/x" },
      });
      expect(toResourceTypeResource(read)).toEqual(served);
    }
  });

  test("and takes the place of the type of the same name", () => {
    const made = registry();
    const schemaExtensions = [
      { schema: ENTERPRISE_USER_URN, required: false },
      { schema: BADGE_URN, required: true },
    ];
    const document = { name: "User", endpoint: "/Users", schema: USER_URN, schemaExtensions };
    made.addResourceType(document, { allowBreaking: true });
    expect(made.resourceType("User")?.schemaExtensions).toEqual(schemaExtensions);
    expect(made.resourceTypes().map((type) => type.name)).toEqual(["User", "Group"]);
  });

  test("and may move to another endpoint, which frees the old one", () => {
    const made = registry();
    const document = { name: "User", endpoint: "/People", schema: USER_URN };
    made.addResourceType(document, { allowBreaking: true });
    expect(made.addResourceType({ ...DEVICE, endpoint: "/Users" }).endpoint).toBe("/Users");
  });
});

describe("the built-in resource types", () => {
  test("are User with the Enterprise User extension, and Group", () => {
    expect(createDefaultRegistry().resourceTypes().map(toResourceTypeResource)).toEqual([
      {
        schemas: [RESOURCE_TYPE_URN],
        id: "User",
        name: "User",
        description: "People's accounts.",
        endpoint: "/Users",
        schema: USER_URN,
        schemaExtensions: [{ schema: ENTERPRISE_USER_URN, required: false }],
      },
      {
        schemas: [RESOURCE_TYPE_URN],
        id: "Group",
        name: "Group",
        description: "Groups of users and of other groups.",
        endpoint: "/Groups",
        schema: GROUP_URN,
      },
    ]);
  });

  test("keep an index of what clients look resources up by", () => {
    const made = createDefaultRegistry();
    const indexed = (name: string): readonly string[] =>
      Object.entries(made.resourceType(name)?.annotations ?? {}).flatMap(([path, annotation]) =>
        annotation.indexed === true ? [path] : [],
      );
    expect(indexed("User")).toEqual(["displayName", "emails.value", "externalId"]);
    expect(indexed("Group")).toEqual(["displayName", "externalId"]);
  });
});

describe("a served resource type", () => {
  test("shows operations where they are narrowed, and only there", () => {
    const all = ["query", "delete", "patch", "replace", "read", "create"];
    const made = registry();
    expect(toResourceTypeResource(made.addResourceType({ ...DEVICE, operations: all }))).not.toHaveProperty(
      "operations",
    );
    const narrowed = { ...DEVICE, name: "Sensor", endpoint: "/Sensors", operations: ["read"] };
    expect(toResourceTypeResource(made.addResourceType(narrowed))).toHaveProperty("operations", ["read"]);
  });

  test("never shows annotations", () => {
    const type = registry().addResourceType({ ...DEVICE, annotations: { serial: { indexed: true } } });
    expect(toResourceTypeResource(type)).not.toHaveProperty("annotations");
  });
});
