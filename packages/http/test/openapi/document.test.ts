import { validate } from "@readme/openapi-parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { createDefaultRegistry, createSchemaRegistry, ERROR_CODES, type SchemaRegistry } from "@scim/schemas";
import { BADGE, LABELS, probingRegistry } from "./registries.ts";
import { at, componentOf, documentOf, operationsOf } from "./support.ts";

const REGISTRIES: readonly (readonly [string, () => SchemaRegistry])[] = [
  ["the default registry", createDefaultRegistry],
  ["a registry that tries everything", probingRegistry],
  ["a registry without types", createSchemaRegistry],
];

/** Each switchable part once more, the other way round. */
const FEATURES = [
  {},
  { bulk: null, cursor: false, dryRun: false, me: null },
  { me: "User", canonicalValuesOnly: true, versionRequired: true, maxResults: null, pageSize: null },
] as const;

test("each tag is named once, where types are called as parts of the service are", () => {
  const registry = createDefaultRegistry();
  const names = ["Bulk", "Discovery", "Me"];
  for (const name of names) {
    const id = `urn:example:params:scim:schemas:acme:1.0:${name}`;
    registry.addSchema({ id, name, attributes: [{ name: "label", type: "string" }] });
    registry.addResourceType({ name, description: `Our ${name}.`, endpoint: `/${name}Things`, schema: id });
  }
  const tags = documentOf(registry).tags.filter(({ name }) => names.includes(name));
  expect(tags).toEqual(names.map((name) => ({ name, description: `Our ${name}.` })));
});

test.each([
  ["Assignment", "an Assignment"],
  ["Organization", "an Organization"],
  ["User", "a User"],
  ["Device", "a Device"],
])("an operation on a type named %s is one on %s", (name, spoken) => {
  const registry = createSchemaRegistry();
  const id = `urn:example:params:scim:schemas:acme:1.0:${name}`;
  registry.addSchema({ id, name, attributes: [{ name: "label", type: "string" }] });
  registry.addResourceType({ name, endpoint: `/${name}s`, schema: id });
  const summaries = operationsOf(documentOf(registry)).map(({ summary }) => summary);
  expect(summaries).toEqual(expect.arrayContaining([`Create ${spoken}`, `Delete ${spoken}`]));
});

describe.each(REGISTRIES)("the document of %s", (_name, registry) => {
  test.each(FEATURES)("is valid OpenAPI 3.1 with %j", async (features) => {
    const document = documentOf(registry(), features);
    // The validator resolves references in place.
    const result = await validate(structuredClone(document) as never);
    expect(result).toMatchObject({ valid: true, warnings: [] });
  });

  test("holds schemas that are valid JSON Schema 2020-12 and refer to each other alone", () => {
    const { components } = documentOf(registry());
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      validateFormats: false,
    });
    ajv.addKeyword("components");
    ajv.addSchema({ $id: "document", components: { schemas: components.schemas } });
    for (const name of Object.keys(components.schemas)) {
      expect(ajv.compile({ $ref: `document#/components/schemas/${name}` })).toBeTypeOf("function");
    }
  });

  test("names each operation once, and every tag that it uses", () => {
    const document = documentOf(registry());
    const operations = operationsOf(document);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = new Set(document.tags.map(({ name }) => name));
    expect(operations.flatMap((operation) => operation.tags).filter((tag) => !tags.has(tag))).toEqual([]);
  });

  test("says of each object which members it has, or that it may have any", () => {
    const unsaid: string[] = [];
    const look = (value: unknown, place: string): void => {
      if (typeof value !== "object" || value === null) return;
      const { type, properties, additionalProperties } = value as Record<string, unknown>;
      const isObject = [type].flat().includes("object");
      if (isObject && properties === undefined && additionalProperties !== true) unsaid.push(place);
      for (const [name, inner] of Object.entries(value)) look(inner, `${place}/${name}`);
    };
    const { components, paths } = documentOf(registry());
    look({ schemas: components.schemas, responses: components.responses, paths }, "");
    expect(unsaid).toEqual([]);
  });

  test("names client credentials beside other tokens, with the scopes that operations ask for", async () => {
    const tokenUrl = "https://id.example/oauth2/token";
    const document = documentOf(registry(), {}, { tokenUrl });
    const scheme = document.components.securitySchemes["clientCredentials"];
    expect(scheme).toMatchObject({ type: "oauth2", flows: { clientCredentials: { tokenUrl } } });
    const known = JSON.stringify(scheme?.["flows"]);
    for (const { security } of operationsOf(document)) {
      const [bearer, client] = security;
      expect(client).toEqual({ clientCredentials: bearer?.["bearer"] });
      for (const scope of bearer?.["bearer"] ?? []) expect(known).toContain(`"${scope}":`);
    }
    expect(await validate(structuredClone(document) as never)).toMatchObject({ valid: true, warnings: [] });
    expect(Object.keys(documentOf(registry()).components.securitySchemes)).toEqual(["bearer"]);
  });

  test("is the same each time", () => {
    expect(JSON.stringify(documentOf(registry()))).toBe(JSON.stringify(documentOf(registry())));
  });
});

