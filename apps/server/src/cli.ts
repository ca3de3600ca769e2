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

// Node.js 22 says of its own SQLite that it is experimental, in each process: nobody can do anything about it, and programs read JSON there.
const showWarning = process.listeners("warning");
process.removeAllListeners("warning").on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") for (const show of showWarning) show.call(process, warning);
});

// Loaded only now, as all below: older releases lack what is imported.
const { enableCompileCache } = await import("node:module");
// What was compiled once is kept beside the program, for the next start; where nothing can be written there, it is not.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/scim-compiled", import.meta.url)));
const { CommandFailure, EXIT, failureOf, toldFailure } = await import("./failure.ts");
const { runCommand } = await import("./command-line.ts");

const args = process.argv.slice(2);

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // Whoever reads has enough, as `head` does: there is nobody to tell.
  if (error.code === "EPIPE") process.exit(EXIT.unread);
  const sentence = `Standard output cannot be written: ${error.message}.`;
  process.stderr.write(toldFailure(new CommandFailure(EXIT.failed, sentence, error), args));
  process.exit(EXIT.failed);
});
// Where nobody can be told, what is to be done is done, and the exit code says what came of it.
process.stderr.on("error", () => undefined);

try {
  process.exitCode = await runCommand(args, process.env);
} catch (error) {
  const failure = failureOf(error, args);
  if (failure === null) throw error;
  process.stderr.write(toldFailure(failure, args));
  process.exitCode = failure.exitCode;
}
