/**
 * Reads files of Schema and ResourceType documents: one document, an array of them or a ListResponse in each.
 * @module
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SourcedDocument } from "@scim/schemas";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { readTextFile } from "../text-file.ts";

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

/**
 * The files that an argument names: itself, or the `*.json` files of a folder.
 * @throws CommandFailure for a folder without any
 */
export function filesOf(path: string): readonly string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) return [path];
  const files = jsonFilesOf(path);
  if (files.length === 0) throw new CommandFailure(EXIT.failed, `The folder ${path} holds no file *.json.`);
  return files;
}

/**
 * The documents of a file, each named by it, and by its place where there are several.
 * @param code of the failure: a file of a command is examined, one of the settings is part of them
 * @throws CommandFailure where the file cannot be read as JSON
 */
export function documentsOf(file: string, code: ExitCode = EXIT.failed): readonly SourcedDocument[] {
  const read = <Read>(fault: string, reading: () => Read): Read => {
    try {
      return reading();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new CommandFailure(code, `${file} ${fault}: ${reason}.`, cause);
    }
  };
  const text = read("cannot be read", () => readTextFile(file));
  const content = read<unknown>("cannot be read as JSON", () => JSON.parse(text));
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
