#!/usr/bin/env node
/**
 * The program `scim`.
 * @module
 */
import process from "node:process";
import { fileURLToPath } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`scim needs Node.js 22.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}

// Loaded only now, as all below: older releases lack what is imported.
const { enableCompileCache } = await import("node:module");
// What was compiled once is kept beside the program, for the next start; where nothing can be written there, it is not.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/scim-compiled", import.meta.url)));
const { failureOf, toldFailure } = await import("./failure.ts");
const { runCommand } = await import("./command-line.ts");

// Whoever reads has enough, as `head` does: there is nobody to tell.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
});

const args = process.argv.slice(2);
try {
  process.exitCode = await runCommand(args, process.env);
} catch (error) {
  const failure = failureOf(error, args);
  if (failure === null) throw error;
  process.stderr.write(toldFailure(failure, args));
  process.exitCode = failure.exitCode;
}
