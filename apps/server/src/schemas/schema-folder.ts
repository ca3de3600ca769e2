/**
 * Loads the Schema and ResourceType documents of a folder, all or none.
 * @module
 */
import {
  SchemaDocumentError,
  type AddedDocuments,
  type SchemaRegistry,
  type SourcedDocument,
} from "@scim/schemas";
import { CommandFailure, EXIT } from "../failure.ts";
import { documentsOf, jsonFilesOf } from "./schema-documents.ts";

/**
 * Adds the documents of a folder to a registry that serves nobody yet, in whatever order the files are. A document
 * may take the place of a built-in type, whatever it changes.
 * @throws CommandFailure naming the file, and the path of each fault in it
 */
export function loadSchemaFolder(folder: string, registry: SchemaRegistry): AddedDocuments {
  return addDocuments(folder, documentsIn(folder), registry);
}

function documentsIn(folder: string): readonly SourcedDocument[] {
  return jsonFilesOf(folder).flatMap((file) => documentsOf(file, EXIT.usage));
}

/**
 * Adds documents to a registry that serves nobody yet.
 * @param place where they come from, for messages
 * @throws CommandFailure naming each fault
 */
export function addDocuments(
  place: string,
  documents: readonly SourcedDocument[],
  registry: SchemaRegistry,
): AddedDocuments {
  try {
    return registry.addDocuments(documents, { allowBreaking: true });
  } catch (cause) {
    if (!(cause instanceof SchemaDocumentError)) throw cause;
    throw new CommandFailure(EXIT.usage, `${place}: ${cause.message}`, cause);
  }
}
