import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDefaultRegistry } from "@scim/schemas";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { CommandFailure } from "../../src/failure.ts";
import { loadSchemaFolder } from "../../src/schemas/schema-folder.ts";
import { loadRegistries } from "../../src/schemas/schema-registry.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { newFolder } from "../command-line/program.ts";

const DEVICE_URN = "urn:example:params:scim:schemas:acme:1.0:Device";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const SCHEMA = {
  id: DEVICE_URN,
  name: "Device",
  description: "What stands on desks.",
  attributes: [{ name: "serial", type: "string", required: true, description: "The number on the back." }],
};
const TYPE = { name: "Device", endpoint: "/Devices", schema: DEVICE_URN };

function folderOf(files: Readonly<Record<string, unknown>>): string {
  const folder = newFolder();
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

function failureOf(folder: string): string {
  try {
    loadSchemaFolder(folder, createDefaultRegistry());
  } catch (error) {
    if (error instanceof CommandFailure) return error.message;
    throw error;
  }
  throw new TypeError("The folder was taken.");
}

describe("a folder of documents", () => {
  test.each([
    ["files in any order", { "a-type.json": TYPE, "b-schema.json": SCHEMA }],
    ["an array", { "all.json": [TYPE, SCHEMA] }],
    ["a ListResponse", { "all.json": { totalResults: 2, Resources: [TYPE, SCHEMA] } }],
    [
      "documents as they are served",
      {
        "a.json": { schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"], ...SCHEMA },
        "b.json": { schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"], id: "Device", ...TYPE },
      },
    ],
  ])("%s", (_name, files) => {
    const registry = createDefaultRegistry();
    const folder = folderOf({ ...files, "notes.txt": "not read" });
    expect(loadSchemaFolder(folder, registry)).toEqual({
      schemas: [registry.schema(DEVICE_URN)],
      resourceTypes: [registry.resourceType("Device")],
      notices: [],
    });
    expect(registry.resourceType("Device")?.endpoint).toBe("/Devices");
  });

  test("an empty folder adds nothing", () => {
    expect(loadSchemaFolder(newFolder(), createDefaultRegistry())).toEqual({
      schemas: [],
      resourceTypes: [],
      notices: [],
    });
  });

  test("faults name the file and the path", () => {
    const broken = { ...SCHEMA, attributes: [{ name: "1st", type: "string" }] };
    const message = failureOf(folderOf({ "device.json": broken }));
    expect(message).toContain("device.json");
    expect(message).toContain("attributes[0].name");
    expect(failureOf(folderOf({ "type.json": { ...TYPE, schema: "urn:example:none" } }))).toContain(
      "type.json",
    );
  });

  test("none is loaded where one has a fault, and documents of one file are told apart", () => {
    const folder = folderOf({ "all.json": [SCHEMA, { ...TYPE, endpoint: "/Me" }] });
    const registry = createDefaultRegistry();
    expect(() => loadSchemaFolder(folder, registry)).toThrow(/all\.json\[1\]: endpoint: "\/Me"/);
    expect(registry.schema(DEVICE_URN)).toBeUndefined();
  });

  test("notices name the file and the path", () => {
    const odd = {
      ...SCHEMA,
      attributes: SCHEMA.attributes.map((each) => ({ ...each, uniqueness: "Manufacturer" })),
    };
    const { notices } = loadSchemaFolder(folderOf({ "odd.json": odd }), createDefaultRegistry());
    expect(notices).toEqual([
      {
        source: expect.stringContaining("odd.json"),
        path: "attributes[0].uniqueness",
        message: '"Manufacturer" is read as none: write none',
      },
    ]);
  });

  test("a start tells some notices, how many more there are, and what tells them all", () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({}, { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
    const unnamed = Array.from({ length: 30 }, (_, index) => ({
      id: `urn:example:plain:${index}`,
      attributes: SCHEMA.attributes,
    }));
    const folder = folderOf({ "all.json": unnamed });
    const { values } = resolveSettings({ flags: {}, environment: { SCIM_SCHEMAS: folder } });
    loadRegistries(values, log);
    const told = lines.filter(({ level }) => level === 40);
    expect(told).toHaveLength(51);
    expect(told[0]).toMatchObject({ source: `${join(folder, "all.json")}[0]`, path: "name" });
    expect(told.at(-1)).toMatchObject({
      folder,
      more: 10,
      msg: expect.stringContaining("scim schema validate") as string,
    });
  });

  test.each([
    ["FILTER_SENSITIVE_ATTRIBUTES", ["userNam"], "USERNAME,meta.created,emails.value,serial"],
    ["FILTER_SENSITIVE_ATTRIBUTES", [`${ENTERPRISE}:boss`], `${ENTERPRISE}:department,${DEVICE_URN}:serial`],
    // Without its URN it is found in no filter.
    ["FILTER_SENSITIVE_ATTRIBUTES", ["department", 'urn:a"b:c'], "id"],
    ["GUARD_DEACTIVATING", ["acitve", "userName", "emails"], "Active"],
  ])("a start tells which attributes SCIM_%s names in vain: %j, not %s", (variable, vain, found) => {
    const folder = folderOf({ "all.json": [SCHEMA, TYPE] });
    const environment = { SCIM_SCHEMAS: folder, [`SCIM_${variable}`]: `${vain.join(",")},${found}` };
    const { values } = resolveSettings({ flags: {}, environment });
    const told: unknown[] = [];
    const log = pino({ level: "warn" }, { write: (line) => told.push(JSON.parse(line)) });
    loadRegistries(values, log);
    expect(told).toMatchObject(vain.map((attribute) => ({ attribute })));
  });

  test.each([
    ["broken.json", "{", "cannot be read as JSON"],
    ["stray.json", { hello: 1 }, "neither a Schema nor a ResourceType"],
    ["null.json", null, "neither a Schema nor a ResourceType"],
    ["text.json", '"x"', "neither a Schema nor a ResourceType"],
  ])("%s is refused by name", (name, content, message) => {
    const failure = failureOf(folderOf({ [name]: content }));
    expect(failure).toContain(name);
    expect(failure).toContain(message);
  });

  test("a missing folder is refused", () => {
    const folder = newFolder();
    mkdirSync(join(folder, "there"));
    expect(failureOf(join(folder, "missing"))).toContain("missing cannot be read");
  });
});
