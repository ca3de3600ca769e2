/**
 * Many custom resource types, each with a schema and an extension of its own.
 * @module
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createDefaultRegistry,
  type AttributeDefinition,
  type ResourceTypeDefinition,
  type SchemaDefinition,
  type SchemaRegistry,
} from "@scim/schemas";

/** How many. */
export const MANY = 200;

const PLAIN = ["serial", "model", "site", "room", "shelf", "owner", "state", "note"];

const ATTRIBUTES: readonly AttributeDefinition[] = [
  { name: "name", type: "string", required: true, uniqueness: "server" },
  ...PLAIN.map((name) => ({ name, type: "string" as const })),
  { name: "bought", type: "dateTime" },
  { name: "price", type: "decimal" },
  {
    name: "ports",
    type: "complex",
    multiValued: true,
    subAttributes: [
      { name: "value", type: "string", required: true },
      { name: "type", type: "string", canonicalValues: ["in", "out"] },
      { name: "primary", type: "boolean" },
    ],
  },
  {
    name: "keeper",
    type: "complex",
    subAttributes: [
      { name: "value", type: "string" },
      { name: "$ref", type: "reference", referenceTypes: ["User"] },
      { name: "displayName", type: "string", mutability: "readOnly" },
    ],
  },
];

interface Documents {
  readonly schemas: readonly SchemaDefinition[];
  readonly type: ResourceTypeDefinition;
}

function documentsOf(number: number): Documents {
  const name = `Device${String(number)}`;
  const schema = `urn:example:params:scim:schemas:core:2.0:${name}`;
  const extension = `urn:example:params:scim:schemas:extension:acme:1.0:${name}`;
  return {
    schemas: [
      { id: schema, name, attributes: ATTRIBUTES },
      { id: extension, name: `${name} More`, attributes: [{ name: "color", type: "string" }] },
    ],
    type: {
      name,
      endpoint: `/${name}s`,
      schema,
      schemaExtensions: [{ schema: extension, required: false }],
      annotations: { serial: { indexed: true } },
    },
  };
}

const DOCUMENTS = Array.from({ length: MANY }, (_, number) => documentsOf(number));

/** A registry that holds them beside User and Group. */
export function registryOfMany(): SchemaRegistry {
  const registry = createDefaultRegistry();
  const documents = DOCUMENTS.flatMap(({ schemas, type }) => [...schemas, type]);
  registry.addDocuments(documents.map((document, index) => ({ document, source: String(index) })));
  return registry;
}

/** A new folder with a file for each document, as `SCIM_SCHEMAS` names one. */
export function folderOfMany(): string {
  const folder = mkdtempSync(join(tmpdir(), "scim-types-"));
  for (const { schemas, type } of DOCUMENTS) {
    for (const [index, document] of [...schemas, type].entries()) {
      writeFileSync(join(folder, `${type.name}-${String(index)}.json`), JSON.stringify(document));
    }
  }
  return folder;
}
