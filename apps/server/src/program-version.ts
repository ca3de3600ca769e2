/**
 * The version of the program, which is that of all packages: they are released together.
 * @module
 */
import { readFileSync } from "node:fs";

let known: string | undefined;

/** The version, as the manifest of the server has it. */
export function programVersion(): string {
  known ??= versionIn(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return known;
}

function versionIn(manifest: string): string {
  const document: unknown = JSON.parse(manifest);
  const isTold = typeof document === "object" && document !== null && "version" in document;
  return isTold ? String(document.version) : "unknown";
}
