/**
 * Schema and ResourceType documents in a directory, as operators give them to the server.
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SchemaDefinition } from "@scim/schemas";
import { ENTERPRISE, USER } from "./client.ts";

/** A directory of documents. */
export interface Documents {
  readonly directory: string;
  readonly remove: () => Promise<void>;
}

/** Writes each document into a file of its own. */
export async function writeDocuments(documents: readonly object[]): Promise<Documents> {
  const directory = await mkdtemp(join(tmpdir(), "scim-documents-"));
  for (const [index, document] of documents.entries()) {
    await writeFile(join(directory, `${index}.json`), JSON.stringify(document));
  }
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

/** A Schema document (RFC 7643 §7). */
export function schemaDocument(definition: SchemaDefinition): object {
  return { schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"], ...definition };
}

/** The documents that bind extensions to User, beside the enterprise extension. */
export function userExtendedBy(extensions: readonly SchemaDefinition[]): readonly object[] {
  const bound = [ENTERPRISE, ...extensions.map(({ id }) => id)];
  return [
    ...extensions.map(schemaDocument),
    {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
      id: "User",
      name: "User",
      endpoint: "/Users",
      description: "User accounts.",
      schema: USER,
      schemaExtensions: bound.map((schema) => ({ schema, required: false })),
    },
  ];
}
