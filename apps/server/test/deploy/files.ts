/**
 * The files that operators start from, read as what runs them reads them.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";

const FOLDER = fileURLToPath(new URL("../../../../deploy/", import.meta.url));

/** A file below `deploy/`. */
export interface DeployFile {
  /** Path below the folder: `kubernetes/service.yaml`. */
  readonly path: string;
  readonly text: string;
}

/** All of them. */
export function deployFiles(): readonly DeployFile[] {
  return readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(FOLDER.length), text: readFileSync(path, "utf8") }));
}

/** One of them. */
export function deployFile(path: string): string {
  return readFileSync(join(FOLDER, path), "utf8");
}

/** The documents of a YAML file. @throws Error where one is not well-formed, or names a key twice */
export function yamlOf(text: string): readonly unknown[] {
  return parseAllDocuments(text, { strict: true, uniqueKeys: true }).map((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) throw fault;
    return document.toJS();
  });
}

/** What stands at a path in a document, such as `spec.ports.0.targetPort`; undefined where nothing does. */
export function at(document: unknown, path: string): unknown {
  let value = document;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
