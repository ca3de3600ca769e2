/**
 * Programs of documentation, compiled as users compile.
 * @module
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";
import { ROOT } from "./collect.ts";

/** Runs a program, and gives what it printed. */
export const run = promisify(execFile);

/** A folder in which programs find the packages; it goes when the tests of the file are done. */
export function programFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "scim-docs-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "blocks"));
  symlinkSync(join(ROOT, "apps/server/node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  return folder;
}

/** Compiles what lies in `blocks` of a folder, and gives what the compiler finds wrong. */
export async function faultsIn(folder: string): Promise<string> {
  const options = {
    // Against what is built, as users compile: a fraction of the time.
    customConditions: [],
    skipLibCheck: true,
    composite: false,
    noEmit: true,
    declarationMap: false,
    allowJs: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    allowUnreachableCode: true,
    noImplicitReturns: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    typeRoots: [join(ROOT, "node_modules/@types")],
  };
  const config = { extends: join(ROOT, "tsconfig.base.json"), compilerOptions: options, include: ["blocks"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  return run(process.execPath, [compiler, "-p", folder], { cwd: folder }).then(
    () => "",
    (error: unknown) => String((error as { readonly stdout?: unknown }).stdout ?? error),
  );
}