describe("paths", () => {
  const methods = (path: string, registry = probingRegistry(), features = {}): readonly string[] =>
    Object.keys(documentOf(registry, features).paths[path] ?? {}).filter((name) => name !== "parameters");

  test("a type offers everything, unless its document narrows that", () => {
    expect(methods("/Probes")).toEqual(["get", "post"]);
    expect(methods("/Probes/{id}")).toEqual(["get", "put", "patch", "delete"]);
    expect(methods("/Probes/.search")).toEqual(["post"]);
    expect(methods("/.dry-run/Probes/{id}")).toEqual(["put", "patch", "delete"]);
    expect(methods("/Receipts")).toEqual(["post"]);
    expect(methods("/Receipts/{id}")).toEqual(["get"]);
    expect(methods("/Receipts/.search")).toEqual([]);
    expect(methods("/.dry-run/Receipts")).toEqual(["post"]);
    expect(methods("/.dry-run/Receipts/{id}")).toEqual([]);
  });

  test("a type whose attributes are all readOnly can be read alone", () => {
    const registry = createDefaultRegistry();
    registry.addSchema({
      id: "urn:example:Log",
      attributes: [{ name: "line", type: "string", mutability: "readOnly" }],
    });
    // `externalId` is a common attribute; it makes no type writable.
    registry.addResourceType({ name: "Log", endpoint: "/Logs", schema: "urn:example:Log" });
    expect([...methods("/Logs", registry), ...methods("/Logs/{id}", registry)]).toEqual(["get", "get"]);
  });

  test("what is switched off has no path", () => {
    const off = { bulk: null, dryRun: false, me: null };
    const { paths } = documentOf(createDefaultRegistry(), off);
    expect(Object.keys(paths).filter((path) => /Bulk|Me|dry-run/.test(path))).toEqual([]);
    expect(
      methods("/Bulk", createDefaultRegistry(), { bulk: { maxOperations: 1, maxPayloadSize: 1 } }),
    ).toEqual(["post"]);
  });

  test("/Me is what the caller is", () => {
    const { paths } = documentOf(createDefaultRegistry(), { me: "User" });
    expect(at(paths["/Me"]?.put?.requestBody, "content", "application/json", "schema")).toEqual({
      $ref: "#/components/schemas/User.Input",
    });
    expect(Object.keys(paths["/Me"]?.post?.responses ?? {})).toContain("501");
  });

  test("a change may be answered without the resource, where that cannot be read behind it", () => {
    const { paths } = documentOf(createDefaultRegistry());
    expect(at(paths["/Users"]?.post?.responses["201"], "description")).toContain("Without a body");
    for (const method of ["put", "patch"] as const)
      expect(Object.keys(paths["/Users/{id}"]?.[method]?.responses ?? {})).toContain("204");
    expect(Object.keys(paths["/.dry-run/Users/{id}"]?.put?.responses ?? {})).not.toContain("204");
  });

  test("cursors are parameters where the service has them", () => {
    const names = (cursor: boolean): readonly unknown[] =>
      (documentOf(createDefaultRegistry(), { cursor }).paths["/Users"]?.get?.parameters ?? []).map(
        ({ $ref }) => $ref,
      );
    expect(names(true)).toContain("#/components/parameters/cursor");
    expect(names(false)).not.toContain("#/components/parameters/cursor");
  });

  test("If-Match is required where a change must state its version", () => {
    const document = documentOf(createDefaultRegistry(), { versionRequired: true });
    expect(document.components.parameters["If-Match"]?.required).toBe(true);
    expect(Object.keys(document.paths["/Users/{id}"]?.put?.responses ?? {})).toContain("428");
  });
});

