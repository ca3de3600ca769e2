import { describe, expect, test } from "vitest";
import { compareResourceTypes, type ResourceTypeDefinition } from "@scim/schemas";

const BADGE = "urn:example:params:scim:schemas:extension:acme:1.0:Device";
const TYPE: ResourceTypeDefinition = { name: "Device", endpoint: "/Devices", schema: "urn:example:Device" };

type Change = Partial<ResourceTypeDefinition>;

const bound = (required: boolean): Change => ({ schemaExtensions: [{ schema: BADGE, required }] });
const annotated = (annotation: object): Change => ({ annotations: { serial: annotation } });

test.each<[what: string, before: Change, after: Change, path: string, words: string]>([
  ["another name", {}, { name: "Machine" }, "name", "is Machine, was Device"],
  [
    "rows of a collection in the place of resources of its own",
    {},
    { rowsOf: { type: "Group", path: "members", owner: "group", value: "member" } },
    "rowsOf",
    "resources are kept elsewhere",
  ],
  ["another endpoint", {}, { endpoint: "/Machines" }, "endpoint", "clients know the old address"],
  ["another schema", {}, { schema: "urn:example:Machine" }, "schema", "stored values may not fit"],
  ["an extension gone", bound(false), {}, `schemaExtensions[${BADGE.toLowerCase()}]`, "is gone"],
  [
    "an extension required",
    bound(false),
    bound(true),
    `schemaExtensions[${BADGE.toLowerCase()}]`,
    "is required",
  ],
  [
    "a new extension that is required",
    {},
    bound(true),
    `schemaExtensions[${BADGE.toLowerCase()}]`,
    "may lack it",
  ],
  ["fewer operations", {}, { operations: ["read", "query"] }, "operations", "no longer hold create, replace"],
  [
    "a shorter maxLength",
    annotated({ maxLength: 9 }),
    annotated({ maxLength: 8 }),
    at("maxLength"),
    "is 8, was 9",
  ],
  ["a first maxLength", {}, annotated({ maxLength: 8 }), at("maxLength"), "stored values may not fit"],
  ["a longer minLength", annotated({ minLength: 1 }), annotated({ minLength: 2 }), at("minLength"), "is 2"],
  ["a greater minimum", annotated({ minimum: -1 }), annotated({ minimum: 0 }), at("minimum"), "is 0, was -1"],
  ["a smaller scale", annotated({ scale: 2 }), annotated({ scale: 1 }), at("scale"), "is 1"],
  [
    "another default",
    annotated({ default: "x" }),
    annotated({ default: "y" }),
    at("default"),
    'is "y", was "x"',
  ],
  ["no default", annotated({ default: "x" }), {}, at("default"), "is not stated"],
])("breaking: %s", (_what, before, after, path, words) => {
  expect(compareResourceTypes({ ...TYPE, ...before }, { ...TYPE, ...after })).toContainEqual({
    path,
    kind: expect.any(String),
    breaking: true,
    message: expect.stringContaining(words),
  });
});

function at(annotation: string): string {
  return `annotations["serial"].${annotation}`;
}

test.each<[what: string, before: Change, after: Change]>([
  ["another description", {}, { description: "Machines." }],
  ["a new extension", {}, bound(false)],
  ["an extension no longer required", bound(true), bound(false)],
  ["more operations", { operations: ["read"] }, { operations: ["read", "create"] }],
  ["a longer maxLength", annotated({ maxLength: 8 }), annotated({ maxLength: 9 })],
  ["no bound any more", annotated({ maxLength: 8, minimum: 1 }), {}],
  ["a first default", {}, annotated({ default: "x" })],
  ["an index, which is built of old values too", {}, annotated({ indexed: true })],
  ["no index any more", annotated({ indexed: true }), annotated({ indexed: false })],
  ["another sensitivity", {}, annotated({ sensitivity: "secret" })],
])("compatible: %s", (_what, before, after) => {
  const differences = compareResourceTypes({ ...TYPE, ...before }, { ...TYPE, ...after });
  expect(differences.length).toBeGreaterThan(0);
  expect(differences.filter(({ breaking }) => breaking)).toEqual([]);
});

describe("compareResourceTypes finds nothing", () => {
  test("where all operations are spelled out, and letter case of URNs and paths differs", () => {
    const before = { ...TYPE, ...bound(true), ...annotated({ maxLength: 8 }) };
    const after: ResourceTypeDefinition = {
      ...TYPE,
      schema: TYPE.schema.toUpperCase(),
      schemaExtensions: [{ schema: BADGE.toUpperCase(), required: true }],
      operations: ["query", "delete", "patch", "replace", "read", "create"],
      annotations: { SERIAL: { maxLength: 8 } },
    };
    expect(compareResourceTypes(before, after)).toEqual([]);
  });
});

test("annotations of an extension that is new break nothing: it has no values", () => {
  const annotations = { [`${BADGE}:number`]: { maxLength: 8, minLength: 2 } };
  const before = { ...TYPE, annotations: {} };
  const differences = compareResourceTypes(before, { ...TYPE, ...bound(false), annotations });
  expect(differences.map(({ kind }) => kind)).toEqual(["schemaExtensions", "annotations", "annotations"]);
  expect(differences.filter(({ breaking }) => breaking)).toEqual([]);
  const known = compareResourceTypes(
    { ...before, ...bound(false) },
    { ...TYPE, ...bound(false), annotations },
  );
  expect(known.every(({ breaking }) => breaking)).toBe(true);
});
