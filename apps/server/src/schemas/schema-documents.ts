/**
 * Reads files of Schema and ResourceType documents: one document, an array of them or a ListResponse in each.
 * @module
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SourcedDocument } from "@scim/schemas";
import { CommandFailure, EXIT } from "../failure.ts";

/**
 * The paths of the `*.json` files of a folder, in order of their names.
 * @throws CommandFailure where the folder cannot be read
 */
export function jsonFilesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .toSorted()
      .map((name) => join(folder, name));
  } catch (cause) {
    throw new CommandFailure(EXIT.usage, `The folder of schemas ${folder} cannot be read.`, cause);
  }
}

/** The files that a path names: itself, or the `*.json` files of a folder. */
export function filesOf(path: string): readonly string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? jsonFilesOf(path) : [path];
}

/**
 * The documents of a file, each named by it, and by its place where there are several.
 * @throws CommandFailure where the file cannot be read as JSON
 */
export function documentsOf(file: string): readonly SourcedDocument[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.usage, `${file} cannot be read as JSON: ${reason}`, cause);
  }
  const list = isListResponse(content) ? content.Resources : content;
  if (!Array.isArray(list)) return [{ source: file, document: list }];
  return list.map((document: unknown, index) => ({ source: `${file}[${index}]`, document }));
}

function isListResponse(content: unknown): content is { readonly Resources: readonly unknown[] } {
  return (
    typeof content === "object" &&
    content !== null &&
    "Resources" in content &&
    Array.isArray(content.Resources)
  );
}