describe("schemas of attributes", () => {
  const document = documentOf(probingRegistry());
  const input = (...path: readonly string[]): unknown =>
    at(componentOf(document, "Probe.Input"), "properties", ...path);
  const answer = (...path: readonly string[]): unknown =>
    at(componentOf(document, "Probe"), "properties", ...path);

  test("readOnly attributes are got and never sent", () => {
    expect([input("id"), input("meta"), input("state")]).toEqual([undefined, undefined, undefined]);
    expect(answer("state")).toMatchObject({ readOnly: true });
    expect(answer("meta")).toEqual({ $ref: "#/components/schemas/Scim.Meta" });
    expect(input("places", "items", "properties", "since")).toBeUndefined();
    expect(answer("places", "items", "properties", "since")).toMatchObject({ readOnly: true });
  });

  test("writeOnly attributes are sent and never got", () => {
    expect(input("pin")).toEqual({ type: "string", maxLength: 65_536, writeOnly: true });
    expect(answer("pin")).toBeUndefined();
    expect(at(componentOf(document, "User"), "properties", "password")).toBeUndefined();
  });

  test.each([
    ["ratio", { type: "number", minimum: 0, maximum: 1, description: expect.stringContaining("4 digits") }],
    ["rank", { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 7 }],
    ["code", { type: "string", minLength: 2, maxLength: 5 }],
    ["label", { type: "string", minLength: 1 }],
    ["constructor", { type: "boolean" }],
    ["seen", { type: "string", format: "date-time" }],
    ["image", { type: "string", contentEncoding: "base64" }],
    ["page", { type: "string", format: "uri-reference" }],
    ["notes", { type: "array", items: { type: "string" } }],
  ])("%s is sent in its type and bounds", (name, schema) => {
    expect(input(name)).toMatchObject(schema);
  });

  test("the limits of the service bound what no annotation bounds tighter", () => {
    const limits = { stringLength: 4, integerMaximum: 9, decimalScale: 1, attributeValues: 3 };
    const limited = componentOf(documentOf(probingRegistry(), {}, { limits }), "Probe.Input");
    const bounded = (name: string): unknown => at(limited, "properties", name);
    expect([bounded("label"), bounded("code"), bounded("rank")]).toMatchObject([
      { minLength: 1, maxLength: 4 },
      { minLength: 2, maxLength: 4 },
      { minimum: 1, maximum: 9 },
    ]);
    expect(bounded("ratio")).toMatchObject({
      description: expect.stringContaining("1 digits after the point"),
    });
    expect(bounded("places")).toMatchObject({ maxItems: 3 });
    // Members are counted by no limit on values.
    expect(bounded("owners")).not.toHaveProperty("maxItems");
  });

  test("an answer states no bounds, since what is stored may be older than they are", () => {
    expect([answer("rank"), answer("constructor")]).toEqual([{ type: "integer" }, { type: "boolean" }]);
  });

  test("a member of a reference collection names a resource of one of its types", () => {
    expect(input("owners", "items")).toMatchObject({
      required: ["value"],
      properties: { value: { pattern: "^[A-Za-z0-9._~-]{1,128}$" }, type: { enum: ["User", "Group"] } },
    });
  });

  test("canonical values bind where the profile enforces them, else they are examples", () => {
    expect(input("kind")).toEqual({ type: "string", maxLength: 65_536, examples: ["a", "b"] });
    const strict = documentOf(probingRegistry(), { canonicalValuesOnly: true });
    expect(at(componentOf(strict, "Probe.Input"), "properties", "kind")).toEqual({
      type: "string",
      maxLength: 65_536,
      enum: ["a", "b"],
    });
    expect(at(componentOf(strict, "Probe"), "properties", "kind")).toEqual({
      type: "string",
      examples: ["a", "b"],
    });
  });

  test("extensions stand under their URN; required ones must be there", () => {
    expect(componentOf(document, "Probe.Input")["required"]).toEqual(["schemas", "label", LABELS]);
    expect(input(LABELS)).toEqual({
      type: "object",
      properties: { colour: { type: "string", minLength: 1, maxLength: 20 } },
      required: ["colour"],
    });
    expect(componentOf(document, "User.Input")["required"]).toEqual(["schemas", "userName"]);
    expect(at(componentOf(document, "User"), "properties", BADGE)).toEqual({
      type: "object",
      properties: { number: { type: "integer" } },
    });
  });

  test("descriptions are those of the schema", () => {
    expect(answer("label")).toMatchObject({
      description: "What it is called. Unique among the resources of its type.",
    });
  });
});

describe("errors", () => {
  test("each error that a SCIM address answers stands with some operation", () => {
    const document = documentOf(createDefaultRegistry(), { versionRequired: true });
    const described = JSON.stringify(document.components.responses);
    // 405 is the answer to what is not described; invalidVers belongs to addresses of other versions; conflicts
    // stand in the results of bulk jobs.
    const elsewhere = new Set(["methodNotAllowed", "invalidVers", "conflict"]);
    for (const code of Object.keys(ERROR_CODES)) {
      expect([code, described.includes(`\`${code}\``)]).toEqual([code, !elsewhere.has(code)]);
    }
  });

  test("a challenge goes with 401, the current version with 412, a time with 503", () => {
    const { responses } = documentOf().components;
    expect(Object.keys(responses["Unauthorized"]?.headers ?? {})).toEqual(["WWW-Authenticate"]);
    expect(Object.keys(responses["VersionMismatch"]?.headers ?? {})).toEqual(["ETag"]);
    expect(Object.keys(responses["Unavailable"]?.headers ?? {})).toEqual(["Retry-After"]);
  });
});
