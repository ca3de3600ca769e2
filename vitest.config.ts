import process from "node:process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { useMemory } from "./vitest.scratch.ts";

/** Sets what property tests begin with. */
const SEED = fileURLToPath(new URL("vitest.seed.ts", import.meta.url));

/** Processes that run tests, and programs that tests start, compile no more what others have compiled before them. */
const COMPILED = fileURLToPath(new URL("node_modules/.cache/node-compile-cache", import.meta.url));

/** What runs packages as they are built. */
const BUILT = new URL("vitest.built.mjs", import.meta.url).href;

useMemory();
process.env["NODE_COMPILE_CACHE"] ??= COMPILED;
// Node.js 22 is held to what users get, and would take the types off all sources anew in each process and thread.
if (process.version.startsWith("v22."))
  process.env["NODE_OPTIONS"] = `${process.env["NODE_OPTIONS"] ?? ""} --import=${BUILT}`;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: [SEED],
    // Files of tests share a process, and so what they import: none changes a module for others.
    isolate: false,
    // Node takes the types off by itself: tests run from source as the program does, through the export condition that
    // every package states, and nobody transforms the same modules anew for each package.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // A bigger young generation, collected by one thread: what tests leave behind dies young, and the cores have other work.
    execArgv: ["--conditions=@scim/source", "--max-semi-space-size=32", "--single-threaded-gc"],
    // What is awaited comes when it comes: a slow machine is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
